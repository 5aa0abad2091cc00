;;; nnz-eglot.el --- The server of nnz under eglot, and its views of kernels  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception OR MIT

;;; Commentary:

;; `M-x nnz-open-view' asks which view of a kernel to open (loops, plan, C); the view follows the text.

;;; Code:

(require 'eglot)
(require 'nnz)
(require 'url-util)

(defclass nnz-server (eglot-lsp-server) () :documentation "The server of nnz, which offers views of kernels.")

(add-to-list 'eglot-server-programs
             `((nnz-mode nnz-mlir-mode mlir-mode) . ,(lambda (&rest _) (list 'nnz-server nnz-program "lsp" "--stdio"))))

(cl-defmethod eglot-client-capabilities :around ((_server nnz-server))
  "The server offers lenses only for the commands that are here."
  (append (list :experimental '(:nnz (:commands ["nnz.openView"]))) (cl-call-next-method)))

(defvar-local nnz--view nil "The address of the view that this buffer shows.")
(defvar-local nnz--view-server nil "The server that makes it.")

(defun nnz-open-view ()
  "Ask which view of a kernel of this buffer to open, that of the kernel at point first."
  (interactive)
  (let* ((server (eglot--current-server-or-lose))
         (choices (nnz--views server (eglot--TextDocumentIdentifier) (1- (line-number-at-pos nil t))))
         (choice (if choices (completing-read "View: " (nnz--in-order choices) nil t) (user-error "There is no kernel here"))))
    (nnz--show server (cdr (assoc choice choices)))))

(defun nnz--views (server document line)
  "The lenses of DOCUMENT as (TITLE . ADDRESS), the nearest above LINE first."
  (let* ((lenses (append (jsonrpc-request server :textDocument/codeLens (list :textDocument document)) nil))
         (distance (lambda (lens) (let ((start (nnz--line lens))) (if (> start line) (+ start 1000000) (- line start))))))
    (setq lenses (sort lenses (lambda (one other) (< (funcall distance one) (funcall distance other)))))
    (mapcar #'nnz--choice (seq-filter #'nnz--is-view (nnz--resolved server (seq-take lenses nnz--nearest))))))

(defconst nnz--nearest 48 "So many lenses are asked for what they do, not all of a long text.")

(defun nnz--resolved (server lenses)
  "LENSES with their commands."
  (mapcar (lambda (lens) (jsonrpc-request server :codeLens/resolve lens)) lenses))

(defun nnz--line (lens)
  (plist-get (plist-get (plist-get lens :range) :start) :line))

(defun nnz--is-view (lens)
  (equal (plist-get (plist-get lens :command) :command) "nnz.openView"))

(defun nnz--choice (lens)
  (let* ((command (plist-get lens :command))
         (address (plist-get (elt (plist-get command :arguments) 0) :uri)))
    (cons (format "%s of %s" (plist-get command :title) (nnz--part "kernel" address)) address)))

(defun nnz--in-order (choices)
  "A completion table that leaves CHOICES in their order."
  (lambda (text predicate action)
    (if (eq action 'metadata)
        '(metadata (display-sort-function . identity) (cycle-sort-function . identity))
      (complete-with-action action choices text predicate))))

(defun nnz--part (name address)
  (when (string-match (concat "[?&]" name "=\\([^&]*\\)") address)
    (decode-coding-string (url-unhex-string (match-string 1 address)) 'utf-8)))

(defun nnz--show (server address)
  (let ((buffer (get-buffer-create (format "*nnz %s of %s*" (nnz--part "view" address) (nnz--part "kernel" address)))))
    (with-current-buffer buffer
      (special-mode)
      (setq nnz--view address nnz--view-server server)
      (nnz--refresh))
    (display-buffer buffer)))

(defun nnz--refresh ()
  "Ask for the view of this buffer."
  (let ((buffer (current-buffer)))
    (jsonrpc-async-request nnz--view-server :nnz/textDocumentContent (list :uri nnz--view)
                           :success-fn (lambda (content) (nnz--fill buffer (plist-get content :text)))
                           :error-fn (lambda (failure) (message "nnz: %s" (plist-get failure :message))))))

(defun nnz--fill (buffer text)
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (let ((inhibit-read-only t) (at (point)))
        (erase-buffer)
        (insert text)
        (goto-char (min at (point-max)))))))

(cl-defmethod eglot-handle-notification ((_server nnz-server) (_method (eql nnz/viewsChanged)) &key uri)
  "Views of the text at URI are to be asked for again."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (and nnz--view (equal (nnz--plain uri) (nnz--plain (nnz--part "source" nnz--view))))
        (nnz--refresh)))))

(defun nnz--plain (uri)
  "Two spellings of URI may differ in what they encode."
  (url-unhex-string uri))

(provide 'nnz-eglot)
;;; nnz-eglot.el ends here
