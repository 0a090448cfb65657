//! Tensors as C++: allocations, views, single elements.

use super::helpers::Helper;
use super::number::{self, Number, bounds, c_type, is_float, is_half};
use super::scalar::{constant, type_name};
use super::{Printer, element};
use crate::ir::{BatchId, BinaryOp, Create, DType, Elem, Expr, ExprKind, SliceItem};

impl Printer<'_> {
    /// The name of what a call of `alloc_tensors` gives.
    pub(super) fn batch(&mut self, batch: BatchId) -> String {
        let next = self.batches.len();
        format!("alloc_{}", self.batches.entry(batch).or_insert(next))
    }

    /// One `alloc_tensors` call.
    pub(super) fn alloc(&mut self, batch: BatchId, creates: &[Create]) {
        let name = self.batch(batch);
        let mut infos = Vec::new();
        for (index, create) in creates.iter().enumerate() {
            let tensor = self.tensors.get(&(batch, index as u32)).copied();
            let info = match tensor {
                // The variable may have become another's, and have no name of its own.
                Some(var) if !self.name(var).is_empty() => format!("{}_ci", self.name(var)),
                Some(var) => format!("{}_ci", self.function.var(var).name),
                None => format!("{name}_{index}_ci"),
            };
            let info = self.names.give(&info);
            let shapes = self.names.give(&format!("{info}_shapes"));
            self.create_info(&info, &shapes, create);
            infos.push(info);
        }
        let call = format!("alloc_tensors({});", infos.join(", "));
        if self.facts.batches.contains(&batch) {
            self.out.line(&format!("TaskOutputTensors {name} = {call}"));
        } else {
            self.out.line(&call);
        }
    }

    /// What a tensor is like that is yet to be allocated.
    pub(super) fn create_info(&mut self, info: &str, shapes: &str, create: &Create) {
        let Elem::Known(dtype) = create.elem else {
            unreachable!("element types are known after linking")
        };
        let rank = create.dims.len();
        let dims = self.lengths(&create.dims);
        self.out
            .line(&format!("uint32_t {shapes}[{rank}] = {dims};"));
        let manual = if create.manual_dep {
            ", /*manual_dep=*/true"
        } else {
            ""
        };
        let dtype_name = number::data_type(dtype);
        self.out.line(&format!(
            "TensorCreateInfo {info}({shapes}, {rank}, DataType::{dtype_name}{manual});"
        ));
        if let Some(init) = &create.init {
            let value = self.element_value(init, dtype);
            self.out
                .line(&format!("{info}.set_initial_value({value});"));
        }
    }

    /// A scalar converted to an element, as by `as`.
    fn element_value(&mut self, value: &Expr, dtype: DType) -> String {
        let (from, to) = (type_name(&value.ty).to_owned(), dtype.name());
        if let Some(number) = constant(value) {
            return self.element_constant(number, to);
        }
        let text = self.scalar(value);
        if from == to {
            return if to == "bool" {
                format!("static_cast<uint8_t>({text})")
            } else {
                text
            };
        }
        let text = if is_half(&from) {
            self.widen(&text, &from)
        } else {
            text
        };
        match to {
            "bool" => format!("static_cast<uint8_t>({text} != 0)"),
            "f16" | "bf16" => self.narrow(&text, to),
            _ => self.converted(&text, if is_half(&from) { "f32" } else { &from }, to),
        }
    }

    /// The same for a number that is written out.
    fn element_constant(&mut self, number: Number, to: &str) -> String {
        if number == Number::Integer(0) || matches!(number, Number::Float(x) if x.to_bits() == 0) {
            // All bits of every type are zero.
            return "0".to_owned();
        }
        let value = match number {
            Number::Integer(value) => value as f64,
            Number::Float(value) => value,
        };
        let number = match (to, number) {
            ("bool", _) => Number::Integer(i128::from(value != 0.0)),
            (_, Number::Integer(_)) if is_float(to) => Number::Float(value),
            (_, Number::Float(value)) if !is_float(to) => Number::Integer(saturated(value, to)),
            (_, Number::Integer(value)) => Number::Integer(wrapped(value, to)),
            (_, number) => number,
        };
        let text = number::print(number, if to == "bool" { "u8" } else { to });
        if text.contains("numeric_limits") {
            self.needs.include("limits");
        }
        match to {
            "f32" => text,
            "bool" => format!("static_cast<uint8_t>({text})"),
            _ => format!("static_cast<{}>({text})", c_type(to)),
        }
    }

    /// The arrays that a view needs, and the call that makes it.
    pub(super) fn view(&mut self, name: &str, value: &Expr) -> String {
        match &value.kind {
            ExprKind::Slice { base, items } => self.slice(name, base, items),
            ExprKind::Reshape { base, dims } => {
                let tensor = self.tensor(base);
                let shapes = self.names.give(&format!("{name}_shapes"));
                let list = self.lengths(dims);
                let rank = dims.len();
                self.out
                    .line(&format!("uint32_t {shapes}[{rank}] = {list};"));
                format!("{tensor}.reshape({shapes}, {rank})")
            }
            ExprKind::Transpose { base, axes } => {
                let tensor = self.tensor(base);
                let (a, b) = (self.length(&axes.0), self.length(&axes.1));
                format!("{tensor}.transpose({a}, {b})")
            }
            kind => unreachable!("not a view: {kind:?}"),
        }
    }

    fn slice(&mut self, name: &str, base: &Expr, items: &[SliceItem]) -> String {
        let tensor = self.tensor(base);
        let offsets = self.names.give(&format!("{name}_offsets"));
        let shapes = self.names.give(&format!("{name}_shapes"));
        let (mut starts, mut lengths, mut dropped) = (Vec::new(), Vec::new(), 0_u32);
        for (axis, item) in items.iter().enumerate() {
            let (start, length) = match item {
                SliceItem::Index(index) => {
                    dropped |= 1 << axis;
                    (self.length(index), "1".to_owned())
                }
                SliceItem::Range(None, None) => {
                    ("0".to_owned(), format!("{tensor}.shapes[{axis}]"))
                }
                SliceItem::Range(Some(start), None) => (
                    self.length(start),
                    format!("{tensor}.shapes[{axis}] - {offsets}[{axis}]"),
                ),
                SliceItem::Range(None, Some(end)) => ("0".to_owned(), self.length(end)),
                SliceItem::Range(Some(start), Some(end)) => {
                    (self.length(start), self.distance(start, end))
                }
            };
            starts.push(start);
            lengths.push(length);
        }
        let rank = items.len();
        self.out.line(&format!(
            "uint32_t {offsets}[{rank}] = {{{}}};",
            starts.join(", ")
        ));
        self.out.line(&format!(
            "uint32_t {shapes}[{rank}] = {{{}}};",
            lengths.join(", ")
        ));
        let view = format!("{tensor}.view({shapes}, {offsets})");
        if dropped == 0 {
            return view;
        }
        format!("{}({view}, {dropped})", self.needs.helper(Helper::DropDims))
    }

    /// `end - start`, computed here where it is certain.
    fn distance(&mut self, start: &Expr, end: &Expr) -> String {
        if let (Some(Number::Integer(start)), Some(Number::Integer(end))) =
            (constant(start), constant(end))
            && start <= end
        {
            return (end - start).to_string();
        }
        if let ExprKind::Binary(BinaryOp::Add, base, length) = &end.kind
            && same(base, start)
        {
            return self.length(length);
        }
        if constant(start) == Some(Number::Integer(0)) {
            return self.length(end);
        }
        format!(
            "static_cast<uint32_t>(({} - {}))",
            self.scalar(end),
            self.scalar(start)
        )
    }

    /// The array of indices of an element; gives its name.
    fn indices(&mut self, name: &str, indices: &[Expr]) -> String {
        let array = self.names.give(&format!("{name}_indices"));
        let list = self.lengths(indices);
        self.out
            .line(&format!("uint32_t {array}[{}] = {list};", indices.len()));
        array
    }

    /// Reads an element.
    pub(super) fn get(&mut self, name: &str, base: &Expr, indices: &[Expr]) -> String {
        let tensor = self.tensor(base);
        let array = self.indices(name, indices);
        let rank = indices.len();
        let get = |ty: &str| format!("get_tensor_data<{ty}>({tensor}, {rank}, {array})");
        match element(&base.ty) {
            DType::Bool => format!("{} != 0", get("uint8_t")),
            dtype => get(c_type(dtype.name())),
        }
    }

    /// Writes an element.
    pub(super) fn set(&mut self, base: &Expr, indices: &[Expr], value: &Expr) {
        let tensor = self.tensor(base);
        let value = self.scalar(value);
        let ty = match element(&base.ty) {
            DType::Bool => "uint8_t",
            dtype => c_type(dtype.name()),
        };
        self.out.open("{");
        let stem = tensor.replace(['(', ')', '.'], "_");
        let array = self.indices(&stem, indices);
        let rank = indices.len();
        self.out.line(&format!(
            "set_tensor_data<{ty}>({tensor}, {rank}, {array}, {value});"
        ));
        self.out.close("}");
    }
}

/// Whether two expressions are the same text.
pub(super) fn same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Var(a), ExprKind::Var(b)) => a == b,
        (ExprKind::Dim(a), ExprKind::Dim(b)) => a == b,
        (ExprKind::Literal(a), ExprKind::Literal(b)) => a == b,
        (ExprKind::Binary(op, a, b), ExprKind::Binary(other, c, d)) => {
            op == other && same(a, c) && same(b, d)
        }
        (ExprKind::Unary(op, a), ExprKind::Unary(other, b)) => op == other && same(a, b),
        (ExprKind::Cast(a, to), ExprKind::Cast(b, other)) => to == other && same(a, b),
        (ExprKind::DimOf { base: a, axis: b }, ExprKind::DimOf { base: c, axis: d }) => {
            same(a, c) && same(b, d)
        }
        _ => false,
    }
}

/// `value as ty` of a float.
fn saturated(value: f64, ty: &str) -> i128 {
    let (least, most) = bounds(ty);
    (value as i128).clamp(least, most)
}

/// `value as ty` of an integer.
fn wrapped(value: i128, ty: &str) -> i128 {
    let (least, most) = bounds(ty);
    (value - least).rem_euclid(most - least + 1) + least
}
