mod ansi;
mod render;
mod terminal;

fn main() {}
