//! What is certain about values from the text alone: that one is a number or a sequence, and how large it can get.
//!
//! Everything that is not certain is unknown. An object of the repository can give any meaning to an operator,
//! so only literals, listed built-ins and operators on such operands count as certain.

use std::collections::BTreeMap;

use ruff_python_ast::{Expr, ExprCall, Number, Operator, UnaryOp};

/// What a value is for certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A built-in number (or bool).
    Number,
    /// A built-in string, bytes, list or tuple.
    Sequence,
    /// Anything.
    Unknown,
}

/// An upper limit: `scale` times the size of a live container to the power of `degree`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) scale: i128,
    pub(crate) degree: u8,
}

impl Extent {
    const LIVE: Extent = Extent { scale: 1, degree: 1 };

    pub(crate) const fn constant(scale: i128) -> Self {
        Extent { scale, degree: 0 }
    }

    fn plus(self, other: Extent) -> Extent {
        if self.degree == 0 && other.degree == 0 {
            return Extent::constant(self.scale.saturating_add(other.scale));
        }
        Extent { scale: self.scale.max(0).saturating_add(other.scale.max(0)), degree: self.degree.max(other.degree) }
    }

    pub(crate) fn times(self, other: Extent) -> Extent {
        Extent { scale: self.scale.saturating_mul(other.scale), degree: self.degree.saturating_add(other.degree) }
    }

    fn larger(self, other: Extent) -> Extent {
        if self.degree == 0 && other.degree == 0 {
            return Extent::constant(self.scale.max(other.scale));
        }
        Extent { scale: self.scale.max(other.scale).max(1), degree: self.degree.max(other.degree) }
    }

    /// The smaller of two limits; a constant one is preferred, because it holds whatever is live.
    fn smaller(self, other: Extent) -> Extent {
        if self.degree == other.degree {
            Extent { scale: self.scale.min(other.scale), degree: self.degree }
        } else if self.degree < other.degree {
            self
        } else {
            other
        }
    }
}

/// What is certain about one value: of a number its limits, of a sequence those of its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fact {
    pub(crate) kind: Kind,
    pub(crate) low: Option<i128>,
    pub(crate) high: Option<Extent>,
    /// Bits of the number, with 64 for every unknown operand.
    pub(crate) bits: u64,
}

impl Fact {
    const WORD: u64 = 64;

    pub(crate) const UNKNOWN: Fact = Fact { kind: Kind::Unknown, low: None, high: None, bits: Self::WORD };
    const NUMBER: Fact = Fact { kind: Kind::Number, ..Fact::UNKNOWN };
    /// The length of a live container, or an index into one.
    const LENGTH: Fact = Fact { low: Some(0), high: Some(Extent::LIVE), ..Fact::NUMBER };

    fn constant(value: i128) -> Fact {
        Fact { low: Some(value), high: Some(Extent::constant(value)), bits: bits_of(value), ..Fact::NUMBER }
    }

    fn sequence(length: Option<Extent>) -> Fact {
        Fact { kind: Kind::Sequence, low: Some(0), high: length, bits: 0 }
    }

    fn sequence_of(length: usize) -> Fact {
        Fact::sequence(i128::try_from(length).ok().map(Extent::constant))
    }

    pub(crate) fn is_number(&self) -> bool {
        self.kind == Kind::Number
    }

    /// The exact value, where it is known.
    fn exact(&self) -> Option<i128> {
        self.high.filter(|high| high.degree == 0 && Some(high.scale) == self.low).map(|high| high.scale)
    }

    /// The largest absolute value, where both limits are constants.
    pub(crate) fn magnitude(&self) -> Option<u64> {
        let high = self.high.filter(|high| high.degree == 0)?.scale;
        u64::try_from(high.unsigned_abs().max(self.low?.unsigned_abs())).ok()
    }

    /// The largest value, where it is a constant; negative values count as zero.
    pub(crate) fn ceiling(&self) -> Option<u64> {
        let high = self.high.filter(|high| high.degree == 0)?;
        u64::try_from(high.scale.max(0)).ok()
    }

    /// What holds for a value that is either of the two.
    fn either(self, other: Fact) -> Fact {
        Fact {
            kind: match (self.kind, other.kind) {
                (Kind::Number, Kind::Number) => Kind::Number,
                // A repetition is as dangerous when only one of the alternatives is a sequence.
                (Kind::Sequence, _) | (_, Kind::Sequence) => Kind::Sequence,
                _ => Kind::Unknown,
            },
            low: self.low.zip(other.low).map(|(a, b)| a.min(b)),
            high: self.high.zip(other.high).map(|(a, b)| a.larger(b)),
            bits: self.bits.max(other.bits),
        }
    }
}

