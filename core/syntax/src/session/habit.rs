//! Statements as other languages write them, and slips at the start of a statement: reported with what was probably meant.

use super::{
    bump_string,
    foreign_type::declaration,
    stray::{skip_line, skip_whole_line},
};
use crate::{
    NodeKind, Parser, SyntaxError, TokenKind,
    habits::{self, Leading},
    parser::line_start,
    words::{is_bare, is_operator},
};
use nnz_base::{element::Element, source::Span};

/// A statement of another language, by its first word: `print A`, `let x = 3`, `for i in 0:4`. Reported, and passed over.
pub(super) fn parse_habit(p: &mut Parser) -> bool {
    if report_semicolon(p) || parse_counted(p) || parse_hyphenated(p) || parse_write(p) {
        return true;
    }
    let taco = p.peek_text() == "Tensor" && p.next_is_joined(TokenKind::Lt);
    // `forall(i, ...)`, `for (i = 0; i < 4; i++)`
    let head = p.next_on_line() == TokenKind::LParen && habits::heads_loop(p.peek_text());
    if !p.at(TokenKind::Ident) || !matches!(p.next_on_line(), TokenKind::Ident | TokenKind::String) && !taco && !head {
        return false;
    }
    let Some(leading) = habits::leading(p.peek_text()) else { return false };
    let (place, word) = (p.span(), p.peek_text().to_string());
    let error = match leading {
        Leading::Command(name) => SyntaxError::new(place, format!("a command begins with `:`: `:{name}`"))
            .label(format!("write `:{name}`"))
            .guess(format!("write `:{name}`"), vec![(place, format!(":{name}"))]),
        Leading::Print => SyntaxError::new(place, format!("there is no `{word}`: a name alone shows its value"))
            .label("not needed")
            .guess(format!("remove `{word}`"), vec![(up_to_next(p), String::new())]),
        Leading::Declare => {
            let error = SyntaxError::new(place, format!("there is no `{word}`: a definition begins with its name"));
            let (title, edits) = without_word(p, &word);
            error.label("not needed").guess(title, edits)
        }
        Leading::Type(ty) => declared(p, &word, ty),
        Leading::Otherwise(_) if taco => of_taco(p, place),
        Leading::Otherwise(_) if word == "read" && p.next_on_line() == TokenKind::String => {
            SyntaxError::new(place, "what is read needs a name and a format")
                .label("no name")
                .help(format!("as in `A : CSR = read {}`", p.nth_text(1)))
        }
        Leading::Otherwise(how) => {
            SyntaxError::new(place, format!("there is no `{word}` in this notation")).label("not a statement").help(how)
        }
    };
    p.report(error);
    match head {
        true => skip_whole_line(p),
        false => skip_line(p),
    }
    true
}

/// The statement's line without a comment.
fn written(p: &Parser) -> &str {
    let line = short_line(p.rest());
    line.split("//").next().unwrap_or_default().trim_end()
}

/// The line that `text` begins with; nothing where it is longer than a habit: each part of a long line that stands alone
/// would look through all the rest.
fn short_line(text: &str) -> &str {
    const LONGEST: usize = 1 << 12;
    let near = &text[..text.floor_char_boundary(LONGEST)];
    match near.find(['\n', '\r', ';']) {
        Some(end) => &near[..end],
        None if near.len() < text.len() => "",
        None => near,
    }
}

/// `x(i)++`, `n--`
fn parse_counted(p: &mut Parser) -> bool {
    let line = written(p);
    let Some(counted) = line.strip_suffix("++").or_else(|| line.strip_suffix("--")) else { return false };
    let one = counted.split('(').next().unwrap_or_default().split('[').next().unwrap_or_default();
    if !p.at(TokenKind::Ident) || !is_bare(one) || counted.contains('=') || counted.ends_with(['+', '-']) {
        return false;
    }
    let sign = if line.ends_with('+') { '+' } else { '-' };
    let start = p.span().start as usize;
    let place = Span::new(start + counted.len(), start + line.len());
    let whole = Span::new(start, start + line.len());
    let meant = format!("{} {sign}= 1", counted.trim_end().replace('[', "(").replace(']', ")"));
    let error = SyntaxError::new(place, format!("there is no `{sign}{sign}` in this notation")).label("no update");
    p.report(error.guess(format!("write `{meant}`"), vec![(whole, meant)]));
    skip_whole_line(p);
    true
}

