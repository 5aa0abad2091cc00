//! The register of codes. A code is stable once published: it never gets another meaning. E0001-E0099 syntax,
//! E0100-E0199 encodings, E0200-E0299 types and literals, E0300-E0399 kernels, E0400-E0499 storage and files,
//! E0500-E0599 sessions, E0600-E0699 programs, E0700-E0799 SparseTIR, E0900 compiler bugs; `W` warnings and `H` hints use the same hundreds.

use super::Severity;

/// One row per code: its variant, its text, what it means in a few words. The full explanation is in a file of its own,
/// `code/E0001.md`, with a wrong example in a fence opened by "```wrong", and a right one in "```right".
macro_rules! codes {
    ($($variant:ident $text:literal $title:literal)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($variant),* }

        impl Code {
            pub const ALL: &'static [Code] = &[$(Code::$variant),*];

            /// Its name in settings: `unusedAlias`.
            pub fn name(self) -> String {
                let name = match self { $(Code::$variant => stringify!($variant)),* };
                name[..1].to_ascii_lowercase() + &name[1..]
            }
            pub fn text(self) -> &'static str {
                match self { $(Code::$variant => $text),* }
            }
            /// In a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$variant => $title),* }
            }
            /// The full explanation, with a wrong and a right example.
            pub fn explanation(self) -> &'static str {
                let text = match self { $(Code::$variant => include_str!(concat!("code/", $text, ".md"))),* };
                text.trim_ascii_end()
            }
        }
    };
}

