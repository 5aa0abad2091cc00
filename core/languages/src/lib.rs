//! The registry of front ends: every language that nnz reads is a row of [`LANGUAGES`], a [`FrontEnd`].
//!
//! A row gives the files of the language, its parser and check, and how its texts run. A check
//! returns [`Answers`] for editors. The edges use the registry and know no language by name, so a new language is a
//! crate for its front end and a row here.

#![warn(clippy::wildcard_enum_match_arm)]

mod answers;
mod checked;
mod mlir;
mod notation;
mod tir;

pub use answers::{Answers, Known};
pub use mlir::MLIR;
pub use notation::NOTATION;
pub use tir::SPARSE_TIR;

use std::{path::Path, sync::Arc};

use nnz_backend::{FloatOrder, Gpu};
use nnz_base::{diagnostic::Diagnostic, source::Source};
use nnz_check::{Checked, command::View, scope::Scope, used::Files};
use nnz_mlir::Module;
use nnz_run::Engine;
use nnz_stages::Arrays;

/// The languages that nnz reads.
pub static LANGUAGES: Languages = Languages::new(&[&NOTATION, &MLIR, &SPARSE_TIR]);

/// What the rest of nnz knows about a language.
#[derive(Debug)]
pub struct FrontEnd {
    /// As messages call it.
    pub name: &'static str,
    /// What the names of its files end in, without the dot.
    pub extensions: &'static [&'static str],
    /// What editors call it (`languageId`).
    pub editor_ids: &'static [&'static str],
    /// Parses and checks a whole text; never fails.
    pub check: fn(&Source, Context<'_>) -> Arc<dyn Answers>,
    /// Whether what is found in a text may depend on other files; `true` costs a second check where they change.
    pub may_use_files: fn(&str) -> bool,
    pub execution: Execution,
}

/// What is known before a text is checked.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// What earlier statements of a session have defined.
    pub scope: &'a Scope,
    /// The files that the text may use; without them names that may come from a file are not reported.
    pub files: Option<&'a dyn Files>,
}

/// What a text does beyond being checked: how it runs, and what a session that uses it gets.
#[derive(Clone, Copy, Debug)]
pub enum Execution {
    /// Statements of a session, one after another. A session that uses the file takes over its encodings.
    Statements(fn(&Source) -> Checked),
    /// Functions, one of which runs by itself. A session that uses the file gets its encodings and can call the
    /// functions.
    Functions(fn(&Source) -> Program),
    /// Functions over arrays with names, which give arrays. A session cannot use such a file.
    Arrays(ArrayFunctions),
    /// Nothing: the language is only checked.
    Nothing,
}

/// What is done with functions over arrays.
#[derive(Clone, Copy, Debug)]
pub struct ArrayFunctions {
    pub call: fn(&Source, &ArrayCall<'_>) -> Called,
    /// What they can be shown as, each with what that is.
    pub stages: &'static [(&'static str, &'static str)],
    /// The views of code that they have.
    pub views: &'static [View],
    /// The function of a name, or all, as a stage or as code.
    pub lower: fn(&Source, &ArrayLowering<'_>) -> Lowered,
}

/// What to show of a text of functions over arrays.
#[derive(Clone, Copy)]
pub struct ArrayLowering<'a> {
    /// The function; without a name all.
    pub function: Option<&'a str>,
    pub to: To,
    /// For PTX.
    pub gpu: Gpu,
}

/// What functions over arrays are shown as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum To {
    /// By its name in [`ArrayFunctions::stages`].
    Stage(&'static str),
    /// Of [`ArrayFunctions::views`].
    View(View),
}

/// Functions as text at a stage, or what is wrong.
pub type Lowered = Result<String, Vec<Diagnostic>>;

/// What to call in a text of functions over arrays.
#[derive(Clone, Copy)]
pub struct ArrayCall<'a> {
    /// The function; without a name it is the only one.
    pub function: Option<&'a str>,
    /// The number of the stage that it is lowered to first.
    pub stage: Option<&'a str>,
    pub arrays: &'a Arrays,
    /// So many statements and points may run.
    pub steps: u64,
    pub engine: Engine,
    pub order: FloatOrder,
    pub threads: usize,
    /// Takes what the user should know before the function runs.
    pub tell: &'a dyn Fn(Diagnostic),
}