/// `my-vec = [1]`
fn parse_hyphenated(p: &mut Parser) -> bool {
    let line = written(p);
    let name = line.split([' ', '=', ':', '(']).next().unwrap_or_default();
    let behind = line[name.len()..].trim_start();
    let is_name = name.contains('-') && name.split('-').all(is_bare);
    if !is_name || !behind.starts_with(['=', ':']) || behind.starts_with("==") {
        return false;
    }
    let place = Span::new(p.span().start as usize, p.span().start as usize + name.len());
    let meant = name.replace('-', "_");
    let error = SyntaxError::new(place, "a name is of letters, digits and `_`").label("no `-` within names");
    p.report(error.guess(format!("write `{meant}`"), vec![(place, meant)]));
    skip_whole_line(p);
    true
}

/// `mmwrite("a.mtx", A)`, `A.save("a.mtx")`
fn parse_write(p: &mut Parser) -> bool {
    if !p.at(TokenKind::Ident) || p.next_on_line() != TokenKind::LParen || !habits::writes(p.peek_text()) {
        return false;
    }
    let line = written(p);
    let Some(meant) = write_command(line) else { return false };
    let (place, len) = (p.span(), line.len());
    let whole = Span::new(place.start as usize, place.start as usize + len);
    let error = SyntaxError::new(place, "a tensor is written to a file by the command `:write`").label("no function");
    p.report(error.guess(format!("write `{meant}`"), vec![(whole, meant)]));
    skip_line(p);
    true
}

/// `:write A "a.mtx"` for a call that writes; other kinds of files are read alone.
fn write_command(line: &str) -> Option<String> {
    let (callee, arguments) = line.strip_suffix(')')?.split_once('(')?;
    let quote = |part: &&str| part.starts_with(['"', '\'']);
    let mut parts = arguments.split(',').map(str::trim);
    let file = parts.clone().find(quote)?.trim_matches(['"', '\'']);
    let name = parts.find(|part| is_bare(part)).or_else(|| callee.rsplit_once('.').map(|(object, _)| object))?;
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let known = file.ends_with(".mtx") || file.ends_with(".tns");
    let file = if known { file.to_string() } else { format!("{stem}.mtx") };
    is_bare(name).then(|| format!(":write {name} \"{file}\""))
}

/// `u ; tensor<2xf64> = [1, 2]`
fn report_semicolon(p: &mut Parser) -> bool {
    if !p.at(TokenKind::Ident) || p.next_on_line() != TokenKind::Semicolon {
        return false;
    }
    let typed = p.nth(3) == TokenKind::Lt && p.nth_text(2) == "tensor"
        || p.nth(3) == TokenKind::Eq && Element::parse(p.nth_text(2)).is_some();
    if !typed {
        return false;
    }
    let line = p.rest().split(['\n', '\r']).next().unwrap_or_default();
    let Some(at) = line.find(';').filter(|_| line.contains('=')) else { return false };
    let place = Span::new(p.span().start as usize + at, p.span().start as usize + at + 1);
    let error = SyntaxError::new(place, "a type stands behind `:`, not behind `;`").label("write `:`");
    p.report(error.guess("write `:`", vec![(place, ":".to_string())]));
    skip_whole_line(p);
    true
}

/// `for i in 0:4 ... end`, `if (x) { ... }`: a statement of another language over several lines, passed over as a whole.
pub(super) fn parse_block(p: &mut Parser) -> bool {
    let word = p.peek_text().to_string();
    let Some(Leading::Otherwise(how)) = habits::leading(&word).filter(|_| habits::opens_block(&word)) else {
        return false;
    };
    let opens = matches!(p.next_on_line(), TokenKind::Ident | TokenKind::String | TokenKind::LParen);
    let column = p.line_start().column();
    let Some(len) =
        block_len(p.rest()).or_else(|| indented_len(p.rest(), column)).filter(|_| p.at(TokenKind::Ident) && opens)
    else {
        return false;
    };
    p.begin_statement();
    let error = SyntaxError::new(p.span(), format!("there is no `{word}` in this notation"));
    p.report(error.label("not a statement").help(how));
    let end = p.span().start as usize + len;
    let node = p.open(NodeKind::Stray);
    p.bump_until(end);
    p.close(node);
    true
}