codes! {
    SyntaxError "E0001" "unexpected text"
    CommentOperand "H0001" "a comment that looks like an operand"
    TurnedUpdate "H0003" "an update whose signs are the other way round"
    HiddenFunction "H0004" "a name that hides a function"
    NoReduction "H0005" "a function of two values that looks like a reduction"
    SumOfFunction "H0006" "a sum of a function's values that looks like the function of a sum"
    IndexNamedAsTensor "H0002" "an index variable with the name of a tensor or a number"
    LiteralShape "E0220" "a literal of another shape"
    LiteralType "E0221" "a constant of another type"
    LiteralRange "E0222" "a constant that its type cannot hold"
    LiteralCoordinate "E0223" "a coordinate outside the tensor"
    RepeatedCoordinates "W0224" "coordinates that repeat"
    TensorInit "E0225" "nothing to make a tensor from"
    GeneratorArgument "E0226" "an argument that a generator does not take"
    IncompleteType "E0227" "a type that leaves too much open"
    ShapeMismatch "E0228" "data of another shape"
    Decomposition "E0229" "formats that a tensor cannot be decomposed into"
    UnknownName "E0320" "an unknown name"
    WrongArity "E0321" "the wrong number of indices or arguments"
    ExtentMismatch "E0322" "an index variable over two extents"
    UnboundIndex "E0323" "an index variable without an extent"
    ElementMismatch "E0324" "operands of different element types"
    AssignmentTarget "E0325" "nothing that can be assigned to"
    InvalidKernel "E0326" "an assignment without a clear meaning"
    IndexForm "E0328" "an index of another form"
    OutOfBounds "E0329" "an index that leaves its dimension"
    NothingToUpdate "E0331" "nothing to update"
    NoCondition "E0332" "a condition where a number is, or a number where a condition is"
    NoOperation "E0333" "an operation that a type does not have"
    ScheduleStep "E0340" "a step of a schedule that is not one"
    IllegalStep "E0341" "a step of a schedule that the loops do not allow"
    NotYet "E0327" "not carried out yet"
    HiddenCost "H0330" "a cost that the text does not show"
    HiddenConversion "H0334" "a conversion that the text does not show"
    DenseCopy "H0335" "a sparse operand that becomes dense"
    LostEncoding "H0337" "a sparse tensor that its new value makes dense"
    EveryCoordinate "H0336" "a kernel that visits what is not stored"
    AcrossRows "H0338" "a dense tensor that is read across its rows"
    BadFile "E0450" "a file that cannot be used"
    DoubtfulFile "W0452" "a file that may not be what it is read as"
    UnreadFile "H0453" "a file that was not read"
    BadData "E0451" "data that do not fit their encoding"
    RunFailed "E0510" "a kernel that could not be run"
    TooLarge "E0512" "more than can be carried out"
    Cancelled "E0511" "stopped"
    OldValue "H0513" "a value that a failed statement did not replace"
    UnknownKey "E0101" "unknown key of an encoding"
    NoMap "E0102" "an encoding without levels"
    RepeatedMap "E0103" "two maps"
    BadWidth "E0104" "an impossible width"
    BadConstant "E0105" "a promised value that is no number"
    UnknownLevelFormat "E0106" "unknown level format"
    UnknownLevelProperty "E0107" "unknown level property"
    PropertyNotApplicable "E0108" "a property that its level cannot have"
    BadSizes "E0109" "sizes that a structured level cannot have"
    RedefinedVariable "E0110" "a variable declared twice"
    UndeclaredVariable "E0111" "a variable that is not declared, or may not stand here"
    NotAffine "E0112" "an expression that is not affine"
    LevelVariables "E0113" "level variables that do not fit the levels"
    BadSlice "E0114" "a slice that is none"
    SingletonParent "E0115" "a singleton without entries above it"
    MixedLayouts "E0116" "singletons that disagree about soa"
    BatchNotLeading "E0117" "a batch level below another"
    StructuredPlace "E0118" "a structured level out of place"
    LostDimension "E0119" "a dimension that no level stores"
    RedundantLevel "E0120" "a level that stores nothing new"
    NoKnownInverse "E0121" "a map that cannot be inverted"
    WrongInverse "E0122" "an inverse that is wrong"
    ImplicitNonzero "E0123" "an implicit value that is not zero"
    UnknownAlias "E0124" "a name that is not defined"
    RedefinedAlias "E0125" "an alias defined twice, or with a reserved name"
    UnknownFormatName "E0126" "a format of no known name"
    FormatArguments "E0127" "numbers that a named format cannot take"
    UnsupportedLevelFormat "E0128" "a level format that MLIR lacks"
    OtherNotation "E0129" "a spelling of another notation"
    RangePlace "E0130" "a range level without a diagonal"
    CountFormat "E0131" "a count that its level cannot hold"
    RunLengthPlace "E0132" "a run-length level that is not the innermost"
    RankMismatch "E0201" "a tensor and an encoding of different ranks"
    ScalarTensor "E0202" "an encoding without dimensions to store"
    ConstantType "E0203" "a promised value of another type than the elements"
    SliceShape "E0204" "a slice that contradicts the shape"
    ElementType "E0205" "an element type that is none"
    BadShape "E0206" "a shape that is none"
    HistoricEncoding "W0101" "a historic form"
    RepeatedKey "W0102" "a key written twice"
    UniqueHead "W0103" "a COO segment that allows one entry per coordinate"
    NonuniqueAbove "W0104" "duplicates above another compressed level"
    ExplicitZero "W0105" "stored values promised to be zero"
    IgnoredEncoding "W0106" "an encoding on a memref"
    SliceContradicts "W0109" "a slice that contradicts the shape"
    HistoricOperation "W0107" "an operation under an old name"
    SilentTrait "W0108" "a sparse annotation without effect"
    EmptySlot "W0110" "a comma with no encoding behind it"
    UnusedAlias "H0101" "an encoding that is never used"
    NotMlir "H0102" "more than MLIR 22 takes"
    MlirMiscompiles "H0103" "legal, and wrong in MLIR 22"
    PaddedBlocks "H0140" "a shape that blocks do not fill"
    NarrowWidth "H0141" "a width that the shape can outgrow"
    WideWidth "H0142" "a width that the shape never needs"
    SameEncoding "H0143" "two names for one encoding"
    UnusedTensor "H0144" "a tensor that is never used"
    UnknownCommand "E0501" "unknown command"
    CommandArguments "E0502" "arguments that a command cannot take"
    UnknownOperation "E0601" "an operation that there is not"
    ValueType "E0602" "a value of another type"
    UndefinedValue "E0603" "a value that is not defined"
    RedefinedValue "E0604" "a name defined twice"
    OperationForm "E0605" "an operation that breaks its own rules"
    UnknownFunction "E0606" "a function that is not there"
    UnsupportedProgram "E0607" "nothing that nnz can run"
    NoEntry "E0608" "no function to run"
    ProgramFailed "E0610" "a program that did what it must not"
    ProgramLimit "E0611" "a program that wants too much"
    NotRun "H0613" "legal, perhaps, but nothing that nnz runs"
    PartOfFile "W0612" "a symmetric file, of which one triangle is read"
    ScriptLevel "E0701" "a function that does not say its stage"
    ScriptName "E0702" "a name that is declared twice"
    ScriptUndeclared "E0703" "a name that nothing declares"
    ScriptHandle "E0704" "an array that the caller does not pass"
    ScriptHandleTwice "E0705" "a handle that passes two arrays"
    BufferPath "E0706" "a buffer over an iterator without its ancestors"
    ScriptRank "E0707" "an element with the wrong number of coordinates"
    IterationForm "E0708" "an iteration whose parts do not fit together"
    ParentMissing "E0709" "an iterator that runs without its parent"
    IteratorTwice "E0710" "an iterator that runs twice"
    StructureWritten "E0711" "a structure that is written"
    FuseChain "E0712" "iterators that cannot be fused"
    AttachBase "E0713" "an iterator that cannot be attached"
    ScriptType "E0714" "a value of another type"
    UnsortedSearch "E0715" "a search among coordinates without an order"
    UnknownMember "E0716" "a name that SparseTIR does not have"
    ScriptArguments "E0717" "arguments that a call cannot take"
    ScriptStatement "E0718" "Python that a function cannot have"
    ScriptUnread "E0719" "legal, and not read yet"
    ArrayMisfit "E0720" "an array that does not fit the function"
    ScriptFailed "E0721" "a function that did what it must not"
    TirStep "E0722" "a step of a schedule that is not legal"
    TirStepForm "E0723" "a step of a schedule that cannot be read"
    TirRule "E0724" "a rule of a decomposition that is not legal"
    SpatialNotInOutput "W0701" "a spatial iterator without a place in the result"
    ReductionInOutput "W0702" "a reduction with a place in the result"
    ReductionWithoutInit "W0703" "a reduction that starts from what is there"
    InitWithoutReduction "W0704" "an initialization without a reduction"
    NeedsSearch "H0705" "an element that is searched for"
    MixedUpLength "W0706" "lengths that look exchanged"
    DenseForCompressed "W0707" "a dense iterator where the compressed one is meant"
    StaleRows "H0708" "rows that the prototype leaves as they were"
    UnusedDeclaration "H0709" "a declaration that nothing uses"
    NarrowPositions "W0710" "more positions than the type counts"
    SeveralInits "W0711" "a result that is initialized again"
    OldSpelling "H0712" "an older spelling"
    SparseTimesSparse "W0713" "two structures in one expression"
    FusionFlag "W0714" "an attribute that fuses whatever its value is"
    HalfSums "H0715" "sums in half precision"
    BranchingParents "W0716" "a structure that hangs off another parent"
    IndexMapsDisagree "W0717" "index maps that do not invert each other"
    NotCompiled "W0718" "a function that runs statement by statement"
    CompilerBug "E0900" "a bug in nnz"
}