fn bits_of(value: i128) -> u64 {
    u64::from(128 - value.unsigned_abs().leading_zeros())
}

/// What is certain about the names that the healing itself bound.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    names: BTreeMap<String, Fact>,
}

impl Facts {
    /// Records a binding. Unknown values are not kept.
    pub(crate) fn bind(&mut self, name: &str, fact: Fact) {
        if fact.kind == Kind::Unknown && fact.high.is_none() {
            self.names.remove(name);
        } else {
            self.names.insert(name.to_owned(), fact);
        }
    }

    pub(crate) fn forget(&mut self, name: &str) {
        self.names.remove(name);
    }

    /// Keeps what holds on both of two paths.
    pub(crate) fn join(&mut self, other: &Facts) {
        self.names.retain(|name, fact| match other.names.get(name) {
            Some(known) => {
                *fact = fact.either(*known);
                true
            }
            None => false,
        });
    }

    /// Binds the target of a loop over `iterable`.
    pub(crate) fn bind_target(&mut self, target: &Expr, iterable: Fact) {
        match target {
            Expr::Name(name) => self.bind(name.id.as_str(), iterable),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|element| self.forget_target(element)),
            Expr::List(list) => list.elts.iter().for_each(|element| self.forget_target(element)),
            other => self.forget_target(other),
        }
    }

    /// Binds every name in an assignment target to an unknown value.
    pub(crate) fn forget_target(&mut self, target: &Expr) {
        match target {
            Expr::Name(name) => self.forget(name.id.as_str()),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|element| self.forget_target(element)),
            Expr::List(list) => list.elts.iter().for_each(|element| self.forget_target(element)),
            Expr::Starred(starred) => self.forget_target(&starred.value),
            _ => {}
        }
    }

    /// Binds the targets of `for target in iterable`: counters are numbers.
    pub(crate) fn bind_loop(&mut self, target: &Expr, iterable: &Expr, calls: Calls<'_>) {
        self.forget_target(target);
        let Some((function, call)) = calls.builtin(iterable) else { return };
        match (function, target) {
            ("range", Expr::Name(name)) => {
                let counter = self.range_counter(call, calls);
                self.bind(name.id.as_str(), counter);
            }
            ("enumerate", Expr::Tuple(pair))
                if call.arguments.args.len() == 1 && call.arguments.keywords.is_empty() =>
            {
                if let Some(counter) = pair.elts.first() {
                    self.bind_target(counter, Fact::LENGTH);
                }
            }
            _ => {}
        }
    }

    /// The values of a counter over `range(…)`.
    fn range_counter(&self, call: &ExprCall, calls: Calls<'_>) -> Fact {
        match &call.arguments.args[..] {
            [stop] => Fact { low: Some(0), high: self.of(stop, calls).high, ..Fact::NUMBER },
            [start, stop] => Fact { low: self.of(start, calls).low, high: self.of(stop, calls).high, ..Fact::NUMBER },
            _ => Fact::NUMBER,
        }
    }

    /// What is certain about the value of an expression.
    pub(crate) fn of(&self, expression: &Expr, calls: Calls<'_>) -> Fact {
        self.evaluate(expression, calls, calls.depth)
    }

    fn evaluate(&self, expression: &Expr, calls: Calls<'_>, depth: usize) -> Fact {
        let Some(depth) = depth.checked_sub(1) else { return Fact::UNKNOWN };
        let inner = |expression: &Expr| self.evaluate(expression, calls, depth);
        match expression {
            Expr::NumberLiteral(literal) => number(&literal.value),
            Expr::BooleanLiteral(_) => Fact { low: Some(0), high: Some(Extent::constant(1)), bits: 1, ..Fact::NUMBER },
            Expr::StringLiteral(literal) => Fact::sequence_of(literal.value.to_str().len()),
            Expr::BytesLiteral(literal) => Fact::sequence_of(literal.value.len()),
            Expr::FString(_) | Expr::ListComp(_) => Fact::sequence(Some(Extent::LIVE)),
            Expr::List(list) => display(&list.elts),
            Expr::Tuple(tuple) => display(&tuple.elts),
            Expr::Name(name) => self.names.get(name.id.as_str()).copied().unwrap_or(Fact::UNKNOWN),
            Expr::If(conditional) => inner(&conditional.body).either(inner(&conditional.orelse)),
            Expr::BoolOp(operation) => operation.values.iter().map(inner).reduce(Fact::either).unwrap_or(Fact::UNKNOWN),
            Expr::UnaryOp(operation) => unary(operation.op, inner(&operation.operand)),
            Expr::BinOp(operation) => binary(operation.op, inner(&operation.left), inner(&operation.right)),
            Expr::Call(call) => self.call(call, calls, depth),
            _ => Fact::UNKNOWN,
        }
    }

    fn call(&self, call: &ExprCall, calls: Calls<'_>, depth: usize) -> Fact {
        if let Expr::Attribute(attribute) = &*call.func {
            return match attribute.attr.as_str() {
                "join" | "ljust" | "rjust" | "center" | "zfill" | "split" | "encode" | "decode" => {
                    Fact::sequence(Some(Extent::LIVE))
                }
                _ => Fact::UNKNOWN,
            };
        }
        let Expr::Name(function) = &*call.func else { return Fact::UNKNOWN };
        let name = function.id.as_str();
        if calls.is_hidden(name) {
            return Fact::UNKNOWN;
        }
        let mut arguments = call.arguments.args.iter().map(|argument| self.evaluate(argument, calls, depth));
        match name {
            "len" => Fact::LENGTH,
            "bool" => Fact { low: Some(0), high: Some(Extent::constant(1)), bits: 1, ..Fact::NUMBER },
            "ord" => Fact { low: Some(0), high: Some(Extent::constant(0x10_FFFF)), ..Fact::NUMBER },
            "int" => arguments.next().filter(Fact::is_number).unwrap_or(Fact::NUMBER),
            "float" | "complex" => Fact { bits: Fact::WORD, ..Fact::NUMBER },
            "min" => smallest(arguments, call.arguments.keywords.is_empty()),
            "max" => largest(arguments, call.arguments.keywords.is_empty()),
            "list" | "tuple" | "str" | "repr" | "ascii" | "sorted" | "bytes" | "bytearray" | "hex" | "bin" | "oct" => {
                Fact::sequence(Some(Extent::LIVE))
            }
            _ => Fact::UNKNOWN,
        }
    }
}