/// How long the block is that `text` begins with: up to the line of its own that closes it.
fn block_len(text: &str) -> Option<usize> {
    let braces = text.lines().next()?.trim_end().ends_with('{');
    let mut depth = 0_i32;
    let mut len = 0;
    for line in text.split_inclusive(['\n', '\r']) {
        let whole = line.trim();
        let first = whole.split([' ', '(']).next().unwrap_or_default();
        depth += match braces {
            true => whole.matches('{').count() as i32 - whole.matches('}').count() as i32,
            false if habits::closes_block(whole) => -1,
            false => i32::from(habits::opens_block(first)),
        };
        if depth <= 0 {
            return Some(len + line.trim_end().len()).filter(|_| len > 0);
        }
        len += line.len();
    }
    None
}

/// How long the block is that `text` begins with at this column, as Python writes one: its line and those below that are
/// indented deeper.
fn indented_len(text: &str, column: usize) -> Option<usize> {
    let mut lines = text.split_inclusive(['\n', '\r']);
    let first = lines.next()?;
    let deeper = |line: &&str| line.trim().is_empty() || line.len() - line.trim_start().len() > column;
    let (mut len, mut end) = (first.len(), first.trim_end().len());
    for line in lines.take_while(deeper) {
        if !line.trim().is_empty() {
            end = len + line.trim_end().len();
        }
        len += line.len();
    }
    (end > first.len()).then_some(end)
}

/// `Tensor<double> A({3, 3}, CSR);`
fn of_taco(p: &Parser, place: Span) -> SyntaxError {
    let line = p.rest().lines().next().unwrap_or_default();
    let (element, behind) = line.trim_start_matches("Tensor<").split_once('>').unwrap_or_default();
    let (name, arguments) = behind.split_once('(').unwrap_or((behind, ""));
    let sizes = arguments.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
    let (sizes, rest) = sizes.unwrap_or(("4, 4", ""));
    let sizes: String = sizes.split(',').map(|size| format!("{}x", size.trim())).collect();
    let format = taco_format(rest.replace("Format(", "").trim_matches(|c: char| !c.is_ascii_alphanumeric()));
    let element = habits::type_name(element).unwrap_or("f64");
    let name = name.trim().trim_end_matches(';');
    let form = format!("{name} : tensor<{sizes}{element}{format}> = ...");
    let error = SyntaxError::new(place, format!("a definition begins with its name: `{form}`"));
    error.label("the type stands behind the name")
}

/// `m : f64 = 3` of `let m = 3`, which needs a type; else all but the word.
fn without_word(p: &Parser, word: &str) -> (String, Vec<(Span, String)>) {
    let gap = up_to_next(p);
    let name = p.nth_text(1);
    let line = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    let value = line.split_once('=').map_or("", |(_, value)| value).split("//").next().unwrap_or_default().trim();
    if p.nth(2) != TokenKind::Eq || value.parse::<f64>().is_err() {
        return (format!("remove `{word}`"), vec![(gap, String::new())]);
    }
    let behind = Span::at(gap.end as usize + name.len());
    (format!("write `{name} : f64 = {value}`"), vec![(gap, String::new()), (behind, " : f64".to_string())])
}

/// `, CSR` for TACO's `Dense, Sparse`: nothing where all levels are dense.
pub(super) fn taco_format(written: &str) -> String {
    let levels: Vec<String> = written.split(',').map(|level| level.trim().to_ascii_lowercase()).collect();
    let levels: Vec<&str> = levels.iter().map(String::as_str).collect();
    match levels.as_slice() {
        ["dense", rest @ ..] if rest.iter().all(|level| *level == "dense") => String::new(),
        ["sparse" | "compressed"] => ", SparseVector".to_string(),
        ["sparse" | "compressed", "sparse" | "compressed"] => ", DCSR".to_string(),
        ["sparse" | "compressed", "dense"] => ", (i, j) -> (i : compressed, j : dense)".to_string(),
        [""] | ["dense", "sparse" | "compressed"] => ", CSR".to_string(),
        [_] => format!(", {written}"),
        _ => ", CSF".to_string(),
    }
}

/// From the current token to the next one.
fn up_to_next(p: &Parser) -> Span {
    let start = p.span().start as usize;
    let rest = p.rest();
    let word = p.peek_text().len();
    let gap = rest[word..].len() - rest[word..].trim_start_matches([' ', '\t']).len();
    Span::new(start, start + word + gap)
}

