//! A kernel whose operands are being cut or made dense, until loops can be made for it.

use std::{borrow::Cow, sync::Arc};

use super::{
    Operand, Refusal,
    data::Data,
    hidden::Hidden,
    made::{Made, What, WhyDense},
    refusal::Uncopied,
    request::Origin,
    window::Window,
};
use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
    ids::TensorId,
};
use nnz_encoding::Encoding;
use nnz_kernel::{Access, Expr, Kernel, Tensor, VarDecl};
use nnz_plan::{
    iterate::{
        self, EveryReason, Hint, PlanError, conversion_steps, hints_on, is_random_access, masks, minds_padding,
        minds_zeros, unpadded,
    },
    lower::{LowerError, Lowered},
    schedule::ScheduleError,
};
use nnz_storage::{self as storage, Storage};

/// The largest number of entries of a dense copy.
const MOST_COPIED: u64 = 1 << 27;

pub(super) struct Draft<'a, 't> {
    /// The operands', and then the result.
    tensors: Vec<Tensor>,
    vars: Vec<VarDecl>,
    expr: Expr,
    origin: Origin,
    /// One per operand; `None` if it has no data yet.
    pub(super) data: Vec<Option<Data<'a>>>,
    pub(super) tell: &'t mut dyn FnMut(Hidden),
    /// The windows and copies of operands, in the order in which they were made.
    pub(super) made: Vec<Made>,
    /// The operand as written that each one is, or is made of.
    of: Vec<usize>,
    /// Accesses in the kernel to tensors that were made, each with the access that the user wrote.
    words: Vec<[String; 2]>,
    /// Whether an operand is copied only for some values.
    has_padding: bool,
}

impl<'a, 't> Draft<'a, 't> {
    pub(super) fn new(
        (kernel, origin): (&Kernel, Origin),
        operands: impl IntoIterator<Item = Option<Operand<'a>>>,
        tell: &'t mut dyn FnMut(Hidden),
    ) -> Draft<'a, 't> {
        let data: Vec<_> = operands.into_iter().map(|operand| operand.map(Data::Given)).collect();
        let of = (0..data.len()).collect();
        Draft {
            tensors: kernel.tensors().to_vec(),
            vars: kernel.declarations(),
            expr: kernel.expr().clone(),
            origin,
            data,
            tell,
            made: Vec::new(),
            of,
            words: Vec::new(),
            has_padding: false,
        }
    }

    /// Keeps a change of an operand, and reports it as a cost: of a step for each place.
    fn note(&mut self, at: usize, made: Made) {
        let steps = self.tensors[at].places();
        if let Some(text) = made.hint() {
            let tensor = self.written(at);
            (self.tell)(Hidden { tensor, indices: Vec::new(), code: made.code(), text, label: made.label(), steps });
        }
        self.made.push(made);
    }

    /// The operand as written that a tensor is, or is made of.
    pub(super) fn written(&self, at: usize) -> Option<TensorId> {
        let result = (at == self.data.len()).then(|| self.of.iter().max().map_or(0, |last| last + 1));
        self.of.get(at).copied().or(result).map(TensorId::new)
    }

