;;; Drives Emacs in batch mode with editors/emacs under eglot, as a person has it, against a real server.  -*- lexical-binding: t -*-
;; usage: NNZ=path/to/nnz emacs --batch -Q -l emacs_check.el

;; -Q leaves out the folders of Debian's packages.
(dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa*/*"))
  (when (file-directory-p folder) (add-to-list 'load-path folder)))
(defvar here (file-name-directory (file-truename load-file-name)))
(add-to-list 'load-path (expand-file-name "../../editors/emacs" here))
(require 'cl-lib)
(require 'eglot)
(require 'nnz)

(setq nnz-program (getenv "NNZ") eglot-sync-connect 30 eglot-send-changes-idle-time 0.05 make-backup-files nil
      eglot-confirm-server-initiated-edits nil inhibit-message nil)
(defvar failed 0)

(defmacro check (name &rest body)
  `(condition-case reason
       (progn ,@body (princ (format "ok emacs: %s\n" ,name)))
     (error (cl-incf failed) (princ (format "not ok emacs: %s: %S\n" ,name reason)))))

(defun until (what probe)
  "Wait until PROBE gives something, and give that back."
  (let ((end (+ (float-time) 30)) value)
    (while (and (not (setq value (funcall probe))) (< (float-time) end)) (accept-process-output nil 0.05))
    (or value (error "waited 30 s in vain for %s" what))))

(defun open-sample (name)
  "A copy, so that no check changes the original."
  (let ((folder (make-temp-file "nnz-emacs-" t)))
    (copy-file (expand-file-name (concat "samples/" name) here) (expand-file-name name folder))
    (find-file (expand-file-name name folder))
    (apply #'eglot (eglot--guess-contact)) ; what M-x eglot does
    (until "the server" #'eglot-current-server)))

(defun tell-changes ()
  "Batch mode has no idle timers, which is when eglot tells of changes."
  (eglot--signal-textDocument/didChange))

(defun diagnostics ()
  (until "diagnostics" (lambda () (flymake-start) (flymake-diagnostics))))

(open-sample "broken.mlir")
(check "an .mlir file shows its diagnostic at the guilty word"
  (cl-assert (eq major-mode 'nnz-mlir-mode))
  (let* ((found (diagnostics)) (one (car found)))
    (cl-assert (= 1 (length found)) t)
    (cl-assert (equal "densee" (buffer-substring (flymake-diagnostic-beg one) (flymake-diagnostic-end one))) t)
    (cl-assert (string-match-p "unknown level format `densee`" (flymake-diagnostic-text one)) t)))
(check "the code action mends the encoding"
  (goto-char (point-min))
  (search-forward "densee")
  (let ((action (cl-find-if (lambda (action) (string-search "`dense`" (plist-get action :title))) (eglot-code-actions (- (point) 2) (1- (point)) nil nil))))
    (eglot--apply-workspace-edit (plist-get action :edit))
    (tell-changes)
    (cl-assert (not (save-excursion (goto-char (point-min)) (search-forward "densee" nil t))))
    (until "no diagnostics" (lambda () (flymake-start) (null (flymake-diagnostics))))))

(check "completion inside an encoding offers the level formats"
  (goto-char (point-min))
  (search-forward "dense,")
  (goto-char (match-beginning 0))
  (let ((labels (all-completions "" (nth 2 (eglot-completion-at-point)))))
    (cl-assert (and (member "dense" labels) (member "compressed" labels)) t)))

(open-sample "kernels.nnz")
(check "hover says what a tensor stores"
  (goto-char (point-min))
  (let (said)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq said text)))
    (cl-assert (string-match-p "lvl 1  j : compressed" (substring-no-properties (until "a hover" (lambda () said)))))))
(check "definition of a tensor is where it is made"
  (goto-char (point-max))
  (search-backward "A(i")
  (let ((found (car (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))))
    (cl-assert (= 1 (xref-location-line (xref-item-location found))) t)))
(check "imenu has the tensors"
  (cl-assert (string-match-p "\"A\"" (format "%S" (eglot-imenu))) t))
(check "a view shows the loops of a kernel, and follows the text"
  (cl-letf (((symbol-function 'completing-read)
             (lambda (_prompt table &rest _) (car (all-completions "Loops" table)))))
    (nnz-open-view))
  (let* ((shows (lambda (what) (with-current-buffer "*nnz loops of y*" (string-search what (buffer-string))))))
    (until "the loops" (lambda () (funcall shows "sum = sum + A.values[A.p1] * x[j]")))
    (goto-char (point-max))
    (search-backward "x(j)")
    (goto-char (match-end 0))
    (insert " * 7.5")
    (tell-changes)
    (until "the loops of the new text" (lambda () (funcall shows "7.5")))))

(dolist (buffer (buffer-list)) (with-current-buffer buffer (set-buffer-modified-p nil)))
(kill-emacs (if (> failed 0) 1 0))
