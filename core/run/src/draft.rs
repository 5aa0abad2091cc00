//! A kernel while its operands are cut out or made dense, until loops can be made for it.

use std::{borrow::Cow, sync::Arc};

use super::{Operand, Refusal, prepare::Hidden, refusal::Uncopied, window::Window};
use nnz_base::{
    arrays::Values,
    diagnostic::counted,
    element::{Element, Scalar},
    ids::TensorId,
    memory,
};
use nnz_encoding::Encoding;
use nnz_kernel::{Access, Expr, Kernel, Tensor};
use nnz_plan::{
    iterate::{Hint, PlanError, hints_on, is_finite, is_random_access, masks, minds_padding, unpadded, zero},
    lower::{LowerError, Lowered},
    schedule::ScheduleError,
};
use nnz_storage::{self as storage, Storage};

/// The largest number of entries of a dense copy.
const MOST_COPIED: u64 = 1 << 27;

/// The data of an operand.
pub(super) enum Data<'a> {
    Given(Operand<'a>),
    /// A row-major copy of a sparse operand.
    Copy(Values),
    /// A window of a sparse operand, or the operand without its padding.
    Window(Storage),
}

impl<'a> Data<'a> {
    pub(super) fn operand(&self, tensor: &Tensor) -> Operand<'_> {
        match self {
            Data::Given(operand) => *operand,
            Data::Copy(values) => Operand::Dense(values),
            Data::Window(storage) if tensor.encoding.is_none() => Operand::Dense(storage.values()),
            Data::Window(storage) => Operand::Stored(storage),
        }
    }

    /// The storage, if it is in an encoding.
    fn into_storage(self) -> Option<Cow<'a, Storage>> {
        match self {
            Data::Given(Operand::Stored(storage)) => Some(Cow::Borrowed(storage)),
            Data::Window(storage) => Some(Cow::Owned(storage)),
            Data::Given(Operand::Dense(_) | Operand::Scalar(_)) | Data::Copy(_) => None,
        }
    }

    fn storage(&self) -> Option<&Storage> {
        match self {
            Data::Given(Operand::Stored(storage)) => Some(storage),
            Data::Window(storage) => Some(storage),
            Data::Given(Operand::Dense(_) | Operand::Scalar(_)) | Data::Copy(_) => None,
        }
    }

    /// Whether it holds an infinity or a NaN.
    fn is_special(&self) -> bool {
        match self {
            Data::Given(Operand::Scalar(scalar)) => !is_finite(*scalar),
            Data::Given(Operand::Dense(values)) => !all_finite(values),
            Data::Given(Operand::Stored(storage)) => !all_finite(storage.values()),
            Data::Copy(values) => !all_finite(values),
            Data::Window(storage) => !all_finite(storage.values()),
        }
    }
}

fn all_finite(values: &Values) -> bool {
    values.iter().all(is_finite)
}

pub(super) struct Draft<'a, 't> {
    /// The operands', and then the result.
    tensors: Vec<Tensor>,
    expr: Expr,
    /// One per operand; `None` if it has no data yet.
    pub(super) data: Vec<Option<Data<'a>>>,
    pub(super) tell: &'t mut dyn FnMut(Hidden),
    /// The windows and copies, as told.
    pub(super) made: Vec<String>,
    /// Whether an operand was cut or copied.
    is_changed: bool,
    /// Whether an operand is copied only for some values.
    has_padding: bool,
}

impl<'a, 't> Draft<'a, 't> {
    pub(super) fn new(
        kernel: &Kernel,
        operands: impl IntoIterator<Item = Option<Operand<'a>>>,
        tell: &'t mut dyn FnMut(Hidden),
    ) -> Draft<'a, 't> {
        let data = operands.into_iter().map(|operand| operand.map(Data::Given)).collect();
        Draft {
            tensors: kernel.tensors().to_vec(),
            expr: kernel.expr().clone(),
            data,
            tell,
            made: Vec::new(),
            is_changed: false,
            has_padding: false,
        }
    }

    /// Every change is told.
    fn tell(&mut self, at: usize, text: String, steps: u64) {
        self.is_changed = true;
        self.made.push(text.clone());
        (self.tell)(Hidden { tensor: Some(TensorId::new(at)), text, steps });
    }

