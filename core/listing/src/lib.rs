//! The stages of compiling a kernel, as text: its graph, plan, loops and code. Sessions, programs and editors show the same.

#![warn(clippy::wildcard_enum_match_arm)]

mod code;

pub use code::{Code, VIEWS};

use nnz_backend::{BackendError, FloatOrder, Gpu, Target, c};
use nnz_check::command::View;
use nnz_kernel::Schedule;
use nnz_plan::iterate;
use nnz_run::{Made, Outline};
use nnz_view::{Line, Markup, Role, Screen, graph, highlight};

/// The languages of views, as editors call them.
pub fn language_of(view: View) -> &'static str {
    match view {
        View::C => "c",
        View::Mlir => "mlir",
        View::Llvm => "llvm",
        View::Asm => "asm",
        View::Ptx => "ptx",
        View::Svg => "xml",
        View::Loops | View::Lowered | View::Grid => "nnz-loops",
        View::Graph
        | View::Lattice
        | View::Plan
        | View::Levels
        | View::Tree
        | View::Storage
        | View::Dump
        | View::Spy => "plaintext",
    }
}

/// The extension of a file with a view.
pub fn ending_of(view: View) -> &'static str {
    match view {
        View::C => "c",
        View::Mlir => "mlir",
        View::Llvm => "ll",
        View::Asm => "s",
        View::Ptx => "ptx",
        View::Svg => "svg",
        View::Graph
        | View::Lattice
        | View::Plan
        | View::Loops
        | View::Lowered
        | View::Grid
        | View::Levels
        | View::Tree
        | View::Storage
        | View::Dump
        | View::Spy => "txt",
    }
}

/// A lowered kernel to be shown.
pub struct Listing<'a> {
    pub outline: &'a Outline,
    pub schedule: &'a Schedule,
    pub target: Target,
    pub order: FloatOrder,
    /// For PTX.
    pub gpu: Gpu,
}

impl Listing<'_> {
    /// The default way to show kernels.
    pub fn of<'a>(outline: &'a Outline, schedule: &'a Schedule) -> Listing<'a> {
        Listing { outline, schedule, target: Target::Cpu, order: FloatOrder::Strict, gpu: Gpu::default() }
    }

    /// One view, as a file of its own.
    ///
    /// # Errors
    /// As [`Listing::part`].
    pub fn whole(&self, view: View) -> Result<Markup, BackendError> {
        let text = self.part(view, &mut c::Written::default())?;
        Ok(if view == View::Plan { text.wrapped(Screen::DEFAULT_WIDTH) } else { text })
    }

    /// One view, after the earlier parts of a file.
    ///
    /// # Errors
    /// As the back end's, for views of machine code.
    pub fn part(&self, view: View, written: &mut c::Written) -> Result<Markup, BackendError> {
        let text = self.text(view, written)?;
        if view == View::Svg {
            return Ok(text.lines().map(Line::plain).collect());
        }
        let code = highlight::code(&text, language(view));
        let is_plan = matches!(view, View::Graph | View::Lattice | View::Plan);
        Ok(if is_plan { code } else { self.made(view).then(code) })
    }

    /// What is made before the code runs, as comments.
    fn made(&self, view: View) -> Markup {
        let name = |name: &str| if view == View::C { name.replace('.', "_") } else { name.to_string() };
        let text = |made: &Made| format!("{}: {}", name(&made.name), made.comment());
        self.outline.before().made.iter().map(|made| Line::of(Role::Comment, comment(view, &text(made)))).collect()
    }

    fn text(&self, view: View, written: &mut c::Written) -> Result<String, BackendError> {
        let lowered = self.outline.lowered();
        let (plan, functions) = (&lowered.plan, lowered.all_phases().map(|phase| &phase.function).collect());
        let code = Code { functions, target: self.target, order: self.order, gpu: self.gpu };
        if let Some(text) = code.text(view, written)? {
            return Ok(text);
        }
        Ok(match view {
            View::Graph => {
                let graphs = self.outline.graphs();
                graphs.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
            }
            View::Svg => graph::svg(&self.outline.graphs()),
            View::Lattice => iterate::lattices(plan),
            View::Plan => self.outline.plan_text() + &schedule_text(self.schedule),
            View::Loops | View::C | View::Mlir | View::Llvm | View::Asm | View::Grid | View::Ptx | View::Lowered => {
                lowered.text()
            }
            View::Levels | View::Tree | View::Storage | View::Dump | View::Spy => lowered.text(),
        })
    }
}

fn language(view: View) -> highlight::Code {
    match view {
        View::Llvm => highlight::Code::Llvm,
        View::C => highlight::Code::C,
        View::Mlir => highlight::Code::Mlir,
        View::Asm => highlight::Code::Assembly,
        View::Ptx => highlight::Code::Ptx,
        View::Graph | View::Svg | View::Lattice | View::Plan => highlight::Code::Loops,
        View::Loops | View::Lowered | View::Grid => highlight::Code::Loops,
        View::Levels | View::Tree | View::Storage | View::Dump | View::Spy => highlight::Code::Loops,
    }
}

/// The start of a comment line in a view.
pub fn comment(view: View, text: &str) -> String {
    match view {
        View::Llvm => format!("; {text}"),
        View::Asm => format!("# {text}"),
        View::Svg => format!("<!-- {} -->", text.replace("--", "- -")),
        View::Graph | View::Lattice | View::Plan => format!("// {text}"),
        View::Loops | View::Lowered | View::Grid | View::C | View::Mlir | View::Ptx => format!("// {text}"),
        View::Levels | View::Tree | View::Storage | View::Dump | View::Spy => format!("// {text}"),
    }
}

/// The steps of the schedule, one on each line.
fn schedule_text(schedule: &Schedule) -> String {
    let steps: Vec<String> = schedule.steps.iter().map(|step| format!("  {step}\n")).collect();
    if steps.is_empty() { String::new() } else { format!("schedule\n{}", steps.concat()) }
}
