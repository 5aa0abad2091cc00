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
    MinusEq "`-=`"
    StarEq "`*=`"
    SlashEq "`/=`"
    Plus "`+`"
    Minus "`-`"
    Star "`*`"
    Slash "`/`"
    /// Only if a grammar asks for it (`Parser::split_comment`); elsewhere it starts a comment.
    SlashSlash "`//`"
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
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
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
    /// Text in place of a statement that is not one.
    Stray,

    // The nnz notation (`session.rs`).
    Definition,
    Assignment,
    /// `schedule split(i, i0, i1, 16), unroll(i1, 4)`
    Schedule,
    /// `unroll(i1, 4)`
    Step,
    Show,
    Use,
    ProgramCall,
    Command,
    StringArg,
    FormatSet,
    /// `decompose(A, [BSR(32, 32), CSR])`
    Decomposition,
    /// `[BSR(32, 32), CSR]`
    FormatList,
    TypeSpec,
    Read,
    ListLiteral,
    DenseLiteral,
    SparseLiteral,

    // Expressions (`expr.rs`).
    Binary,
    /// `a << b`, `a >> b`.
    Shift,
    Unary,
    Paren,
    ComplexNumber,
    Number,
    Name,
    Call,
    NamedArg,
    Range,

    // Encodings (`encoding.rs`).
    /// `#sparse_tensor.encoding<{ ... }>`
    Encoding,
    /// `key = value`
    Entry,
    /// `[c]{l0}(i, j) -> (i : dense, j : compressed)`, or the same in the notation of UST
    Map,
    /// `[c]`
    MapSymbols,
    /// `{l0, l1}`
    MapLvlDecls,
    /// `(i, j)`
    MapDims,
    /// `(i : dense, j : compressed)`
    MapLvls,
    /// A symbol or level variable where it is declared.
    VarDef,
    /// `i = l0 * 2 + l1 : #sparse_tensor<slice(0, 4, 1)>`
    DimSpec,
    /// `l0 = i floordiv 2 : dense`
    LvlSpec,
    /// The `l0` of `l0 = i`
    LvlBinding,
    /// `compressed(nonunique)`
    LvlType,
    /// `compressed`
    LvlFormat,
    /// `[2, 4]`
    LvlSizes,
    /// `(nonunique, soa)`
    LvlProps,
    /// `nonunique`
    LvlProp,
    /// `#sparse_tensor<slice(0, 4, 1)>`
    Slice,
    /// `?` or an integer
    SliceArg,
    /// A use of a map's variable.
    ExprVar,
    /// `#i`
    ExprCount,
    ExprInt,
    /// `-e`
    ExprNeg,
    /// `(e)`
    ExprParen,
    /// `e + e`, `e floordiv 2`
    ExprBinary,

    // Values of attributes (`attribute.rs`).
    /// `[a, b]`
    Array,
    /// `(a, b)`
    Tuple,
    /// `affine_map<(i, j) -> (j, i)>`
    AffineMap,
    /// `(j, i)` of an affine map
    MapResults,
    /// `32`, `"dense"`, `1.0 : f32`, or anything else that no rule here looks into
    Value,
    /// A use of `#name`
    AliasRef,
    /// `loc("file.mlir":2:5)` (`location.rs`)
    Location,

    // Types (`types.rs`).
    /// `tensor<4x?xf64, #CSR>`
    TensorType,
    /// `4x?xf64`
    Shape,
    /// `<f32>` of `complex<f32>`
    TypeArgs,
    /// `sparse_tensor<32x16xf32, DxS>`, the form of 2020
    RfcType,
    /// `CSR`, `BSR(2, 2)`
    FormatName,
    /// `(2, 2)`
    FormatArgs,

    // MLIR files (`mlir.rs`).
    /// `#name = value`
    AttrAlias,
    /// `!name = type`
    TypeAlias,
    /// `func.func @name(...) { ... }`
    Function,
}
