//! A whole text, statement after statement.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::{Init, ProgramCall, Statement, TensorDefinition, quoted, statement, syntax_errors, word};
use crate::{
    Checked, CheckedCall, CheckedKernel, Checker, Contents, DefId, DefinitionKind, Places,
    checked::Defined,
    checker::Alias,
    command::Command,
    kernel::{self, KernelStatement},
    literal::Literal,
    scope::{Known, Meaning, Scope, Word},
    used::{self, Files, Found, Used, UsedFile},
    variables::variables,
};
use nnz_base::source::{Source, Span};
use nnz_storage::{Triplets, files::FileKind, generate::Count};
use nnz_syntax::{self as syntax, NodeKind, NodeRef, TokenKind, lexer};

/// Checks a whole text, statement after statement; `scope` holds what earlier cells defined.
pub fn check_session(source: &Source, scope: &Scope) -> Checked {
    check_text(source, scope, None)
}

/// As [`check_session`], with the files that the text uses.
pub fn check_session_with(source: &Source, scope: &Scope, files: &dyn Files) -> Checked {
    check_text(source, scope, Some(files))
}

fn check_text(source: &Source, scope: &Scope, files: Option<&dyn Files>) -> Checked {
    let tree = syntax::session::parse(source.text.clone());
    let mut file = File::new(source, scope, files);
    for cut in syntax::session::statements(&tree) {
        file.statement(&cut);
    }
    let File { c, .. } = file;
    c.snapshot(tree)
}

/// A whole text while it is checked.
pub(super) struct File<'s> {
    pub c: Checker<'s>,
    pub scope: Scope,
    /// The tensors and scalars defined in this text.
    pub ids: HashMap<Arc<str>, DefId>,
    /// Where the statement begins that is checked.
    at: u32,
    /// The files that functions come from, with their paths.
    functions: HashMap<String, (String, Arc<Checked>)>,
    files: Option<&'s dyn Files>,
    written: Written,
}

/// The files that statements have written so far.
#[derive(Default)]
struct Written {
    files: Vec<String>,
    /// A program may write what it likes.
    by_programs: bool,
}

impl Written {
    fn may_be(&self, path: &str) -> bool {
        self.by_programs || self.files.iter().any(|written| written == path)
    }
}