/// How calls are read: how deep to look, and which built-in names the crashed frame hides.
#[derive(Clone, Copy)]
pub(crate) struct Calls<'a> {
    pub(crate) depth: usize,
    pub(crate) hidden: &'a dyn Fn(&str) -> bool,
}

impl Calls<'_> {
    fn is_hidden(self, name: &str) -> bool {
        (self.hidden)(name)
    }

    /// The built-in that the expression calls, and the call.
    pub(crate) fn builtin(self, expression: &Expr) -> Option<(&str, &ExprCall)> {
        let Expr::Call(call) = expression else { return None };
        let Expr::Name(function) = &*call.func else { return None };
        let name = function.id.as_str();
        (!self.is_hidden(name)).then_some((name, call))
    }
}

fn number(value: &Number) -> Fact {
    match value {
        Number::Int(int) => match int.as_u64() {
            Some(small) => Fact::constant(i128::from(small)),
            // The literal's own length in characters bounds its bits: at most four for each digit.
            None => Fact { bits: 4 * int.to_string().len() as u64, ..Fact::constant(i128::MAX) },
        },
        #[expect(clippy::cast_possible_truncation, reason = "the cast saturates, which keeps it an upper limit")]
        Number::Float(float) if float.is_finite() => Fact::constant(float.ceil() as i128),
        Number::Float(_) | Number::Complex { .. } => Fact::NUMBER,
    }
}

fn display(elements: &[Expr]) -> Fact {
    if elements.iter().any(Expr::is_starred_expr) {
        let scale = i128::try_from(elements.len()).unwrap_or(i128::MAX);
        return Fact::sequence(Some(Extent { scale, degree: 1 }));
    }
    Fact::sequence_of(elements.len())
}

fn unary(operator: UnaryOp, operand: Fact) -> Fact {
    match operator {
        UnaryOp::Not => Fact { low: Some(0), high: Some(Extent::constant(1)), bits: 1, ..Fact::NUMBER },
        _ if !operand.is_number() => Fact { bits: operand.bits, ..Fact::UNKNOWN },
        UnaryOp::UAdd => operand,
        UnaryOp::USub => Fact {
            low: operand.high.filter(|high| high.degree == 0).map(|high| high.scale.saturating_neg()),
            high: operand.low.map(|low| Extent::constant(low.saturating_neg())),
            ..operand
        },
        UnaryOp::Invert => Fact { low: None, high: None, ..operand },
    }
}

fn binary(operator: Operator, left: Fact, right: Fact) -> Fact {
    match (left.kind, right.kind) {
        (Kind::Number, Kind::Number) => arithmetic(operator, left, right),
        (Kind::Sequence, Kind::Sequence) if operator == Operator::Add => {
            Fact::sequence(left.high.zip(right.high).map(|(a, b)| a.plus(b)))
        }
        (Kind::Sequence, _) if operator == Operator::Add => {
            Fact::sequence(left.high.map(|high| high.plus(Extent::LIVE)))
        }
        (_, Kind::Sequence) if operator == Operator::Add => {
            Fact::sequence(right.high.map(|high| high.plus(Extent::LIVE)))
        }
        (Kind::Sequence, _) | (_, Kind::Sequence) if operator == Operator::Mult => {
            Fact::sequence(left.high.zip(right.high).map(|(a, b)| a.times(b)))
        }
        _ => Fact { bits: result_bits(operator, left, right), ..Fact::UNKNOWN },
    }
}

