//! One newtype per entity, so that a dimension can never be passed where a level is wanted.
//! `Display` is the entity's text in every printed form.

/// A newtype of the text form `PREFIX0`, `PREFIX1`, ...
#[macro_export]
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

id!(/// An axis of the tensor.
    Dim, "d");
id!(/// An axis of storage, outermost first.
    Lvl, "l");
id!(/// A symbol of an encoding's map.
    Sym, "s");
id!(/// An index variable of a kernel.
    IndexVar, "i");
id!(/// A tensor of a kernel: an operand or the result.
    TensorId, "t");
id!(/// A file or a REPL cell.
    FileId, "f");