impl<'s> File<'s> {
    pub(super) fn new(source: &'s Source, scope: &'s Scope, files: Option<&'s dyn Files>) -> File<'s> {
        let (c, scope, written) = (Checker::within(source, scope), scope.clone(), Written::default());
        File { c, scope, ids: HashMap::new(), at: 0, functions: HashMap::new(), files, written }
    }

    pub(super) fn statement(&mut self, cut: &syntax::session::Statement<'_>) {
        self.at = cut.span.start;
        syntax_errors(&self.c, &self.scope, cut).into_iter().for_each(|error| self.c.report(error));
        self.meant_names(cut);
        let Some(node) = cut.node else { return };
        self.record_uses(node);
        if node.kind() == NodeKind::Use {
            self.use_file(node);
        }
        self.c.declared = None;
        let checked = if cut.errors.is_empty() { statement(&mut self.c, &self.scope, node) } else { None };
        let read = checked.as_ref().and_then(|statement| self.look_for_data(statement));
        if checked.is_none() && cut.errors.is_empty() {
            self.look_for_read(node);
        }
        if let Some(Statement::Call(call)) = &checked {
            return self.results(call, node);
        }
        let defined = checked.as_ref().and_then(|checked| checked.definition(&self.scope));
        if let (Some(Statement::Compute(_)), Some((name, meaning))) = (&checked, &defined) {
            self.define(name, Known::new(meaning.clone(), true), None);
            return;
        }
        self.c.kernels.extend(checked.as_ref().and_then(kernel_of));
        let (name, meaning) = match (defined, defined_name(node).or_else(|| meant_name(cut, &self.scope))) {
            (Some(defined), Some(token)) => (token, defined.1),
            (None, Some(token)) if checked.is_none() => (token, self.c.declared.take().unwrap_or(Meaning::Broken)),
            _ => return,
        };
        let contents = read.or_else(|| checked.as_ref().and_then(|checked| self.contents(checked)));
        let known = Known::new(meaning.clone(), checked.is_some_and(|checked| checked.is_given()));
        if matches!(meaning, Meaning::Encoding(_)) {
            return self.define(&name.text, known, None);
        }
        let id = self.c.define(name.span, node.span(), kind_of(&meaning));
        self.define(&name.text, known, Some(id));
        self.c.contents.extend(contents.map(|contents| Contents { definition: id, ..contents }));
    }

    fn define(&mut self, name: &str, known: Known, id: Option<DefId>) {
        self.c.defined.push(Defined { statement: Span { start: self.at, end: self.at }, name: name.into(), known, id });
        self.learn(self.c.defined.len() - 1, |_| true);
    }

    /// Adds the definitions from number `first` on to the scope, for the wanted names.
    pub(super) fn learn(&mut self, first: usize, wanted: impl Fn(&str) -> bool) {
        for Defined { name, known, id, .. } in self.c.defined.iter().skip(first).filter(|one| wanted(&one.name)) {
            self.scope.define_known(name.clone(), known.clone());
            self.ids.extend(id.map(|id| (name.clone(), id)));
        }
    }

    /// Another check at this place, which knows the aliases, and of names those that are wanted.
    pub(super) fn alone<'f>(&'f self, outer: &'f Scope, wanted: impl Fn(&str) -> bool) -> File<'f> {
        let mut alone = File::new(self.c.source, outer, self.files);
        let known = self.c.defined.iter().filter(|one| wanted(&one.name));
        known.for_each(|one| alone.scope.define_known(one.name.clone(), one.known.clone()));
        for (name, alias) in &self.c.aliases {
            let encoding = match alias {
                Alias::Imported(encoding) => Some(encoding),
                Alias::Local(id) => self.c.symbols.definition(*id).kind.shared_encoding(),
            };
            encoding.into_iter().for_each(|encoding| alone.c.import(name, encoding.clone()));
        }
        alone
    }

    /// What the text says about the entries of a tensor, for example that they are those of the converted one.
    fn contents(&self, statement: &Statement) -> Option<Contents> {
        let Statement::Tensor(tensor) = statement else { return None };
        let definition = DefId(0);
        match &tensor.init {
            Init::Literal(literal) => {
                let (entries, literal) = entries_of(literal);
                Some(Contents { definition, entries, literal, read: None })
            }
            Init::Generate { .. } => Some(Contents { definition, entries: tensor.count()?, literal: None, read: None }),
            Init::Convert(name) => {
                let id = self.ids.get(name.text.as_str())?;
                let known = self.c.contents.binary_search_by_key(id, |contents| contents.definition).ok()?;
                self.c.contents.get(known).cloned()
            }
            Init::Read(_) => None,
        }
    }

    /// What a statement with errors would have defined means something from then on, and nobody knows what.
    fn meant_names(&mut self, cut: &syntax::session::Statement<'_>) {
        let known = cut.node.and_then(defined_name).or_else(|| meant_name(cut, &self.scope));
        if known.is_some() {
            return;
        }
        if let Some(name) = self.nameless(cut) {
            self.define(&name, Known::new(Meaning::Broken, false), None);
        }
        for name in names_meant(self.c.source, cut) {
            let word = name.text.as_str();
            if word.starts_with('#') {
                self.c.broken_alias(word, name.span, cut.span);
            } else if self.scope.get(word).is_none() {
                self.define(word, Known::new(Meaning::Broken, false), None);
            }
        }
    }

    /// What `= [1, 2]` was to define: the first name used behind it that nothing has.
    fn nameless(&self, cut: &syntax::session::Statement<'_>) -> Option<String> {
        const FAR: usize = 1 << 12;
        self.c.source.slice(cut.span).starts_with('=').then_some(())?;
        let behind = self.c.source.text.get(cut.span.end as usize..)?;
        let behind = &behind[..behind.floor_char_boundary(FAR)];
        let tokens = lexer::lex(behind);
        let mut own = HashSet::new();
        for at in tokens.windows(3).enumerate().filter(|(_, three)| three[0].kind == TokenKind::Ident) {
            let (at, three) = at;
            let word = &behind[three[0].start as usize..three[1].start as usize];
            let begins = at.checked_sub(1).is_none_or(|before| tokens[before].kind == TokenKind::Newline);
            if begins {
                own.insert(word);
            } else if three[1].kind == TokenKind::LParen
                && self.scope.get(word).is_none()
                && !own.contains(word)
                && !kernel::is_function(word)
            {
                return Some(word.to_string());
            }
        }
        None
    }

    /// Whether what is found in a statement may depend on files, or it writes some.
    pub(super) fn may_read(&self, cut: &syntax::session::Statement<'_>) -> bool {
        let names_file = |kind| matches!(kind, NodeKind::Read | NodeKind::ProgramCall | NodeKind::StringArg);
        self.files.is_some() && cut.node.is_some_and(|node| node.descendants().any(|part| names_file(part.kind())))
    }

    /// The file that a definition reads which is refused for another reason.
    fn look_for_read(&mut self, node: NodeRef<'_>) {
        let read = node.children().find(|part| part.kind() == NodeKind::Read);
        if let Some(path) = read.and_then(quoted).filter(|path| FileKind::of_path(&path.text).is_some()) {
            self.look_for_file(&path);
        }
    }

    /// Whether it is there, as it is now, when the statement runs.
    fn look_for_file(&mut self, path: &Word) -> bool {
        let Some(files) = self.files.filter(|_| !self.written.may_be(&path.text)) else { return false };
        let reason = files.unreadable(&path.text);
        let is_there = reason.is_none();
        self.c.diagnostics.extend(reason.map(|reason| used::unreadable(self.c.source.id, path, &reason)));
        is_there
    }

    /// Says of a small file of data what is said when it is read, and what is in it.
    fn look_into(&mut self, path: &Word, definition: &TensorDefinition) -> Option<Contents> {
        let bytes = self.files?.data(&path.text)?;
        let (read, said) = definition.of_file(self.c.source.id, path, bytes);
        self.c.diagnostics.extend(said);
        let (entries, ty) = read?;
        Some(Contents { definition: DefId(0), entries: Count::Exactly(entries), literal: None, read: Some(ty.into()) })
    }

    fn look_for_place(&mut self, path: &Word) {
        if let Some(reason) = self.files.and_then(|files| files.unwritable(&path.text)) {
            self.c.report(used::unwritable(self.c.source.id, path, &reason));
        }
    }

    /// Files of data that are not there, and that no statement before may have written; and what is in the one that a
    /// tensor is read from.
    fn look_for_data(&mut self, statement: &Statement) -> Option<Contents> {
        let mut read = None;
        for path in statement.reads() {
            if self.look_for_file(path)
                && let Statement::Tensor(definition) = statement
            {
                read = self.look_into(path, definition);
            }
        }
        if let Statement::Command(Command::Write { path, .. }) = statement {
            self.look_for_place(path);
            self.written.files.push(path.text.clone());
        }
        self.written.by_programs |= matches!(statement, Statement::Call(_));
        read
    }

    fn use_file(&mut self, node: NodeRef<'_>) {
        let path = quoted(node);
        let found = path.zip(self.files).map(|(path, files)| (files.used(&path.text), path));
        let source = self.c.source.id;
        match found {
            Some((Found::File(file), path)) => return self.take_over(&path, file),
            Some((Found::Missing(reason), path)) => self.c.report(used::unusable(source, &path, &reason)),
            Some((Found::Unread(reason), path)) => self.c.report(used::unread(source, &path, &reason)),
            None => {}
        }
        self.scope.open();
        self.c.uses_unread_files = true;
    }

    /// Makes what a file defines known. One with an error of its own is not used where statements run.
    fn take_over(&mut self, path: &Word, UsedFile { checked: file, functions, wrong }: UsedFile) {
        if let Some(error) = wrong {
            self.c.report(used::wrong_file(self.c.source.id, path, (&file, &error)));
            self.scope.open();
            self.c.uses_unread_files = true;
        }
        for definition in &file.symbols.definitions {
            if let DefinitionKind::Encoding(Some(encoding)) = &definition.kind {
                let name = file.source.slice(definition.name);
                self.c.import(name, encoding.clone());
                self.scope.define(name, Meaning::Encoding(encoding.clone()));
            }
        }
        for (name, signature) in functions {
            self.scope.define_function(&name, signature);
            self.functions.insert(name, (path.text.clone(), file.clone()));
        }
        self.c.used.push(Used { path: path.span, file });
    }

    /// A call of a program's function, and its results; the results of a function that was not read are unknown.
    fn results(&mut self, call: &ProgramCall, node: NodeRef<'_>) {
        if let Some((path, file)) = self.functions.get(&call.function.text) {
            let (function, path, file) = (call.function.clone(), path.clone(), file.clone());
            self.c.calls.push(CheckedCall { function, path, file });
        }
        for at in 0..call.result_count(&self.scope) {
            let meaning = call.result(&self.scope, at);
            let named = call.targets.get(at);
            let id = named.map(|target| self.c.define(target.span, node.span(), kind_of(&meaning)));
            self.define(&call.result_name(at), Known::new(meaning, true), id);
        }
    }

    /// Names of tensors and scalars, everywhere except at their definitions. An index of the same name does not count.
    fn record_uses(&mut self, node: NodeRef<'_>) {
        let own = defined_name(node).map(|name| name.span);
        let named = |node: &NodeRef<'_>| matches!(node.kind(), NodeKind::Name | NodeKind::Call);
        let tokens = node.descendants().filter(named).filter_map(|node| node.first_token());
        let uses = tokens.filter_map(|token| Some((token, *self.ids.get(token.text())?)));
        let uses: Vec<_> = uses.filter(|(token, _)| Some(token.span()) != own).collect();
        if uses.is_empty() {
            return;
        }
        let variables = variables(node, &|name| matches!(self.scope.get(name), Some(Meaning::Scalar(_))));
        for (token, id) in uses {
            if !variables.stand_at(token) {
                self.c.record_use(token.span(), Some(id));
            }
        }
    }
}

fn kind_of(meaning: &Meaning) -> DefinitionKind {
    match meaning {
        Meaning::Scalar(element) => DefinitionKind::Scalar(Some(*element)),
        Meaning::Tensor(ty) => DefinitionKind::Tensor(Some(Arc::new(ty.clone()))),
        Meaning::Encoding(_) | Meaning::Broken => DefinitionKind::Tensor(None),
    }
}

/// How many entries a literal has, and those of a short one. Those at one place are added up when they are stored.
fn entries_of(literal: &Literal) -> (Count, Option<Arc<Triplets>>) {
    const FEW: u64 = 64;
    let count = match literal {
        Literal::Entries(triplets) => triplets.len() as u64,
        Literal::Same { shape, .. } => shape.iter().copied().fold(1, u64::saturating_mul),
    };
    let few = if count <= FEW { literal.triplets().ok() } else { None };
    (Count::AtMost(count), few.map(|triplets| Arc::new(triplets.into_owned())))
}

/// The kernel, if its sizes are known.
fn kernel_of(statement: &Statement) -> Option<CheckedKernel> {
    let (Statement::Kernel(statement) | Statement::Compute(statement)) = statement else { return None };
    let KernelStatement { kernel: Some(kernel), places, scheduled, expr_span, .. } = statement else { return None };
    let (places, scheduled) = (Places::new(places), scheduled.clone());
    Some(CheckedKernel { size: kernel.size(), kernel: Arc::new(kernel.clone()), span: *expr_span, places, scheduled })
}

/// The name that a statement defines, whether or not it has errors. Aliases are left to MLIR's checks.
fn defined_name(node: NodeRef<'_>) -> Option<Word> {
    let assigns = matches!(node.kind(), NodeKind::Definition | NodeKind::Assignment);
    word(node).filter(|_| assigns)
}

/// The names that a statement with errors of syntax may have defined.
pub fn names_meant(source: &Source, cut: &syntax::session::Statement<'_>) -> Vec<Word> {
    if cut.errors.is_empty() {
        return Vec::new();
    }
    let mut names = names_in_front(source.slice(cut.span), cut.span);
    names.retain(|name| !kernel::is_function(&name.text));
    names
}

/// The names before the `=` of a text that is not a statement, outside brackets: `B` of `B CSR = ...` and of
/// `let B = ...`, in a block those of each line; only the first if there is no `=`.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
fn names_in_front(text: &str, span: Span) -> Vec<Word> {
    let (mut all, mut names, mut depth, mut assigned) = (Vec::new(), Vec::new(), 0_i32, false);
    let mut first = None;
    for token in lexer::lex(text).windows(2) {
        let (kind, at) = (token[0].kind, token[0].start as usize..token[1].start as usize);
        match kind {
            TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace | TokenKind::Lt => depth += 1,
            TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace | TokenKind::Gt => depth -= 1,
            TokenKind::Eq if depth == 0 && !assigned => {
                all.append(&mut names);
                assigned = true;
            }
            TokenKind::Newline if depth == 0 => {
                first = first.or(names.first().cloned());
                names.clear();
                assigned = false;
            }
            TokenKind::Ident | TokenKind::HashId if depth == 0 && !assigned => {
                let start = span.start as usize;
                let place = Span::new(start + at.start, start + at.end);
                names.push(Word { text: text[at].to_string(), span: place });
            }
            // `%y(i) = ...`
            TokenKind::PercentId if at.start == 0 => {
                let place = Span::new(span.start as usize + 1, span.start as usize + at.end);
                names.push(Word { text: text[at].trim_start_matches('%').to_string(), span: place });
            }
            _ => {}
        }
    }
    if all.is_empty() { first.or(names.first().cloned()).into_iter().collect() } else { all }
}

/// What `y(i) A(i, j)`, which lacks its `=`, would have defined.
fn meant_name(cut: &syntax::session::Statement<'_>, scope: &Scope) -> Option<Word> {
    let node = cut.node.filter(|node| node.kind() == NodeKind::Show && !cut.errors.is_empty())?;
    let call = node.children().next().filter(|call| call.kind() == NodeKind::Call)?;
    word(call).filter(|name| scope.get(&name.text).is_none() && !kernel::is_function(&name.text))
}
