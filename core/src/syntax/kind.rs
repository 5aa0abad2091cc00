//! The kinds of tokens and nodes.

/// Declares `TokenKind` with the words that messages use for each kind.
macro_rules! token_kinds {
    ($($(#[$doc:meta])* $kind:ident $words:literal)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum TokenKind { $($(#[$doc])* $kind),* }

        impl TokenKind {
            /// How a message names the token.
            pub fn describe(self) -> &'static str {
                match self { $(TokenKind::$kind => $words),* }
            }
        }
    };
}

token_kinds! {
    Whitespace "a space"
    Newline "the end of the line"
    Comment "a comment"
    /// `[A-Za-z_][A-Za-z0-9_$.]*`
    Ident "a name"
    /// `123`, `0x1F`
    Int "an integer"
    /// `1.5`, `1e-3`
    Float "a number"
    /// With its quotes; an unclosed one ends with its line.
    String "a string"
    HashId "a `#name`"
    BangId "a `!name`"
    PercentId "a `%name`"
    AtId "an `@name`"
    CaretId "a `^name`"
    Arrow "`->`"
    Colon "`:`"
    ColonColon "`::`"
    Comma "`,`"
    Semicolon "`;`"
    Eq "`=`"
    EqEq "`==`"
    Ne "`!=`"
    Le "`<=`"
    Ge "`>=`"
    Lt "`<`"
    Gt "`>`"
    PlusEq "`+=`"
    Plus "`+`"
    Minus "`-`"
    Star "`*`"
    Slash "`/`"
    Percent "`%`"
    Question "`?`"
    Bar "`|`"
    Amp "`&`"
    Bang "`!`"
    Hash "`#`"
    At "`@`"
    Dot "`.`"
    LParen "`(`"
    RParen "`)`"
    LBrace "`{`"
    RBrace "`}`"
    LBracket "`[`"
    RBracket "`]`"
    /// A character that no token starts with.
    Error "a stray character"
    Eof "the end of the text"
}

impl TokenKind {
    pub fn is_trivia(self) -> bool {
        matches!(self, TokenKind::Whitespace | TokenKind::Newline | TokenKind::Comment)
    }
    /// The closing bracket of an opening one; `<` is left to the grammars, since it also compares.
    pub fn closing(self) -> Option<TokenKind> {
        match self {
            TokenKind::LParen => Some(TokenKind::RParen),
            TokenKind::LBrace => Some(TokenKind::RBrace),
            TokenKind::LBracket => Some(TokenKind::RBracket),
            _ => None,
        }
    }
}

/// Kinds of nodes; each is documented by its grammar where it is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// The whole text.
    Root,
    /// A part that could not be parsed.
    Error,

    // The nnz notation (`session.rs`).
    Definition,
    Assignment,
    Show,
    Use,
    ProgramCall,
    Command,
    StringArg,
    FormatSet,
    TypeSpec,
    Read,
    ListLiteral,
    DenseLiteral,
    SparseLiteral,

    // Expressions (`expr.rs`).
    Binary,
    Unary,
    Paren,
    ComplexNumber,
    Number,
    Name,
    Call,
    NamedArg,
}
