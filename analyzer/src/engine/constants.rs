//! Operators on constants, as far as they need no care: what Python would compute, or nothing.

use std::cmp::Ordering;

use crate::ir::Constant;

/// Whether a constant is told with its value.
pub(super) fn is_exact(value: &Constant) -> bool {
    !matches!(value, Constant::Complex | Constant::Some(_) | Constant::Handed)
}

/// The truth of a constant.
pub(super) fn truth(value: &Constant) -> Option<bool> {
    match value {
        Constant::None => Some(false),
        Constant::Bool(value) => Some(*value),
        Constant::Str(text) => Some(!text.is_empty()),
        Constant::Bytes(bytes) => Some(!bytes.is_empty()),
        Constant::Int(_) => integer(value).map(|number| number != 0),
        Constant::Float(bits) => Some(f64::from_bits(*bits) != 0.0),
        Constant::Ellipsis => Some(true),
        Constant::Complex | Constant::Some(_) | Constant::Handed => None,
    }
}

/// An operator with one operand.
pub(super) fn unary(operator: &str, operand: &Constant) -> Option<Constant> {
    match operator {
        "not" => truth(operand).map(|truth| Constant::Bool(!truth)),
        "unary -" => number(integer(operand)?.checked_neg()?),
        "unary +" => number(integer(operand)?),
        "~" => number(!integer(operand)?),
        _ => None,
    }
}

/// An operator with two operands.
pub(super) fn binary(operator: &str, left: &Constant, right: &Constant) -> Option<Constant> {
    let ordered = |holds: fn(Ordering) -> bool| order(left, right).map(|order| Constant::Bool(holds(order)));
    match operator {
        "==" => equal(left, right).map(Constant::Bool),
        "!=" => equal(left, right).map(|equal| Constant::Bool(!equal)),
        "<" => ordered(Ordering::is_lt),
        "<=" => ordered(Ordering::is_le),
        ">" => ordered(Ordering::is_gt),
        ">=" => ordered(Ordering::is_ge),
        "+" => match (left, right) {
            (Constant::Str(left), Constant::Str(right)) => Some(Constant::Str(format!("{left}{right}").into())),
            _ => number(integer(left)?.checked_add(integer(right)?)?),
        },
        "-" => number(integer(left)?.checked_sub(integer(right)?)?),
        "*" => number(integer(left)?.checked_mul(integer(right)?)?),
        "//" | "%" => {
            let (left, right) = (integer(left)?, integer(right)?);
            // Rounds down, as Python does, where the signs agree; other signs need care.
            if left < 0 || right <= 0 {
                return None;
            }
            number(if operator == "//" { left / right } else { left % right })
        }
        _ => None,
    }
}

/// Whether two constants are equal.
pub(super) fn equal(left: &Constant, right: &Constant) -> Option<bool> {
    if !is_exact(left) || !is_exact(right) {
        return None;
    }
    if kind_of_class(left.class())? != kind_of_class(right.class())? {
        return Some(false);
    }
    match (left, right) {
        (Constant::None, Constant::None) => Some(true),
        (Constant::Bytes(left), Constant::Bytes(right)) => Some(left == right),
        _ => order(left, right).map(Ordering::is_eq),
    }
}

/// Whether a text has another one inside.
pub(super) fn contains(text: &Constant, part: &Constant) -> Option<bool> {
    match (text, part) {
        (Constant::Str(text), Constant::Str(part)) => Some(text.contains(&**part)),
        _ => None,
    }
}

/// The length of a constant.
pub(super) fn length(value: &Constant) -> Option<Constant> {
    match value {
        Constant::Str(text) => number(text.chars().count() as i64),
        Constant::Bytes(bytes) => number(bytes.len() as i64),
        _ => None,
    }
}

/// What objects of a built-in class may be equal to: the same for classes whose objects may be equal to each other.
pub(super) fn kind_of_class(class: &str) -> Option<&'static str> {
    Some(match class {
        "builtins.bool" | "builtins.int" | "builtins.float" | "builtins.complex" => "number",
        "builtins.str" => "str",
        "builtins.bytes" => "bytes",
        "builtins.NoneType" => "None",
        "builtins.list" => "list",
        "builtins.tuple" => "tuple",
        "builtins.dict" => "dict",
        "builtins.set" | "builtins.frozenset" => "set",
        _ => return None,
    })
}

fn order(left: &Constant, right: &Constant) -> Option<Ordering> {
    match (left, right) {
        // The order of UTF-8 is the order of code points.
        (Constant::Str(left), Constant::Str(right)) => Some(left.cmp(right)),
        (Constant::Float(left), Constant::Float(right)) => f64::from_bits(*left).partial_cmp(&f64::from_bits(*right)),
        _ => Some(integer(left)?.cmp(&integer(right)?)),
    }
}

fn integer(value: &Constant) -> Option<i64> {
    match value {
        Constant::Bool(value) => Some(i64::from(*value)),
        Constant::Int(digits) => digits.parse().ok(),
        _ => None,
    }
}

fn number(value: i64) -> Option<Constant> {
    Some(Constant::Int(value.to_string().into()))
}