fn arithmetic(operator: Operator, left: Fact, right: Fact) -> Fact {
    let bits = result_bits(operator, left, right);
    if let Some(value) = left.exact().zip(right.exact()).and_then(|(a, b)| fold(operator, a, b)) {
        return Fact { bits, ..Fact::constant(value) };
    }
    let (low, high) = match operator {
        Operator::Add => (
            left.low.zip(right.low).map(|(a, b)| a.saturating_add(b)),
            left.high.zip(right.high).map(|(a, b)| a.plus(b)),
        ),
        Operator::Sub => (
            left.low.zip(right.high.filter(|high| high.degree == 0)).map(|(a, b)| a.saturating_sub(b.scale)),
            left.high.zip(right.low).map(|(a, b)| a.plus(Extent::constant(b.saturating_neg()))),
        ),
        Operator::Mult if left.low >= Some(0) && right.low >= Some(0) => {
            (Some(0), left.high.zip(right.high).map(|(a, b)| a.times(b)))
        }
        Operator::Div | Operator::FloorDiv if left.low >= Some(0) && right.low >= Some(1) => (Some(0), left.high),
        Operator::Mod if right.low >= Some(1) => (Some(0), right.high),
        _ => (None, None),
    };
    Fact { kind: Kind::Number, low, high, bits }
}

/// The value of an operator on constants; values that do not fit are replaced by the largest that does.
fn fold(operator: Operator, left: i128, right: i128) -> Option<i128> {
    match operator {
        Operator::Add => Some(left.saturating_add(right)),
        Operator::Sub => Some(left.saturating_sub(right)),
        Operator::Mult => Some(left.saturating_mul(right)),
        Operator::Pow if right >= 0 => Some(left.saturating_pow(u32::try_from(right).unwrap_or(u32::MAX))),
        Operator::LShift if left >= 0 && right >= 0 => {
            Some(left.saturating_mul(2_i128.saturating_pow(u32::try_from(right).unwrap_or(u32::MAX))))
        }
        _ => None,
    }
}

/// An upper limit for the bits of the result.
fn result_bits(operator: Operator, left: Fact, right: Fact) -> u64 {
    match operator {
        Operator::Mult => left.bits.saturating_add(right.bits),
        Operator::Pow => left.bits.saturating_mul(right.magnitude().unwrap_or(Fact::WORD)),
        Operator::LShift => left.bits.saturating_add(right.ceiling().unwrap_or(Fact::WORD)),
        _ => left.bits.max(right.bits).saturating_add(1),
    }
}

/// `min(a, b, …)`: bounded from above as soon as one argument is.
fn smallest(arguments: impl Iterator<Item = Fact>, plain: bool) -> Fact {
    let arguments: Vec<Fact> = arguments.collect();
    if arguments.len() < 2 || !plain {
        return Fact::UNKNOWN;
    }
    let numbers = arguments.iter().all(Fact::is_number);
    // With an unknown operand the result could be anything that compares; as a count or an exponent it has to be a number.
    let bounded = arguments.iter().filter(|fact| fact.is_number()).filter_map(|fact| fact.high);
    Fact {
        kind: if numbers { Kind::Number } else { Kind::Unknown },
        low: arguments.iter().map(|fact| fact.low).reduce(|a, b| a.zip(b).map(|(a, b)| a.min(b))).flatten(),
        high: bounded.reduce(Extent::smaller),
        bits: arguments.iter().map(|fact| fact.bits).max().unwrap_or(Fact::WORD),
    }
}

/// `max(a, b, …)`: bounded from below as soon as one argument is.
fn largest(arguments: impl Iterator<Item = Fact>, plain: bool) -> Fact {
    let arguments: Vec<Fact> = arguments.collect();
    if arguments.len() < 2 || !plain {
        return Fact::UNKNOWN;
    }
    let numbers = arguments.iter().all(Fact::is_number);
    Fact {
        kind: if numbers { Kind::Number } else { Kind::Unknown },
        low: arguments.iter().filter(|fact| fact.is_number()).filter_map(|fact| fact.low).max(),
        high: arguments.iter().map(|fact| fact.high).reduce(|a, b| a.zip(b).map(|(a, b)| a.larger(b))).flatten(),
        bits: arguments.iter().map(|fact| fact.bits).max().unwrap_or(Fact::WORD),
    }
}
