;;; nnz.el --- Sparse tensor encodings and kernels  -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception OR MIT

;;; Commentary:

;; Modes for nnz notation (.nnz) and for MLIR (.mlir, where no other mode takes it), with the language server `nnz lsp'
;; under eglot: `M-x eglot', or (add-hook 'nnz-mode-hook #'eglot-ensure).

;;; Code:

(defgroup nnz nil "Sparse tensor encodings and kernels." :group 'languages)

(defcustom nnz-program "nnz"
  "The program that serves as the language server."
  :type 'string)

(defconst nnz--level-formats
  '("dense" "batch" "compressed" "loose_compressed" "singleton" "structured" "range" "delta" "bitmap" "hashed" "run_length"))

(defconst nnz--font-lock
  `(("#[A-Za-z_][A-Za-z0-9_.$-]*" . font-lock-type-face)
    (,(concat "\\(?:: *\\)" (regexp-opt nnz--level-formats t) "\\_>") 1 font-lock-builtin-face)
    ("\\_<\\(?:tensor\\|sparse\\|dense\\|index\\|\\(?:si\\|ui\\|i\\)[0-9]+\\|bf16\\|f\\(?:16\\|32\\|64\\)\\)\\_>" . font-lock-type-face)
    ("\\_<\\(?:map\\|posWidth\\|crdWidth\\|explicitVal\\|implicitVal\\|nonunique\\|nonordered\\|soa\\)\\_>" . font-lock-keyword-face)))

(defconst nnz--notation-font-lock
  (append '(("^:[a-z]+" . font-lock-preprocessor-face)
            ("\\_<\\(?:use\\|read\\|decompose\\|with\\|in\\|schedule\\)\\_>" . font-lock-keyword-face)
            ("\\_<\\([A-Za-z_][A-Za-z0-9_]*\\)(" 1 font-lock-function-name-face))
          nnz--font-lock))

(defconst nnz--mlir-font-lock
  (append '(("\\_<[a-z_]+\\.[a-z_.]+\\_>" . font-lock-keyword-face)
            ("@[A-Za-z_$.][A-Za-z0-9_$.]*" . font-lock-function-name-face)
            ("%[A-Za-z0-9_$.#-]+" . font-lock-variable-name-face))
          nnz--font-lock))

(defvar nnz--syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?_ "_" table)
    table))

(define-derived-mode nnz--base-mode prog-mode "nnz"
  "What the modes for nnz notation and MLIR have in common."
  :syntax-table nnz--syntax-table
  (setq-local comment-start "// " comment-start-skip "//+ *"))

;;;###autoload
(define-derived-mode nnz-mode nnz--base-mode "nnz"
  "For nnz notation."
  (setq-local font-lock-defaults '(nnz--notation-font-lock)))

;;;###autoload
(define-derived-mode nnz-mlir-mode nnz--base-mode "MLIR"
  "For MLIR, where no other mode takes it."
  (setq-local font-lock-defaults '(nnz--mlir-font-lock)))

(put 'nnz-mode 'eglot-language-id "nnz")
(put 'nnz-mlir-mode 'eglot-language-id "mlir")

;;;###autoload
(progn
  (add-to-list 'auto-mode-alist '("\\.nnz\\'" . nnz-mode))
  (unless (assoc "\\.mlir\\'" auto-mode-alist)
    (add-to-list 'auto-mode-alist '("\\.mlir\\'" . nnz-mlir-mode))))

(provide 'nnz)

;; Behind `provide': it requires this file in turn.
(with-eval-after-load 'eglot
  (require 'nnz-eglot))
;;; nnz.el ends here