impl Code {
    pub fn severity(self) -> Severity {
        match self.text().as_bytes().first() {
            Some(b'W') => Severity::Warning,
            Some(b'H') => Severity::Hint,
            _ => Severity::Error,
        }
    }

    /// Whether it is about a cost. Several costs may have one place, and none repeats another.
    pub fn is_cost(self) -> bool {
        let is_copy = matches!(self, Code::HiddenConversion | Code::DenseCopy);
        is_copy || matches!(self, Code::HiddenCost | Code::EveryCoordinate | Code::AcrossRows)
    }

    /// How editors draw what it is about.
    #[expect(clippy::wildcard_enum_match_arm, reason = "codes are many")]
    pub fn tag(self) -> Option<Tag> {
        match self {
            Code::UnusedAlias
            | Code::UnusedTensor
            | Code::UnusedDeclaration
            | Code::IgnoredEncoding
            | Code::SilentTrait => Some(Tag::Unused),
            Code::HistoricEncoding | Code::HistoricOperation | Code::OldSpelling => Some(Tag::Deprecated),
            _ => None,
        }
    }

    /// The code written as `text`, in any case.
    pub fn parse(text: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.text().eq_ignore_ascii_case(text))
    }
}

/// What editors draw faded or struck through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// It has no effect.
    Unused,
    /// There is a newer form.
    Deprecated,
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn codes_are_distinct_and_explained() {
        for (at, code) in Code::ALL.iter().enumerate() {
            assert!(!code.explanation().is_empty() && !code.title().is_empty());
            assert!(Code::ALL[..at].iter().all(|other| other.text() != code.text()), "{} twice", code.text());
            assert_eq!(Code::parse(code.text()), Some(*code));
        }
    }
}
