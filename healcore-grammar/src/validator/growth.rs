//! Operators and loops that could build something huge, and `%`, which could format.

use ruff_python_ast::{Expr, Operator};
use ruff_text_size::{Ranged, TextRange};

use super::facts::{Extent, Fact, Kind};
use super::{Use, Validator};
use crate::code::Code;
use crate::healing::ObligationKind;
use crate::vocabulary::method;

impl Validator<'_> {
    /// A binary or augmented operator, after its operands were checked.
    pub(super) fn operation(&mut self, left: &Expr, operator: Operator, right: &Expr, range: TextRange) {
        let (from, with) = (self.fact(left), self.fact(right));
        match operator {
            Operator::Mult => self.product(from, with, range),
            Operator::Pow => self.power(from, with, range),
            Operator::LShift => self.shift(from, with, range),
            Operator::Mod => self.modulo(left, from, range),
            Operator::MatMult => self.reject(Code::MatrixProduct, range, "`@` is not in the list of operators"),
            Operator::Add => {
                if !(from.is_number() && with.is_number()) {
                    self.oblige(ObligationKind::Growth, range);
                }
            }
            Operator::Sub
            | Operator::Div
            | Operator::FloorDiv
            | Operator::RShift
            | Operator::BitOr
            | Operator::BitXor
            | Operator::BitAnd => {}
        }
    }

    /// `*` repeats when one side is a sequence; only two certain numbers cannot.
    fn product(&mut self, left: Fact, right: Fact, range: TextRange) {
        match (left.kind, right.kind) {
            (Kind::Number, Kind::Number) => self.integer_bits(left.bits.saturating_add(right.bits), range),
            (Kind::Sequence, _) => self.repetition(left.high, right.high, range),
            (_, Kind::Sequence) => self.repetition(right.high, left.high, range),
            (Kind::Number | Kind::Unknown, Kind::Number | Kind::Unknown) => {
                self.oblige(ObligationKind::Growth, range);
                let count = if left.is_number() { left } else { right };
                if count.ceiling().is_some_and(|count| count > self.bounds().sequence_items) {
                    let message = "the other side could be a sequence, which would be repeated that often";
                    self.reject(Code::RepetitionTooLarge, range, message);
                }
            }
        }
    }

    fn repetition(&mut self, length: Option<Extent>, count: Option<Extent>, range: TextRange) {
        self.oblige(ObligationKind::Growth, range);
        let live = Extent { scale: 1, degree: 1 };
        let size = count.map(|count| length.unwrap_or(live).times(count));
        let rounds = self.loops.iter().filter_map(|outer| outer.iterations).fold(1_u64, u64::saturating_mul);
        let fits = size.is_some_and(|size| {
            let scale = u64::try_from(size.scale.max(0)).unwrap_or(u64::MAX);
            match size.degree {
                0 => scale <= self.bounds().sequence_items && scale.saturating_mul(rounds) <= self.bounds().total_items,
                1 => scale <= self.bounds().growth_factor,
                _ => false,
            }
        });
        if !fits {
            self.reject(Code::RepetitionTooLarge, range, "the repeated sequence has no small bound");
        }
    }

    fn power(&mut self, base: Fact, exponent: Fact, range: TextRange) {
        if !base.is_number() {
            self.oblige(ObligationKind::Growth, range);
        }
        let bits = exponent.high.filter(|high| high.degree == 0).map(|_| {
            let exponent = exponent.magnitude().or(exponent.ceiling()).unwrap_or(u64::MAX);
            base.bits.max(1).saturating_mul(exponent)
        });
        if bits.is_none_or(|bits| bits > self.bounds().integer_bits) {
            self.reject(Code::PowerTooLarge, range, "the power has no small bound");
        }
    }

    fn shift(&mut self, value: Fact, count: Fact, range: TextRange) {
        let bits = count.ceiling().map(|count| value.bits.saturating_add(count));
        if bits.is_none_or(|bits| bits > self.bounds().integer_bits) {
            self.reject(Code::ShiftTooLarge, range, "the shift has no small bound");
        }
    }

    /// `%` formats when its left side is text: then only a literal can be judged.
    fn modulo(&mut self, left: &Expr, fact: Fact, range: TextRange) {
        match left {
            Expr::StringLiteral(literal) => self.percent_format(literal.value.to_str(), left),
            Expr::BytesLiteral(literal) => {
                let format: String = literal.value.bytes().map(char::from).collect();
                self.percent_format(&format, left);
            }
            _ if fact.is_number() => {}
            _ => {
                let message = format!("`{}` could be text, and `%` would format it", self.text(left));
                self.reject(Code::Modulo, range, message);
            }
        }
    }

    pub(super) fn integer_literal(&mut self, literal: &Expr) {
        let bits = self.fact(literal).bits;
        self.integer_bits_of(bits, Code::IntegerTooLarge, literal.range());
    }

    fn integer_bits(&mut self, bits: u64, range: TextRange) {
        self.integer_bits_of(bits, Code::PowerTooLarge, range);
    }

    fn integer_bits_of(&mut self, bits: u64, code: Code, range: TextRange) {
        let limit = self.bounds().integer_bits;
        if bits > limit {
            self.reject(code, range, format!("the integer could have {bits} bits of at most {limit}"));
        }
    }

    pub(super) fn literal_length(&mut self, bytes: usize, literal: &Expr) {
        let limit = self.bounds().string_bytes;
        if bytes > limit {
            self.reject(Code::StringTooLong, literal, format!("the literal has {bytes} bytes of at most {limit}"));
        }
    }

    /// How often a loop over this iterable runs, where that is certain.
    pub(super) fn iterations(&self, iterable: &Expr) -> Option<u64> {
        let count = |elements: &[Expr]| {
            let plain = !elements.iter().any(Expr::is_starred_expr);
            plain.then(|| u64::try_from(elements.len()).ok()).flatten()
        };
        match iterable {
            Expr::List(list) => count(&list.elts),
            Expr::Tuple(tuple) => count(&tuple.elts),
            Expr::Set(set) => count(&set.elts),
            Expr::StringLiteral(literal) => u64::try_from(literal.value.to_str().len()).ok(),
            Expr::Call(call) => {
                let hidden = |name: &str| self.is_hidden(name);
                let (function, _) = self.calls(&hidden).builtin(iterable)?;
                let arguments = &call.arguments.args;
                match function {
                    "range" => self.range_length(arguments),
                    "enumerate" | "reversed" | "sorted" | "list" | "tuple" | "iter" => {
                        self.iterations(arguments.first()?)
                    }
                    "zip" => arguments.iter().filter_map(|argument| self.iterations(argument)).min(),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The largest length of `range(…)`, where its limits are certain.
    pub(super) fn range_length(&self, arguments: &[Expr]) -> Option<u64> {
        let limits = |start: Fact, stop: Fact| {
            let stop = stop.high.filter(|high| high.degree == 0)?.scale;
            let length = stop.saturating_sub(start.low?).max(0);
            Some(u64::try_from(length).unwrap_or(u64::MAX))
        };
        let zero = |stop: Fact| limits(Fact { low: Some(0), ..stop }, stop);
        match arguments {
            [stop] => zero(self.fact(stop)),
            [start, stop] => limits(self.fact(start), self.fact(stop)),
            [start, stop, step] => {
                let (start, stop, step) = (self.fact(start), self.fact(stop), self.fact(step));
                if step.low >= Some(1) {
                    let length = limits(start, stop)?;
                    let step = step.low.and_then(|step| u64::try_from(step).ok())?;
                    return Some(length.div_ceil(step));
                }
                // A negative or unknown step: the distance between the limits, in whichever direction.
                limits(start, stop).zip(limits(stop, start)).map(|(up, down)| up.max(down))
            }
            _ => None,
        }
    }

    /// The place whose elements a loop visits directly, so that growing it would prolong the loop.
    pub(super) fn iterated_place(&self, iterable: &Expr) -> Option<String> {
        let hidden = |name: &str| self.is_hidden(name);
        match self.calls(&hidden).builtin(iterable) {
            Some(("enumerate" | "iter" | "zip" | "map" | "filter", call)) => {
                call.arguments.args.iter().find_map(|argument| self.iterated_place(argument))
            }
            Some(_) => None,
            None => Self::dotted(iterable),
        }
    }

    /// Rejects growth of a place that a loop around it visits.
    pub(super) fn grows_iterated(&mut self, place: &Expr, range: TextRange) {
        let Some(path) = Self::dotted(place) else { return };
        if self.loops.iter().any(|outer| outer.iterated.as_deref() == Some(path.as_str())) {
            self.reject(Code::GrowsIterated, range, format!("the loop visits what is added to `{path}`"));
        }
    }

    /// Rejects `x = x + x` in a loop, or often: the size doubles each time. `limit` is how many occurrences of
    /// the target in the value are too many.
    pub(super) fn self_growth(&mut self, target: &Expr, value: &Expr, limit: usize) {
        if self.fact(value).is_number() && self.loops.is_empty() {
            return;
        }
        let Some(path) = Self::dotted(target) else { return };
        if occurrences(value, &path, self.bounds().expression_depth) < limit {
            return;
        }
        self.self_growth += 1;
        if !self.loops.is_empty() || self.self_growth > self.bounds().self_growth {
            self.reject(Code::GrowsItself, value, format!("`{path}` is combined with itself again and again"));
        }
    }

    /// `x.extend(x)` and the like count as `x = x + x`.
    pub(super) fn method_growth(&mut self, receiver: &Expr, name: &str, arguments: &[Expr], range: TextRange) {
        if method(name).is_some_and(|method| method.grows) {
            self.grows_iterated(receiver, range);
            for argument in arguments {
                self.self_growth(receiver, argument, 1);
            }
        }
    }

    /// An argument that has to be small, such as a width.
    pub(super) fn bounded_size(&mut self, size: &Expr, limit: u64, what: &str) {
        self.expression(size, Use::Value);
        let fits = self.fact(size).high.is_some_and(|high| {
            let scale = u64::try_from(high.scale.max(0)).unwrap_or(u64::MAX);
            match high.degree {
                0 => scale <= limit,
                1 => scale <= self.bounds().growth_factor,
                _ => false,
            }
        });
        if !fits {
            self.reject(Code::SizeUnbounded, size, format!("the {what} is not known to be at most {limit}"));
        }
    }
}

/// How often a value is built from a place: as an operand of `+` and `*`, in displays and f-strings.
fn occurrences(value: &Expr, path: &str, depth: usize) -> usize {
    let Some(depth) = depth.checked_sub(1) else { return 0 };
    let inner = |value: &Expr| occurrences(value, path, depth);
    let all = |values: &[Expr]| values.iter().map(inner).sum();
    match value {
        Expr::Name(_) | Expr::Attribute(_) => usize::from(Validator::dotted(value).as_deref() == Some(path)),
        Expr::BinOp(operation) if matches!(operation.op, Operator::Add | Operator::Mult) => {
            inner(&operation.left) + inner(&operation.right)
        }
        Expr::If(conditional) => inner(&conditional.body).max(inner(&conditional.orelse)),
        Expr::List(list) => all(&list.elts),
        Expr::Tuple(tuple) => all(&tuple.elts),
        Expr::Set(set) => all(&set.elts),
        Expr::Dict(dict) => dict.items.iter().map(|item| inner(&item.value)).sum(),
        Expr::Starred(starred) => inner(&starred.value),
        Expr::Call(call) => all(&call.arguments.args),
        Expr::FString(text) => text
            .value
            .elements()
            .filter_map(|element| element.as_interpolation())
            .map(|field| inner(&field.expression))
            .sum(),
        _ => 0,
    }
}