/// `double s = ...`
fn declared(p: &Parser, word: &str, ty: &str) -> SyntaxError {
    let name = p.nth_text(1).to_string();
    let gap = up_to_next(p);
    let whole = Span::new(gap.start as usize, gap.end as usize + name.len());
    if p.nth(2) == TokenKind::LParen {
        let message = format!("a kernel begins with its result: `{name}(...) = ...`");
        let error = SyntaxError::new(p.span(), message).label("not needed");
        let error = error.help(format!("what is on the right tells the element type; `{ty}(...)` converts"));
        return error.guess(format!("remove `{word}`"), vec![(gap, String::new())]);
    }
    let line = p.rest().split('\n').next().unwrap_or_default();
    let line = line.split_inclusive(';').next().unwrap_or_default().trim_end();
    let behind = &line[(whole.end - whole.start) as usize..];
    let whole = Span::new(gap.start as usize, gap.start as usize + line.len());
    let meant = declaration(&name, ty, behind);
    let form = meant.clone().unwrap_or(format!("{name} : {ty} = ..."));
    let error = SyntaxError::new(p.span(), format!("a type stands behind the name: `{form}`"));
    let error = error.label(format!("`{word}` is written `{ty}`, behind `{name}`"));
    match meant {
        Some(meant) => error.guess(format!("write `{meant}`"), vec![(whole, meant)]),
        None => error,
    }
}

/// `read("f.mtx")`, `"f.mtx"`, `read 'f.mtx'`, `load "f.mtx"`: a file, read in another way than `read "f.mtx"`.
pub(super) fn parse_misread(p: &mut Parser) -> bool {
    let own = p.peek_text().rsplit('.').next().unwrap_or_default();
    let word = p.at(TokenKind::Ident) && matches!(own, "read" | "load" | "open" | "mmread" | "load_npz");
    let number = |text: &str| text.trim().trim_matches('"').parse::<f64>().is_ok();
    if !word && (!p.at(TokenKind::String) || number(p.peek_text())) {
        return false;
    }
    let (next, line) = (p.next_on_line(), p.rest().lines().next().unwrap_or_default());
    let name = match (p.peek(), next) {
        (TokenKind::String, _) => unquoted(line),
        (TokenKind::Ident, TokenKind::LParen)
            if word && (p.nth(2) == TokenKind::String || after(line, '(').trim_start().starts_with('\'')) =>
        {
            unquoted(after(line, '('))
        }
        (
            TokenKind::Ident,
            TokenKind::String | TokenKind::Ident | TokenKind::Error | TokenKind::Slash | TokenKind::Dot,
        ) if word && !is_operator(p.nth_text(1)) => unquoted(after(line, ' ')),
        _ => return false,
    };
    let name = name.to_string();
    let whole = Span::new(p.span().start as usize, p.span().start as usize + line.trim_end().len());
    let error = SyntaxError::new(whole, format!("a file is read by `read \"{name}\"`"));
    let (end, format) = (p.consumed_end(), if name.ends_with(".tns") { "COO" } else { "CSR" });
    let before = p.text_at(Span::new(line_start(p, end), end));
    // `A = mmread("a.mtx")`, where the format of `A` is missing as well.
    let nameless = before.strip_suffix('=').map(str::trim_end).filter(|own| is_bare(own));
    let at = nameless.map(|own| Span::at(end - before.len() + own.len()));
    let mut edits = vec![(whole, format!("read \"{name}\""))];
    edits.extend(at.map(|at| (at, format!(" : {format}"))));
    let title = match nameless {
        Some(own) => format!("write `{own} : {format} = read \"{name}\"`"),
        None => format!("write `read \"{name}\"`"),
    };
    p.report(error.label("write `read` and the name in quotes").guess(title, edits));
    let node = p.open(NodeKind::Read);
    while !p.at_end() && (p.span().start < whole.end) {
        match p.at(TokenKind::String) {
            true => bump_string(p),
            false => p.bump(),
        }
    }
    p.close(node);
    true
}

fn after(line: &str, mark: char) -> &str {
    line.split_once(mark).map_or("", |(_, rest)| rest)
}

/// The name of a file without quotes, spaces and brackets around it.
fn unquoted(text: &str) -> &str {
    let text = text.split("//").next().unwrap_or_default();
    // `"g.mtx", header = false)`: the name alone.
    if let Some((name, _)) = text.trim_start().strip_prefix('"').and_then(|rest| rest.split_once('"')) {
        return name;
    }
    text.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | '(' | ')' | ';' | '“' | '”' | '‘' | '’' | '«' | '»')
    })
}