    pub(super) fn kernel<'k>(&self, of: &'k Kernel) -> Result<Cow<'k, Kernel>, Refusal> {
        if !self.is_changed {
            return Ok(Cow::Borrowed(of));
        }
        let (result, expr) = (TensorId::new(self.data.len()), self.expr.clone());
        let kernel = of.moved(self.tensors.clone(), of.declarations(), (result, expr));
        kernel.map(Cow::Owned).map_err(Refusal::rewrite)
    }

    /// Whether the kernel takes its operands as they are, whatever their values.
    pub(super) fn is_as_written(&self) -> bool {
        !self.is_changed && !self.has_padding
    }

    /// The element and the value of a scalar.
    pub(super) fn scalar(&self, tensor: TensorId) -> Option<(Element, Scalar)> {
        match self.data.get(tensor.index())? {
            Some(Data::Given(Operand::Scalar(value))) => Some((self.tensors[tensor.index()].element, *value)),
            _ => None,
        }
    }

    /// The plan's hints about the kernel as written. If that kernel would skip absent entries, copies are to blame for
    /// visiting every coordinate.
    pub(super) fn hints(&self, lowered: &Lowered, written: &Kernel, text: Option<&str>) -> Vec<Hint> {
        let hints = &lowered.plan.hints;
        let mut hints = text.map_or_else(|| hints.clone(), |text| hints_on(hints, written, text));
        let sparse = |access: &Access| !is_random_access(written.tensor(access.tensor));
        let is_copied = |(before, after): (&Tensor, &Tensor)| !is_random_access(before) && after.encoding.is_none();
        let copied = written.tensors().iter().zip(&self.tensors).take(written.tensors().len() - 1).any(is_copied);
        if copied && zero::simplify(written, written.expr(), &sparse).is_none() {
            hints.iter_mut().for_each(Hint::blame_copies);
        }
        hints
    }

    /// Replaces operands whose levels are all dense but are not dimensions by dense copies: every place is an entry.
    pub(super) fn take_as_dense(&mut self) -> Result<(), Refusal> {
        let skewed = |tensor: &Tensor| {
            let dense = tensor.encoding.as_ref().is_some_and(|encoding| encoding.all_dense());
            dense && !is_random_access(tensor)
        };
        for at in (0..self.data.len()).filter(|at| skewed(&self.tensors[*at])).collect::<Vec<_>>() {
            if self.copy_size(at)[0] > MOST_COPIED {
                return Err(Refusal::Uncopied(TensorId::new(at)));
            }
            self.copy_one(at, ", as its levels are no dimensions")?;
        }
        Ok(())
    }

    /// Replaces operands with padding by copies without, if padding that counted as an entry would affect the result.
    pub(super) fn leave_padding_out(&mut self, kernel: &Kernel) -> Result<(), Refusal> {
        let encodings: Vec<_> =
            self.tensors.iter().map(|tensor| tensor.encoding.as_deref().and_then(unpadded)).collect();
        self.has_padding = encodings.iter().any(Option::is_some);
        if !self.has_padding || !minds_padding(kernel, || self.has_special_values()) {
            return Ok(());
        }
        for (at, encoding) in encodings.into_iter().enumerate().take(self.data.len()) {
            let Some(encoding) = encoding else { continue };
            let name = &self.tensors[at].name;
            let slots = self.storage(at).map(Storage::nse);
            let counted = slots.map_or(String::new(), |slots| format!(": {}", counted(slots, "slot")));
            self.tell(at, format!("`{name}` is copied without its padding first{counted}"), slots.unwrap_or(0) as u64);
            let copy = self.storage(at).map(|storage| storage::convert(storage, &encoding)).transpose()?;
            self.tensors[at].encoding = Some(encoding);
            self.data[at] = copy.map(Data::Window);
        }
        Ok(())
    }

    /// Cuts or copies the operand that `error` is about, so that loops can be made.
    pub(super) fn relieve(&mut self, kernel: &Kernel, error: ScheduleError) -> Result<(), Refusal> {
        match error {
            ScheduleError::Lower(
                error @ (LowerError::TooLong { .. } | LowerError::Plan(PlanError::ManyOperands { .. })),
            ) => self.make_shorter(kernel, error),
            ScheduleError::Lower(LowerError::Plan(error)) => self.make_reachable(kernel, error),
            error => Err(Refusal::of(error)),
        }
    }

    /// Cuts windows out of the operand that `error` is about, or else copies it.
    fn make_reachable(&mut self, kernel: &Kernel, error: PlanError) -> Result<(), Refusal> {
        let at = self.to_copy(kernel, &error);
        let error = LowerError::Plan(error);
        let Some(at) = at else { return Err(Refusal::of(error.into())) };
        if self.cut_windows(kernel, at)? { Ok(()) } else { self.copy(kernel, at, ("", &error)) }
    }

    /// Copies the smallest sparse operand, so loops need not test its presence.
    fn make_shorter(&mut self, kernel: &Kernel, error: LowerError) -> Result<(), Refusal> {
        let size = |at: &usize| kernel.tensors()[*at].shape.iter().copied().fold(1, u64::saturating_mul);
        let used = |at: &usize| kernel.expr().accesses().iter().any(|access| access.tensor.index() == *at);
        let sparse = |at: &usize| !is_random_access(&kernel.tensors()[*at]);
        let smallest = (0..self.data.len()).filter(sparse).filter(used).min_by_key(size);
        let Some(at) = smallest else { return Err(Refusal::of(error.into())) };
        self.copy(kernel, at, (", as loops over so many sparse operands would be too long", &error))
    }

    /// Replaces accesses to an operand by windows; `false` if there can be none.
    fn cut_windows(&mut self, kernel: &Kernel, at: usize) -> Result<bool, Refusal> {
        let Some(encoding) = self.tensors[at].encoding.clone() else { return Ok(false) };
        let mut windows: Vec<(Access, Access)> = Vec::new();
        let mut absent: Vec<Access> = Vec::new();
        // What is cut is taken out for as long.
        let data = self.data[at].take();
        let storage = data.as_ref().and_then(Data::storage);
        for access in kernel.expr().accesses().into_iter().filter(|access| access.tensor.index() == at) {
            let window = Window::of(access, |var| kernel.var(var).extent);
            if let Some(window) = window.filter(|_| windows.iter().all(|(known, _)| known != access)) {
                let stored = window.encoding(&encoding)?;
                let cut = self.cut((kernel, at, access), (&window, &stored), storage)?;
                // Where no index varies, the place is one, and nothing stored there is known now.
                if window.vars.is_empty() && cut.as_ref().is_some_and(|(_, met)| *met == 0) {
                    absent.push(access.clone());
                }
                let cut = cut.map(|(storage, _)| storage);
                let id = self.add_window(at, (&window, stored), cut);
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
        (kernel, at, access): (&Kernel, usize, &Access),
        (window, stored): (&Window<'_>, &Arc<Encoding>),
        storage: Option<&Storage>,
    ) -> Result<Option<(Storage, usize)>, Refusal> {
        let what = kernel.expr_text(&Expr::Access(access.clone()));
        let text = format!("`{what}` is cut out of `{}` first", self.tensors[at].name);
        let Some(storage) = storage else {
            self.tell(at, text, 0);
            return Ok(None);
        };
        let (cut, met) = window.cut(storage, stored)?;
        let all = storage.nse();
        let entries = if all == 1 { "entry" } else { "entries" };
        self.tell(at, format!("{text}: {met} of {all} {entries}"), all as u64);
        Ok(Some((cut, met)))
    }

    /// A window of operand `at`, as one more operand.
    fn add_window(
        &mut self,
        at: usize,
        (window, stored): (&Window<'_>, Arc<Encoding>),
        cut: Option<Storage>,
    ) -> TensorId {
        let Tensor { name, element, .. } = &self.tensors[at];
        let (name, element) = (format!("{name}.window"), *element);
        let number = self.tensors.iter().filter(|other| other.name.starts_with(&name)).count();
        let name = if number == 0 { name } else { format!("{name}{number}") };
        let shape = window.shape.clone();
        // A scalar has none.
        let encoding = (!shape.is_empty()).then_some(stored);
        self.add_operand(Tensor { name, element, shape, encoding }, cut.map(Data::Window))
    }

    fn storage(&self, at: usize) -> Option<&Storage> {
        self.data.get(at)?.as_ref()?.storage()
    }

    fn has_special_values(&self) -> bool {
        self.data.iter().flatten().any(Data::is_special)
    }

    /// Makes a dense copy of an operand, with a mask of what is stored if a sparse result depends on it. If the kernel
    /// itself tests presence, every sparse operand is copied so.
    fn copy(&mut self, kernel: &Kernel, at: usize, (why, error): (&str, &LowerError)) -> Result<(), Refusal> {
        let asks = kernel.expr().nodes().into_iter().any(Expr::asks_for_presence);
        let all = (0..self.data.len()).filter(|at| !is_random_access(&kernel.tensors()[*at]));
        let copied: Vec<usize> = if asks { all.collect() } else { vec![at] };
        self.check_copies((at, &copied), error)?;
        if !asks && is_random_access(kernel.tensor(kernel.result().tensor)) {
            return self.copy_one(at, why).map(drop);
        }
        let mut masks = Vec::new();
        for at in copied {
            let copied = self.copy_one(at, why)?;
            let mask = copied.map(|copied| storage::stored_places(&copied)).transpose()?;
            masks.push((TensorId::new(at), self.add_mask(at, mask)));
        }
        let mask = |tensor| masks.iter().find(|(masked, _)| *masked == tensor).map(|(_, mask)| *mask);
        self.expr = masks::masked(kernel, &self.expr, &mask);
        Ok(())
    }

    /// Refuses copies before any is made: one that is too large, or that would change the result.
    fn check_copies(&self, (at, copied): (usize, &[usize]), error: &LowerError) -> Result<(), Refusal> {
        let refused = |at: usize, uncopied| {
            Err(Refusal::Unplanned { error: error.clone(), copy: Some((TensorId::new(at), uncopied)) })
        };
        if let Some(large) = copied.iter().copied().find(|at| self.copy_size(*at)[0] > MOST_COPIED) {
            let (name, [_, bytes]) = (self.tensors[large].name.clone(), self.copy_size(large));
            return refused(large, Uncopied::Large { name, bytes });
        }
        if !self.has_special_values() {
            return Ok(());
        }
        let bytes = copied.iter().map(|at| self.copy_size(*at)[1]).fold(0, u64::saturating_add);
        refused(at, Uncopied::Special { bytes })
    }

    /// The entries and the bytes of a dense copy of an operand.
    fn copy_size(&self, at: usize) -> [u64; 2] {
        let tensor = &self.tensors[at];
        let entries = tensor.shape.iter().copied().fold(1, u64::saturating_mul);
        [entries, entries.saturating_mul(tensor.element.bytes() as u64)]
    }

    /// The copy, if there is data.
    fn copy_one(&mut self, at: usize, why: &str) -> Result<Option<Cow<'a, Storage>>, Refusal> {
        let (name, [entries, bytes]) = (&self.tensors[at].name, self.copy_size(at));
        let text = format!("`{name}` is copied into a dense array of {} first{why}", memory::size_text(bytes));
        self.tell(at, text, entries);
        self.tensors[at].encoding = None;
        let Some(storage) = self.data[at].take().and_then(Data::into_storage) else { return Ok(None) };
        self.data[at] = Some(Data::Copy(storage::to_dense(&storage)?));
        Ok(Some(storage))
    }

    /// A mask of the entries of operand `at`, as one more operand.
    fn add_mask(&mut self, at: usize, mask: Option<Values>) -> TensorId {
        let Tensor { name, shape, .. } = &self.tensors[at];
        let (name, shape) = (format!("{name}.stored"), shape.clone());
        self.add_operand(Tensor { name, element: Element::I1, shape, encoding: None }, mask.map(Data::Copy))
    }

    /// One more operand, in front of the result.
    fn add_operand(&mut self, tensor: Tensor, data: Option<Data<'a>>) -> TensorId {
        let id = self.data.len();
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