/// What a text says of itself, and the arrays that a function has written, if it ran.
pub struct Called {
    pub diagnostics: Vec<Diagnostic>,
    pub arrays: Option<Arrays>,
}

/// Why a session cannot use a file that defines nothing for it.
pub const NOTHING_TO_USE: &str = "it defines nothing that a session can use";

/// A text of functions.
pub struct Program {
    pub checked: Checked,
    /// Or the mistakes in its operations.
    pub modules: Result<Vec<Module>, Vec<Diagnostic>>,
}

impl FrontEnd {
    /// Checks a text by itself, without reports on names that files in use may define.
    pub fn check_alone(&self, source: &Source) -> Arc<dyn Answers> {
        (self.check)(source, Context { scope: &Scope::default(), files: None })
    }

    /// Checks a text that replaces another, with the files that it uses; without them as [`FrontEnd::check_alone`].
    pub fn check_after(
        &self,
        before: Option<Arc<dyn Answers>>,
        source: &Source,
        files: Option<&dyn Files>,
    ) -> Arc<dyn Answers> {
        let afresh = || (self.check)(source, Context { scope: &Scope::default(), files });
        before.and_then(|before| before.edited(source, files)).unwrap_or_else(afresh)
    }

    /// What is done with the functions over arrays that a text consists of, if it does.
    pub fn of_arrays(&self) -> Option<ArrayFunctions> {
        match self.execution {
            Execution::Arrays(functions) => Some(functions),
            Execution::Statements(_) | Execution::Functions(_) | Execution::Nothing => None,
        }
    }

    /// Whether a text consists of functions that run by themselves.
    pub fn is_of_functions(&self) -> bool {
        matches!(self.execution, Execution::Functions(_))
    }
}

/// Front ends, found by the names of files and by the editors' names for languages.
#[derive(Debug)]
pub struct Languages {
    rows: &'static [&'static FrontEnd],
}

impl Languages {
    /// The first row reads texts without a file extension.
    ///
    /// # Panics
    /// If there is no row.
    pub const fn new(rows: &'static [&'static FrontEnd]) -> Languages {
        assert!(!rows.is_empty(), "a registry has a row");
        Languages { rows }
    }

    pub fn rows(&self) -> &'static [&'static FrontEnd] {
        self.rows
    }

    /// By the extension of the file; `None` if no row has it.
    pub fn of_path(&self, path: &str) -> Option<&'static FrontEnd> {
        match Path::new(path).extension() {
            None => self.rows.first().copied(),
            Some(ending) => self.find(|row| row.extensions.iter().any(|known| ending == *known)),
        }
    }

    /// By the editor's name for the language of a document, or else by the document's name.
    pub fn of_document(&self, editor_id: &str, path: &str) -> Option<&'static FrontEnd> {
        self.find(|row| row.editor_ids.contains(&editor_id)).or_else(|| self.of_path(path))
    }

    /// The extensions of texts: `.nnz (nnz notation), .mlir (MLIR) or .py (SparseTIR)`.
    pub fn endings(&self) -> String {
        let endings = |row: &FrontEnd| {
            let endings: Vec<String> = row.extensions.iter().map(|ending| format!(".{ending}")).collect();
            format!("{} ({})", endings.join(", "), row.name)
        };
        let all: Vec<String> = self.rows.iter().map(|row| endings(row)).collect();
        match all.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }

    /// The pattern for the names of all texts, in the notation of editors: `**/*.{nnz,mlir,py}`.
    pub fn glob(&self) -> String {
        let endings: Vec<&str> = self.rows.iter().flat_map(|row| row.extensions).copied().collect();
        format!("**/*.{{{}}}", endings.join(","))
    }

    /// Why a text is not read whose extension no row has.
    pub fn unknown(&self) -> String {
        format!("its name does not tell its language: texts end in {}", self.endings())
    }

    fn find(&self, wanted: impl Fn(&FrontEnd) -> bool) -> Option<&'static FrontEnd> {
        self.rows.iter().copied().find(|row| wanted(row))
    }
}