/// Parses the type on the wrong side of `y(i) = x(i) : CSR`, whose left side ends at `head`, if it is here.
pub(super) fn parse_type_behind(p: &mut Parser, head: usize) -> bool {
    let word = p.nth_text(1);
    let types = ["tensor", "dense", "f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "i1"];
    let named = word.starts_with(|c: char| c.is_ascii_uppercase()) || types.contains(&word);
    if !p.at(TokenKind::Colon) || p.newline_before() || p.next_on_line() != TokenKind::Ident || !named {
        return false;
    }
    let (colon, end, errors) = (p.span(), p.consumed_end(), p.error_count());
    let node = p.open(NodeKind::Error);
    p.bump();
    let from = p.checkpoint();
    super::definition::parse_type_spec(p);
    let ty = p.text_since(from).to_string();
    p.close(node);
    if p.error_count() == errors {
        let behind = Span::new(end, p.consumed_end());
        let error = SyntaxError::new(colon, "the type of a result stands in front of the `=`").label("behind the `=`");
        let edits = vec![(Span::at(head), format!(" : {ty}")), (behind, String::new())];
        p.insert_error(error.guess(format!("write ` : {ty}` in front of the `=`"), edits));
    }
    true
}

/// `CSR = #sparse_tensor.encoding<...>`
pub(super) fn parse_nameless_encoding(p: &mut Parser) {
    let (node, name) = (p.open(NodeKind::Stray), p.span());
    let error = SyntaxError::new(name, format!("the name of an encoding begins with `#`: `#{}`", p.peek_text()));
    p.report(error.label("write `#`").guess("insert `#`", vec![(Span::at(name.start as usize), "#".to_string())]));
    p.bump();
    p.bump();
    p.parse_encoding_slot();
    p.close(node);
}

/// At `#F #sparse_tensor.encoding<...>`, `#F : (i, j) -> (...)`.
pub(super) fn at_alias_without_sign(p: &Parser) -> bool {
    let value = 1 + usize::from(p.nth(1) == TokenKind::Colon);
    let encoding = p.nth(value) == TokenKind::HashId && p.nth_text(value).starts_with("#sparse_tensor");
    !p.peek_text().contains('.') && encoding
}

pub(super) fn parse_alias_without_sign(p: &mut Parser) {
    let node = p.open(NodeKind::Stray);
    p.bump();
    let end = Span::at(p.consumed_end());
    let error = match p.at(TokenKind::Colon) {
        true => SyntaxError::new(p.span(), "an encoding is named with `=`, not with `:`")
            .label("write `=`")
            .guess("write `=`", vec![(p.span(), "=".to_string())]),
        false => SyntaxError::new(p.span(), "`=` is missing between the name of an encoding and the encoding")
            .label("no `=` in front of this")
            .guess("insert `=`", vec![(end, " =".to_string())]),
    };
    p.report(error);
    p.eat(TokenKind::Colon);
    p.parse_encoding_slot();
    p.close(node);
}

/// At `y := ...`.
pub(super) fn at_misassigned_name(p: &Parser) -> bool {
    p.rest()[p.peek_text().len()..].trim_start_matches([' ', '\t']).starts_with(":=")
}

/// Consumes `=`, or a token that is meant as it.
pub(super) fn eat_sign(p: &mut Parser) -> bool {
    parse_misassigned(p) || p.eat(TokenKind::Eq)
}

/// At the sign of `m := 3`, which defines a number and so needs its type.
fn is_number_behind(p: &Parser) -> bool {
    let line = short_line(p.rest());
    let value = line.get(2..).and_then(|value| value.split("//").next()).unwrap_or_default();
    value.trim().parse::<f64>().is_ok()
}

/// Whether the statement so far is a name.
fn names_alone(p: &Parser) -> bool {
    let start = line_start(p, p.span().start as usize);
    let before = p.text_at(Span::new(start, p.consumed_end())).trim();
    !before.is_empty() && before.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// `y(i) := ...`, `y =: 3`: consumes the sign that was meant as `=`.
pub(super) fn parse_misassigned(p: &mut Parser) -> bool {
    let Some(written) = [":=", "=:", "=>"].into_iter().find(|sign| p.rest().starts_with(sign)) else { return false };
    let start = p.span().start as usize;
    let sign = Span::new(start, start + 2);
    let error =
        SyntaxError::new(sign, format!("a statement assigns with `=`, not with `{written}`")).label("write `=`");
    p.report(match is_number_behind(p) && names_alone(p) {
        true => error.guess("write `: f64 =`", vec![(sign, ": f64 =".to_string())]),
        false => error.fix("write `=`", vec![(sign, "=".to_string())]),
    });
    p.bump();
    p.bump();
    true
}
