//! Types in the text.

use super::{
    Reader,
    registered::{is_registered, unknown_of_dialect, unregistered},
};
use crate::{
    draft::Draft,
    mistake::{Mistake, Read},
    types::{FunctionType, Levels, MemoryType, Type, UnrankedMemoryType, VectorType},
};
use nnz_base::{
    diagnostic::{Code, did_you_mean},
    element::Element,
    source::Span,
};
use nnz_check::{MLIR_FAMILIES, is_mlir_type};
use nnz_encoding::{Encoding, MAX_RANK};
use nnz_syntax::{TokenKind, TokenRef, habits::type_name};

/// The most types that a function type consists of. Aliases that name others twice double them with every line.
const MOST_PARTS: usize = 10_000;

impl Reader<'_> {
    /// The type that was read last ends the operation.
    pub(crate) fn ends_with_type(&self, draft: &mut Draft) {
        draft.last_type = Some(self.last_type);
    }

    /// # Errors
    /// No type; one that nnz does not compute with.
    pub fn ty(&mut self) -> Read<Type> {
        let start = self.span();
        let ty = match self.any_type(start) {
            // What else is wrong with the text is told, too.
            Err(mistake) if mistake.is_unsupported() || mistake.names_no_type() && self.goes_on_behind_type() => {
                self.report(mistake);
                Type::Broken
            }
            read => read?,
        };
        self.last_type = start.cover(self.last_span());
        self.broken_types += usize::from(ty.is_broken());
        Ok(ty)
    }

    /// Where a type may have ended: in the middle of one nothing is known of what follows.
    fn goes_on_behind_type(&self) -> bool {
        use TokenKind::{Arrow, Colon, Comma, Eof, Ident, LBrace, RBrace, RBracket, RParen};
        let ends = matches!(self.peek(), Arrow | Colon | Comma | Eof | Ident | LBrace | RBrace | RBracket | RParen);
        ends || self.begins_line()
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn any_type(&mut self, start: Span) -> Read<Type> {
        match self.peek() {
            TokenKind::LParen | TokenKind::Arrow => self.function_type().map(Type::Function),
            TokenKind::BangId => self.dialect_type(),
            TokenKind::Ident => match self.text() {
                "tensor" if self.nth(1) == TokenKind::Lt => self.tensor_type(start),
                "memref" if self.nth(1) == TokenKind::Lt => self.memory_type(start),
                "vector" if self.nth(1) == TokenKind::Lt => self.vector_type(start),
                _ => self.element_type().map(Type::Scalar),
            },
            _ => Err(self.expected("a type")),
        }
    }

    /// `T, T`
    ///
    /// # Errors
    /// As [`Reader::ty`].
    pub fn types(&mut self) -> Read<Vec<Type>> {
        self.separated(Self::ty)
    }

    /// `: T`
    ///
    /// # Errors
    /// As [`Reader::ty`].
    pub(crate) fn colon_type(&mut self) -> Read<Type> {
        self.expect(TokenKind::Colon)?;
        self.ty()
    }

    /// `: T, T`
    ///
    /// # Errors
    /// As [`Reader::ty`].
    pub(crate) fn colon_types(&mut self) -> Read<Vec<Type>> {
        self.expect(TokenKind::Colon)?;
        self.types()
    }

    /// `(T, T) -> (T, T)`, `(T) -> T`.
    ///
    /// # Errors
    /// As [`Reader::ty`].
    pub(crate) fn function_type(&mut self) -> Read<FunctionType> {
        Ok(self.placed_function_type()?.0)
    }

    /// The same, and where each input stands.
    ///
    /// # Errors
    /// As [`Reader::function_type`].
    pub(crate) fn placed_function_type(&mut self) -> Read<(FunctionType, Vec<Span>)> {
        let start = self.span();
        let inputs = self.nested(|r| r.parenthesized(|r| r.ty().map(|ty| (ty, r.last_type))))?;
        let (inputs, places) = inputs.into_iter().unzip();
        self.expect(TokenKind::Arrow)?;
        let ty = FunctionType { inputs, results: self.result_types()? };
        let span = start.cover(self.last_span());
        match ty.parts() {
            parts if parts > MOST_PARTS => Err(Mistake::unsupported(
                span,
                format!("a function type of {parts} types: nnz takes at most {MOST_PARTS}"),
            )
            .label("with all that its aliases stand for")),
            _ => Ok((ty, places)),
        }
    }

    /// `T`, or `(T, T)`; behind an arrow.
    ///
    /// # Errors
    /// As [`Reader::ty`].
    pub fn result_types(&mut self) -> Read<Vec<Type>> {
        if self.at(TokenKind::LParen) {
            return self.nested(|r| r.parenthesized(Self::ty));
        }
        let mut results = vec![self.ty()?];
        while self.at(TokenKind::Comma) && self.lists_to_told_bracket() {
            self.bump();
            results.push(self.ty()?);
        }
        self.pass_told_bracket();
        Ok(results)
    }

    /// At a `)` that closes nothing, of which the check has told.
    fn has_told_bracket(&self) -> bool {
        self.at(TokenKind::RParen) && self.checked.has_syntax_error_in(self.span())
    }

    pub(super) fn pass_told_bracket(&mut self) -> bool {
        let told = self.has_told_bracket();
        if told {
            self.bump();
        }
        told
    }

    /// At the `,` of `-> T, T)`, of whose bracket the check has told.
    fn lists_to_told_bracket(&self) -> bool {
        let line = (self.at..self.tokens.len()).take_while(|at| !self.line_begins_at(*at));
        let mut closing = line.filter_map(|at| self.tokens.get(at)).filter(|token| token.kind() == TokenKind::RParen);
        closing.next().is_some_and(|token| self.checked.has_syntax_error_in(token.span()))
    }

    /// `-> T` or nothing.
    ///
    /// # Errors
    /// As [`Reader::ty`].
    pub(crate) fn optional_results(&mut self) -> Read<Vec<Type>> {
        if self.eat(TokenKind::Arrow) { self.result_types() } else { Ok(Vec::new()) }
    }

    /// `f64`, `complex<f32>`
    ///
    /// # Errors
    /// Anything else.
    pub(crate) fn element_type(&mut self) -> Read<Element> {
        let start = self.span();
        if !self.at(TokenKind::Ident) {
            return Err(self.expected("a type"));
        }
        let mut name = self.text().to_string();
        if self.begins_line() && !is_mlir_type(&name) && !MLIR_FAMILIES.contains(&name.as_str()) {
            return Err(self.expected("a type"));
        }
        self.bump();
        if MLIR_FAMILIES.contains(&name.as_str()) {
            name = format!("{name}<{}>", self.angles()?.trim());
        } else if self.at(TokenKind::Lt) && self.joined() && Element::parse(&name).is_none() {
            // `tensr<4xf64>`
            let word = start.cover(self.last_span());
            self.angles()?;
            return Err(no_element(&name, word, word));
        }
        let whole = start.cover(self.last_span());
        Element::parse(&name).ok_or_else(|| no_element(&name, whole, whole))
    }

    /// The element type that `name` is, a part of the type at `whole`.
    fn element(&self, name: &str, whole: Span) -> Read<Element> {
        let text = self.checked.source.slice(whole);
        let place = text.rfind(name).map_or(whole, |at| {
            let start = whole.start as usize + at;
            Span::new(start, start + name.len())
        });
        Element::parse(name).ok_or_else(|| no_element(name, whole, place))
    }

    fn dialect_type(&mut self) -> Read<Type> {
        let (name, span) = (self.text(), self.span());
        self.bump();
        if let Some(ty) = self.type_aliases.get(name) {
            return Ok(ty.clone());
        }
        if self.broken.contains(name) {
            return Ok(Type::Broken);
        }
        if matches!(name, "!sparse_tensor.storage_specifier" | "!sparse_tensor.iter_space" | "!sparse_tensor.iterator")
        {
            return self.type_of_levels(name);
        }
        if self.at(TokenKind::Lt) && self.joined() {
            self.angles()?;
        }
        match name {
            "!llvm.ptr" => Ok(Type::Pointer),
            _ if !name.contains('.') => Err(self.no_alias(name, span)),
            _ if !is_registered(name) => Err(unregistered("type", span, self.checked.source.slice(span))),
            _ => Err(unknown_of_dialect("type", name, span)
                .unwrap_or_else(|| Mistake::unsupported(span, format!("nnz has no values of type `{name}`")))),
        }
    }

    fn no_alias(&self, name: &str, span: Span) -> Mistake {
        let mistake = Mistake::new(Code::UnknownAlias, span, format!("`{name}` is not defined")).label("no such type");
        match did_you_mean(name, self.type_aliases.keys().copied()) {
            Some(nearest) => mistake.guess(span, nearest),
            None => mistake
                .help(format!("define it above: `{name} = tensor<4xf64>`; a type of a dialect is `!dialect.type`")),
        }
    }

    /// `<#CSR>` or `<#CSR, lvls = 0 to 2>`
    fn type_of_levels(&mut self, name: &str) -> Read<Type> {
        self.expect(TokenKind::Lt)?;
        let encoding = self.encoding()?;
        if name == "!sparse_tensor.storage_specifier" {
            self.expect(TokenKind::Gt)?;
            return Ok(Type::Specifier(encoding));
        }
        self.expect(TokenKind::Comma)?;
        let (from, to) = self.level_range(&encoding)?;
        self.expect(TokenKind::Gt)?;
        let levels = Levels { encoding, from, to };
        Ok(if name == "!sparse_tensor.iterator" { Type::Iterator(levels) } else { Type::Space(levels) })
    }

    /// `lvls = 0 to 2`, the last one excluded; `lvls = 0` is one level.
    ///
    /// # Errors
    /// Anything else; levels that the encoding lacks; no level.
    pub(crate) fn level_range(&mut self, encoding: &Encoding) -> Read<(usize, usize)> {
        self.expect_word("lvls")?;
        self.expect(TokenKind::Eq)?;
        let span = self.span();
        let from = self.integer()?;
        let to = if self.eat_word("to") { self.integer()? } else { from.saturating_add(1) };
        let (span, rank) = (span.cover(self.last_span()), encoding.lvl_rank());
        if to <= from {
            let message =
                format!("no level stands between {from} and {to}: the second is the end, behind the last level");
            return Err(Mistake::syntax(span, message).label("no levels"));
        }
        match (usize::try_from(from), usize::try_from(to)) {
            (Ok(from), Ok(to)) if to <= rank => Ok((from, to)),
            _ => {
                let levels = nnz_base::diagnostic::counted(rank, "level");
                let message = format!("the encoding has {levels}, and these end behind level {}", to.saturating_sub(1));
                Err(Mistake::types(span, message).label("no such level").help(format!("all of them are `0 to {rank}`")))
            }
        }
    }

    fn tensor_type(&mut self, start: Span) -> Read<Type> {
        if self.passes_open_type(start) {
            return Ok(Type::Broken);
        }
        let from = self.at;
        self.bump();
        let body = self.angles()?;
        let span = start.cover(self.last_span());
        if let Some(element_name) = body.trim().strip_prefix('*') {
            if self.is_reported(span) {
                return Ok(Type::Broken);
            }
            let name = element_name.trim().strip_prefix('x').unwrap_or_default();
            return self.element(name.trim(), span).map(Type::UnrankedTensor);
        }
        match self.checked.type_starting_at(start.start) {
            Some(site) => match &site.tensor {
                Some(tensor) => Ok(Type::Tensor((**tensor).clone())),
                None if self.is_reported(span) || self.names_broken_alias(body) => Ok(Type::Broken),
                // A bracket behind it is wrong, of which the check has told.
                None if self.has_told_bracket() => Ok(Type::Broken),
                None => {
                    self.foreign_encoding(from)?;
                    let message = format!("nnz does not compute with `tensor<{body}>`");
                    Err(Mistake::unsupported(span, message).label("of a type that nnz lacks"))
                }
            },
            None => Err(Mistake::syntax(span, format!("`tensor<{body}>` is not a type"))),
        }
    }

    /// The attribute that is the encoding of the type since token `from`, and none of `sparse_tensor`.
    ///
    /// # Errors
    /// One that there is not; text behind it.
    fn foreign_encoding(&mut self, from: usize) -> Read<()> {
        let end = self.at;
        let within = self.tokens.get(from..self.at).unwrap_or_default();
        let named = |pair: &&[TokenRef<'_>]| {
            let joined = pair[1].kind() == TokenKind::Lt && pair[0].span().end == pair[1].span().start;
            pair[0].kind() == TokenKind::HashId && (pair[0].text().contains('.') || joined)
        };
        let attribute = within.windows(2).find(named).and_then(|pair| pair.first());
        attribute.map_or(Ok(()), |name| self.of_dialect(name.text(), name.span(), name.span()))?;
        let comma = within.iter().position(|token| token.kind() == TokenKind::Comma);
        let Some(encoding) = comma.map(|comma| from + comma + 1) else { return Ok(()) };
        self.at = encoding;
        let read = match self.text() {
            // No attribute, where one may be left out.
            "strided" => Ok(()),
            // The check does not look into a map here.
            "affine_map" | "affine_set" => {
                self.bump();
                self.angles().map(|_| ())
            }
            _ => self.attribute().map(|_| ()),
        };
        let behind = read.and_then(|()| if self.at + 1 == end { Ok(()) } else { Err(self.expected("`>`")) });
        self.at = end;
        behind
    }

    /// Passes over a type without its `>`, of which the check has told.
    fn passes_open_type(&mut self, start: Span) -> bool {
        let Some(site) = self.checked.type_starting_at(start.start).map(|site| site.span) else { return false };
        let open = !self.checked.source.slice(site).ends_with('>');
        while open && !self.at_end() && self.span().start < site.end {
            self.bump();
        }
        open
    }

    /// Whether the check has reported a mistake in a tensor type, or in the definition of the encoding that it names.
    fn is_reported(&self, span: Span) -> bool {
        self.checked.names_broken_encoding(span) || self.checked.errors_in(span) > 0
    }

    /// Whether the encoding of `4x4xf64, #CSR` is an alias whose definition is broken.
    fn names_broken_alias(&self, body: &str) -> bool {
        body.rsplit_once(',').is_some_and(|(_, alias)| self.broken.contains(alias.trim()))
    }

    fn memory_type(&mut self, start: Span) -> Read<Type> {
        self.bump();
        let body = self.angles()?;
        let span = start.cover(self.last_span());
        let shaped = body.split_once(',').map_or(body, |(shaped, _)| shaped).trim();
        if let Some(name) = shaped.strip_prefix('*') {
            let element = self.element(name.trim_start_matches('x').trim(), span)?;
            return self
                .layout(start, None)
                .map(|(_, space)| UnrankedMemoryType { element, space })
                .map(Type::UnrankedMemory);
        }
        let (shape, name) = sizes(shaped);
        let shape = shape.ok_or_else(|| Mistake::syntax(span, "a dimension is a number below 2^63, or `?`"))?;
        let (layout, space) = self.layout(start, Some(shape.len()))?;
        check_rank("memref", shape.len(), span)?;
        Ok(Type::Memory(MemoryType { shape, element: self.element(name, span)?, layout, space }))
    }

    fn vector_type(&mut self, start: Span) -> Read<Type> {
        self.bump();
        let body = self.angles()?;
        let span = start.cover(self.last_span());
        let (shape, name) = sizes(body.trim());
        if let Some((_, behind)) = name.split_once(',').filter(|_| !name.contains('<')) {
            let at = span.end as usize - 1 - behind.len() - 1;
            return Err(Mistake::syntax(
                Span::new(at, at + 1),
                "expected `>`, found `,`: a vector has sizes and elements only",
            ));
        }
        if name.starts_with('[') {
            return Err(Mistake::unsupported(span, "nnz has no scalable vectors").label("a size in brackets"));
        }
        let shape: Option<Vec<u64>> = shape.and_then(|shape| shape.into_iter().collect());
        let shape = shape.ok_or_else(|| {
            Mistake::syntax(span, "a vector's sizes are numbers").label("an open size is of a tensor or a buffer")
        })?;
        if shape.contains(&0) {
            return Err(Mistake::syntax(span, "a vector's sizes are not 0").label("without entries"));
        }
        check_rank("vector", shape.len(), span)?;
        Ok(Type::Vector(VectorType { shape, element: self.element(name, span)? }))
    }

    /// `!name = T`
    pub(super) fn type_alias(&mut self) -> Read<()> {
        let name = self.text();
        self.bump();
        self.broken.insert(name);
        self.expect(TokenKind::Eq)?;
        let ty = self.ty()?;
        self.broken.remove(name);
        self.type_aliases.insert(name, ty);
        Ok(())
    }
}

