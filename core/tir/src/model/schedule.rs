//! Schedules: steps that rewrite a function, as calls in the Python around it; and numbers for its parameters.

use super::Place;

/// The steps of one schedule.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    pub place: Place,
    /// The function that it is of.
    pub function: String,
    /// The number of the decomposition that it was made of.
    pub decomposition: Option<usize>,
    /// The numbers of the specializations that it was made of.
    pub specializations: Vec<usize>,
    pub steps: Vec<Call>,
}

/// `spmm.specialize({n: 128})`: numbers for parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Specialization {
    pub place: Place,
    /// The function that it is of.
    pub function: String,
    /// The number of the decomposition behind which it comes.
    pub decomposition: Option<usize>,
    /// Those before it.
    pub before: Vec<usize>,
    pub values: Vec<Fixed>,
}

/// A parameter that becomes a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixed {
    /// Which one; from the end where it is negative.
    pub param: i64,
    pub value: i64,
    pub place: Place,
}

/// A call of a method of the schedule, with the names that take its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub place: Place,
    pub method: String,
    pub arguments: Vec<Given>,
    pub results: Results,
    /// Whether it stands where it may run any number of times.
    pub repeats: bool,
}

/// An argument, by its place or its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    pub name: Option<String>,
    pub value: Argued,
    pub place: Place,
}

/// What is written as an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Argued {
    Name(String),
    /// One of several results under a name.
    Item(String, i64),
    List(Vec<Given>),
    Call(Box<Call>),
    Nothing,
    Bool(bool),
    Int(i64),
    Text(String),
    /// Python that is not looked into.
    Other,
}

/// The names of what a call gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Results {
    #[default]
    Unnamed,
    Whole(String),
    Parts(Vec<String>),
}
