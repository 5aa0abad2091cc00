//! `linalg` at run time: every operation with a short syntax is a kernel.

use crate::{
    generic,
    meaning::{Row, host},
};

pub(super) static MEANINGS: &[Row] = &[
    host("linalg.add", generic::run),
    host("linalg.sub", generic::run),
    host("linalg.mul", generic::run),
    host("linalg.div", generic::run),
    host("linalg.div_unsigned", generic::run),
    host("linalg.max", generic::run),
    host("linalg.min", generic::run),
    host("linalg.powf", generic::run),
    host("linalg.abs", generic::run),
    host("linalg.ceil", generic::run),
    host("linalg.erf", generic::run),
    host("linalg.exp", generic::run),
    host("linalg.floor", generic::run),
    host("linalg.log", generic::run),
    host("linalg.negf", generic::run),
    host("linalg.round", generic::run),
    host("linalg.rsqrt", generic::run),
    host("linalg.sqrt", generic::run),
    host("linalg.square", generic::run),
    host("linalg.tanh", generic::run),
    host("linalg.copy", generic::run),
    host("linalg.reciprocal", generic::run),
    host("linalg.select", generic::run),
    host("linalg.elementwise", generic::run),
    host("linalg.transpose", generic::run),
    host("linalg.broadcast", generic::run),
    host("linalg.reduce", generic::run),
    host("linalg.map", generic::run),
];