/// `ty` is a type of MLIR that nnz lacks, or not a type at all: then `name` is its place, if it is alone.
fn no_element(ty: &str, whole: Span, name: Span) -> Mistake {
    if is_mlir_type(ty) {
        let mistake = Mistake::unsupported(whole, format!("nnz does not compute with `{ty}`"));
        return mistake.label("a type that nnz lacks");
    }
    let mistake = Mistake::new(Code::ElementType, name, format!("there is no type `{ty}`")).label("not a type");
    // `vector10xindex>`
    let bare = MLIR_FAMILIES.iter().find_map(|family| Some((family, ty.strip_prefix(family)?)));
    if let Some((family, sizes)) = bare.filter(|(_, sizes)| sizes.starts_with(|c: char| c.is_ascii_digit())) {
        return mistake.guess(name, format!("{family}<{sizes}"));
    }
    let known = Element::ALL.iter().map(|element| element.name()).chain(MLIR_FAMILIES.iter().copied());
    match did_you_mean(ty, known).or_else(|| type_name(ty)) {
        Some(nearest) => mistake.guess(name, nearest),
        None => mistake.help("a type is `f64`, `i32`, `tensor<4xf64>`, or begins with `!` and its dialect"),
    }
}

fn check_rank(what: &str, rank: usize, span: Span) -> Read<()> {
    match rank {
        0..=MAX_RANK => Ok(()),
        _ => {
            let mistake = Mistake::unsupported(span, format!("{rank} dimensions: a {what} has at most {MAX_RANK}"));
            Err(mistake.label(format!("more than {MAX_RANK} sizes")))
        }
    }
}

/// `4x?xf64` as sizes and an element type; `None` for a size that is no number.
fn sizes(text: &str) -> (Option<Vec<Option<u64>>>, &str) {
    let mut sizes = Some(Vec::new());
    let mut rest = text;
    loop {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let len = if rest.starts_with('?') { 1 } else { digits };
        let behind = rest.get(len..).and_then(|rest| rest.trim_start().strip_prefix('x'));
        let (Some(behind), true) = (behind, len > 0) else { return (sizes, rest.trim()) };
        let size = if digits == 0 {
            Some(None)
        } else {
            rest[..digits].parse::<i64>().ok().map(|size| Some(size.unsigned_abs()))
        };
        sizes = sizes.zip(size).map(|(mut sizes, size): (Vec<Option<u64>>, _)| {
            sizes.push(size);
            sizes
        });
        rest = behind.trim_start();
    }
}
