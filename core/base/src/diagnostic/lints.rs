//! Which warnings and hints the user wants, and at which levels. Errors cannot be changed: a text with an error does
//! not run.

use std::{borrow::Cow, collections::BTreeMap};

use super::{Code, Diagnostic, Severity, did_you_mean};

/// Changed severities of some codes; `None` if they are not reported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lints(BTreeMap<Code, Option<Severity>>);

/// The words for severities, `off` first.
const LEVELS: [(&str, Option<Severity>); 5] = [
    ("off", None),
    ("hint", Some(Severity::Hint)),
    ("information", Some(Severity::Information)),
    ("warning", Some(Severity::Warning)),
    ("error", Some(Severity::Error)),
];

impl Lints {
    /// Sets the level of a code, which is named as in `H0101` or `unusedAlias`.
    ///
    /// # Errors
    /// The mistake in the words, in one line.
    pub fn set(&mut self, code: &str, level: &str) -> Result<(), String> {
        let code = parse_code(code)?;
        self.0.insert(code, parse_level(level)?);
        Ok(())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those of the findings that are reported, at their levels.
    pub fn applied<'f>(&self, found: &'f [Diagnostic]) -> Cow<'f, [Diagnostic]> {
        if found.iter().all(|one| !self.0.contains_key(&one.code)) {
            return Cow::Borrowed(found);
        }
        Cow::Owned(found.iter().filter_map(|one| self.of(one)).collect())
    }

    fn of(&self, found: &Diagnostic) -> Option<Diagnostic> {
        let severity = self.0.get(&found.code).copied().unwrap_or(Some(found.severity()))?;
        Some(found.clone().with_severity(severity))
    }
}

fn parse_code(text: &str) -> Result<Code, String> {
    let named = |code: &&Code| code.name().eq_ignore_ascii_case(text);
    let Some(code) = Code::parse(text).or_else(|| Code::ALL.iter().find(named).copied()) else {
        let names: Vec<String> = settable().flat_map(|code| [code.name(), code.text().to_string()]).collect();
        let meant = did_you_mean(text, names.iter().map(String::as_str))
            .map_or(String::new(), |near| format!(": did you mean `{near}`?"));
        return Err(format!("there is no warning or hint `{text}`{meant}"));
    };
    match code.severity() {
        Severity::Error => Err(format!("`{text}` is an error, and errors stay what they are")),
        Severity::Warning | Severity::Information | Severity::Hint => Ok(code),
    }
}

fn settable() -> impl Iterator<Item = Code> {
    Code::ALL.iter().copied().filter(|code| code.severity() != Severity::Error)
}

fn parse_level(text: &str) -> Result<Option<Severity>, String> {
    let found = LEVELS.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
    found.map(|(_, level)| *level).ok_or_else(|| {
        let names: Vec<String> = LEVELS.iter().map(|(name, _)| format!("`{name}`")).collect();
        format!("`{text}` is no level: there are {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::{Lints, parse_code};
    use crate::{
        diagnostic::{Code, Diagnostic, Severity},
        ids::FileId,
        source::Span,
    };

    fn found(code: Code) -> Diagnostic {
        Diagnostic::new(code, FileId(0), Span::at(0), "any")
    }

    #[test]
    fn levels_are_applied_by_either_name() {
        let mut lints = Lints::default();
        lints.set("unusedAlias", "error").expect("is a name");
        lints.set("h0330", "OFF").expect("is a code");
        let found = [found(Code::UnusedAlias), found(Code::HiddenCost), found(Code::UnknownName)];
        let told = lints.applied(&found);
        let told: Vec<(Code, Severity)> = told.iter().map(|one| (one.code, one.severity())).collect();
        assert_eq!(told, [(Code::UnusedAlias, Severity::Error), (Code::UnknownName, Severity::Error)]);
    }

    #[test]
    fn names_are_distinct_and_errors_stay() {
        for code in super::settable() {
            assert_eq!(parse_code(&code.name()), Ok(code));
        }
        let wrong = |code: &str, level: &str| Lints::default().set(code, level).expect_err("is wrong");
        assert_eq!(wrong("E0101", "off"), "`E0101` is an error, and errors stay what they are");
        assert_eq!(wrong("unusdAlias", "off"), "there is no warning or hint `unusdAlias`: did you mean `unusedAlias`?");
        let levels = "`off`, `hint`, `information`, `warning`, `error`";
        assert_eq!(wrong("H0101", "loud"), format!("`loud` is no level: there are {levels}"));
    }
}