    pub(super) fn kernel<'k>(&self, of: &'k Kernel) -> Result<Cow<'k, Kernel>, Refusal> {
        if self.made.is_empty() {
            return Ok(Cow::Borrowed(of));
        }
        let (result, expr) = (TensorId::new(self.data.len()), self.expr.clone());
        let kernel = of.moved(self.tensors.clone(), self.vars.clone(), (result, expr));
        kernel.map(Cow::Owned).map_err(Refusal::rewrite)
    }

    /// Whether the kernel takes its operands as they are, whatever their values.
    pub(super) fn is_as_written(&self) -> bool {
        self.made.is_empty() && !self.has_padding
    }

    /// The element and the value of a scalar.
    pub(super) fn scalar(&self, tensor: TensorId) -> Option<(Element, Scalar)> {
        match self.data.get(tensor.index())? {
            Some(Data::Given(Operand::Scalar(value))) => Some((self.tensors[tensor.index()].element, *value)),
            _ => None,
        }
    }

    /// The plan's hints about the kernel as written, in the words of its text.
    pub(super) fn hints(&self, lowered: &Lowered, written: &Kernel, text: Option<&str>) -> Vec<Hint> {
        let copies: Vec<&str> = self.made.iter().filter(|made| made.is_copy()).map(|made| made.name.as_str()).collect();
        let is_copy = |tensor: TensorId| copies.contains(&lowered.plan.kernel.tensor(tensor).name.as_str());
        let mut hints = lowered.plan.hints_with_copies(&is_copy);
        for hint in &mut hints {
            if let Hint::EveryCoordinate { term, reason, shared, .. } = hint {
                *shared = lowered.shares_reductions;
                let words = self.words.iter().rev();
                let text = words.fold(term.clone(), |term, [made, written]| reworded(&term, made, written));
                // The copy is of a sparse operand: its term visits every coordinate because of its value.
                if text != *term && *reason == EveryReason::NoSparseOperand {
                    *reason = EveryReason::NotZero;
                }
                *term = text;
            }
        }
        match text {
            Some(text) => hints_on(&hints, written, text),
            None => hints_on(&hints, written, &written.expr_text(written.expr())),
        }
    }

    /// Replaces operands whose levels are all dense but are not dimensions by dense copies: every place is an entry.
    pub(super) fn take_as_dense(&mut self) -> Result<(), Refusal> {
        let skewed = |tensor: &Tensor| {
            let whole = tensor.encoding.as_ref().is_some_and(|encoding| encoding.stores_all());
            whole && !is_random_access(tensor)
        };
        for at in (0..self.data.len()).filter(|at| skewed(&self.tensors[*at])).collect::<Vec<_>>() {
            if self.copy_size(at)[0] > MOST_COPIED {
                return Err(Refusal::Uncopied(TensorId::new(at)));
            }
            self.copy_one(at, WhyDense::Levels)?;
        }
        Ok(())
    }

    /// Replaces operands with padding by copies without, if padding that counted as an entry would affect the result.
    pub(super) fn leave_padding_out(&mut self, kernel: &Kernel) -> Result<(), Refusal> {
        let encodings: Vec<_> =
            self.tensors.iter().map(|tensor| tensor.encoding.as_deref().and_then(unpadded)).collect();
        self.has_padding = encodings.iter().any(Option::is_some);
        if !self.has_padding || !minds_padding(kernel, &|tensor| self.largest(tensor)) {
            return Ok(());
        }
        for (at, encoding) in encodings.into_iter().enumerate().take(self.data.len()) {
            let Some(encoding) = encoding else { continue };
            let (name, slots) = (self.tensors[at].name.clone(), self.storage(at).map(Storage::nse));
            let steps = slots.map_or_else(|| conversion_steps(&self.tensors[at].shape) as u64, |slots| slots as u64);
            let what = What::Unpadded { slots };
            self.note(at, Made { name: name.clone(), of: name, what, steps, bytes: None });
            let copy = self.storage(at).map(|storage| storage::convert(storage, &encoding)).transpose()?;
            if let Some(made) = self.made.last_mut() {
                made.bytes = copy.as_ref().map(|copy| copy.bytes() as u64);
            }
            self.tensors[at].encoding = Some(encoding);
            self.data[at] = copy.map(Data::Window);
        }
        Ok(())
    }

    /// Cuts or copies the operand that `error` is about, so that loops can be made.
    pub(super) fn relieve(&mut self, kernel: &Kernel, error: ScheduleError) -> Result<(), Refusal> {
        let ScheduleError::Lower(error) = error else { return Err(Refusal::of(error)) };
        match error {
            LowerError::TooLong { .. } | LowerError::Plan(PlanError::ManyOperands { .. }) => {
                self.make_shorter(kernel, error)
            }
            LowerError::Plan(error) => self.make_reachable(kernel, error),
            LowerError::TooLarge { .. } | LowerError::Bug { .. } => Err(Refusal::of(error.into())),
        }
    }

    /// Cuts windows out of the operand that `error` is about, or else copies it.
    fn make_reachable(&mut self, kernel: &Kernel, error: PlanError) -> Result<(), Refusal> {
        let at = self.to_copy(kernel, &error);
        let error = LowerError::Plan(error);
        let Some(at) = at else { return Err(Refusal::of(error.into())) };
        if self.cut_windows(kernel, at)? { Ok(()) } else { self.copy(kernel, at, (WhyDense::Computed, &error)) }
    }

    /// Copies the smallest sparse operand, so loops need not test its presence.
    fn make_shorter(&mut self, kernel: &Kernel, error: LowerError) -> Result<(), Refusal> {
        let size = |at: &usize| kernel.tensors()[*at].places();
        let used = |at: &usize| kernel.expr().accesses().iter().any(|access| access.tensor.index() == *at);
        let sparse = |at: &usize| !is_random_access(&kernel.tensors()[*at]);
        let smallest = (0..self.data.len()).filter(sparse).filter(used).min_by_key(size);
        let Some(at) = smallest else { return Err(Refusal::of(error.into())) };
        self.copy(kernel, at, (WhyDense::TooLong, &error))
    }

    /// Replaces accesses to an operand by windows; `false` if there can be none.
    fn cut_windows(&mut self, kernel: &Kernel, at: usize) -> Result<bool, Refusal> {
        let Some(encoding) = self.tensors[at].encoding.clone() else { return Ok(false) };
        let mut windows: Vec<(Access, Access)> = Vec::new();
        let mut absent: Vec<Access> = Vec::new();
        // Taken out of `self`, because `self` changes while the data are read.
        let data = self.data[at].take();
        let storage = data.as_ref().and_then(Data::storage);
        for access in kernel.expr().accesses().into_iter().filter(|access| access.tensor.index() == at) {
            let window = Window::of(access, |var| kernel.var(var).extent);
            if let Some(window) = window.filter(|_| windows.iter().all(|(known, _)| known != access)) {
                let stored = window.encoding(&encoding)?;
                let name = self.window_name(at);
                let cut = self.cut((kernel, at, access, &name), (&window, &stored), storage)?;
                // A window without variables is one place, so it is known now whether it has an entry.
                if window.vars.is_empty() && cut.as_ref().is_some_and(|(_, met)| *met == 0) {
                    absent.push(access.clone());
                }
                let cut = cut.map(|(storage, _)| storage);
                let id = self.add_window(at, name, (&window, stored), cut);
                windows.push((access.clone(), Access::of_vars(id, &window.vars)));
            }
        }
        self.data[at] = data;
        self.expr = masks::without(kernel, &self.expr, &|access| absent.contains(access));
        let replaced = |access: &Access| windows.iter().find(|(known, _)| known == access).map(|(_, new)| new.clone());
        self.expr = self.expr.with_accesses(&replaced);
        Ok(!windows.is_empty())
    }

    /// The entries that a window meets, and their number; `None` if they are unknown.
    fn cut(
        &mut self,
        (kernel, at, access, name): (&Kernel, usize, &Access, &str),
        (window, stored): (&Window<'_>, &Arc<Encoding>),
        storage: Option<&Storage>,
    ) -> Result<Option<(Storage, usize)>, Refusal> {
        let cut = storage.map(|storage| window.cut(storage, stored)).transpose()?;
        let all = storage.map(Storage::nse);
        let text = kernel.expr_text(&Expr::Access(access.clone()));
        let vars: Vec<&str> = window.vars.iter().map(|var| kernel.var(*var).name.as_str()).collect();
        let read = if vars.is_empty() { name.to_string() } else { format!("{name}({})", vars.join(", ")) };
        self.words.push([read, text.clone()]);
        let what = What::Window { access: text, met: cut.as_ref().zip(all).map(|((_, met), all)| [*met, all]) };
        let steps = all.map_or_else(|| conversion_steps(&self.tensors[at].shape) as u64, |all| all as u64);
        let bytes = cut.as_ref().map(|(storage, _)| storage.bytes() as u64);
        let of = self.tensors[at].name.clone();
        self.note(at, Made { name: name.to_string(), of, what, steps, bytes });
        Ok(cut)
    }

    fn window_name(&self, at: usize) -> String {
        let name = format!("{}.window", self.tensors[at].name);
        let number = self.tensors.iter().filter(|other| other.name.starts_with(&name)).count();
        if number == 0 { name } else { format!("{name}{number}") }
    }

    /// A window of operand `at`, as one more operand.
    fn add_window(
        &mut self,
        at: usize,
        name: String,
        (window, stored): (&Window<'_>, Arc<Encoding>),
        cut: Option<Storage>,
    ) -> TensorId {
        let (element, shape) = (self.tensors[at].element, window.shape.clone());
        // A scalar has none.
        let encoding = (!shape.is_empty()).then_some(stored);
        self.add_operand(at, Tensor { name, element, shape, encoding }, cut.map(Data::Window))
    }

    fn storage(&self, at: usize) -> Option<&Storage> {
        self.data.get(at)?.as_ref()?.storage()
    }

    /// The greatest magnitude in a tensor; 0 as long as its values are not known.
    fn largest(&self, tensor: TensorId) -> f64 {
        self.data.get(tensor.index()).and_then(Option::as_ref).map_or(0.0, Data::largest)
    }

    /// Makes a dense copy of an operand, with a mask of what is stored if zeros in place of absent entries would affect
    /// the result. If the kernel itself tests presence, every sparse operand is copied like this.
    fn copy(&mut self, kernel: &Kernel, at: usize, (why, error): (WhyDense, &LowerError)) -> Result<(), Refusal> {
        let kernel = &self.written_out(kernel)?;
        let asks = kernel.expr().nodes().into_iter().any(Expr::asks_for_presence);
        let all = (0..self.data.len()).filter(|at| !is_random_access(&kernel.tensors()[*at]));
        let copied: Vec<usize> = if asks { all.collect() } else { vec![at] };
        self.check_copies((at, &copied), error)?;
        let is_copy = |tensor: TensorId| copied.contains(&tensor.index());
        let dense = is_random_access(kernel.tensor(kernel.result().tensor));
        if dense && !minds_zeros(kernel, &is_copy, &|tensor| self.largest(tensor)) {
            self.note_words(kernel, at, None);
            return self.copy_one(at, why).map(drop);
        }
        let mut masks = Vec::new();
        for at in copied {
            let name = format!("{}.stored", self.tensors[at].name);
            self.note_words(kernel, at, Some(&name));
            let copied = self.copy_one(at, why)?;
            let mask = copied.map(|copied| storage::stored_places(&copied)).transpose()?;
            masks.push((TensorId::new(at), self.add_mask(at, name, mask)));
        }
        let mask = |tensor| masks.iter().find(|(masked, _)| *masked == tensor).map(|(_, mask)| *mask);
        self.expr = masks::masked(kernel, &self.expr, &mask);
        Ok(())
    }

    /// The kernel with everything written out that depends on which operands are sparse, because their copies are
    /// dense.
    fn written_out(&mut self, kernel: &Kernel) -> Result<Kernel, Refusal> {
        let written = iterate::written_out(kernel, self.origin == Origin::Body);
        let kernel = written?;
        (self.vars, self.expr) = (kernel.declarations(), kernel.expr().clone());
        Ok(kernel)
    }

    /// How accesses to operand `at` will read once it is copied.
    fn note_words(&mut self, kernel: &Kernel, at: usize, mask: Option<&str>) {
        for access in kernel.expr().accesses().into_iter().filter(|access| access.tensor.index() == at) {
            let (written, indices) = (kernel.expr_text(&Expr::Access(access.clone())), kernel.indices_text(access));
            let copy = format!("{}({indices})", dense_name(&self.tensors[at].name));
            let read = mask.map_or(copy.clone(), |mask| format!("select({mask}({indices}), {copy})"));
            self.words.push([read, written]);
        }
    }

    /// Refuses copies before any is made, if one is too large.
    fn check_copies(&self, (at, copied): (usize, &[usize]), error: &LowerError) -> Result<(), Refusal> {
        let Some(large) = copied.iter().copied().find(|at| self.copy_size(*at)[0] > MOST_COPIED) else {
            return Ok(());
        };
        let (name, [_, bytes]) = (self.tensors[large].name.clone(), self.copy_size(large));
        let copy = Some((self.written(at).unwrap_or(TensorId::new(at)), Uncopied { name, bytes }));
        Err(Refusal::Unplanned { error: error.clone(), copy })
    }

    /// The entries and the bytes of a dense copy of an operand.
    fn copy_size(&self, at: usize) -> [u64; 2] {
        let tensor = &self.tensors[at];
        let entries = tensor.places();
        [entries, entries.saturating_mul(tensor.element.bytes() as u64)]
    }

    /// The operand as it was, if there is data.
    fn copy_one(&mut self, at: usize, why: WhyDense) -> Result<Option<Cow<'a, Storage>>, Refusal> {
        let (of, [entries, bytes]) = (self.tensors[at].name.clone(), self.copy_size(at));
        let (name, what) = (dense_name(&of), What::Dense(why));
        self.note(at, Made { name: name.clone(), of, what, steps: entries, bytes: Some(bytes) });
        self.tensors[at].name = name;
        self.tensors[at].encoding = None;
        let Some(storage) = self.data[at].take().and_then(Data::into_storage) else { return Ok(None) };
        self.data[at] = Some(Data::Copy(storage::to_dense(&storage)?));
        Ok(Some(storage))
    }

    /// A mask of the entries of operand `at`, as one more operand.
    fn add_mask(&mut self, at: usize, name: String, mask: Option<Values>) -> TensorId {
        let (shape, [entries, _]) = (self.tensors[at].shape.clone(), self.copy_size(at));
        let of = name.trim_end_matches(".stored").to_string();
        let made = Made { name: name.clone(), of, what: What::Mask, steps: entries, bytes: Some(entries) };
        self.note(at, made);
        self.add_operand(at, Tensor { name, element: Element::I1, shape, encoding: None }, mask.map(Data::Copy))
    }

    /// One more operand, made from operand `of`, before the result.
    fn add_operand(&mut self, of: usize, tensor: Tensor, data: Option<Data<'a>>) -> TensorId {
        let id = self.data.len();
        self.of.push(self.of[of]);
        self.tensors.insert(id, tensor);
        self.data.push(data);
        TensorId::new(id)
    }

    /// The operand that has to be copied.
    fn to_copy(&self, kernel: &Kernel, error: &PlanError) -> Option<usize> {
        let (PlanError::AffineAccess { tensor, .. } | PlanError::Undetermined { tensor, .. }) = error else {
            return None;
        };
        let operands = kernel.tensors().iter().take(self.data.len());
        operands.enumerate().find(|(_, t)| t.name == *tensor && !is_random_access(t)).map(|(at, _)| at)
    }
}

/// What the dense copy of an operand is called.
fn dense_name(of: &str) -> String {
    format!("{of}.dense")
}

/// `text` with `written` for `made`, where that is no part of a longer name.
fn reworded(text: &str, made: &str, written: &str) -> String {
    let goes_on = |next: char| next.is_alphanumeric() || matches!(next, '_' | '.');
    let mut parts = text.split(made);
    let mut all = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let longer = !made.ends_with(')') && part.starts_with(goes_on) || all.ends_with(goes_on);
        all.push_str(if longer { made } else { written });
        all.push_str(part);
    }
    all
}
