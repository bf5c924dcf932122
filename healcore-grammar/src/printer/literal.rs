//! Literals in canonical spelling.

use ruff_python_ast::Number;

/// A string literal: double quotes, or single ones inside the field of an f-string, where the validator
/// has seen to it that nothing needs an escape.
pub(super) fn string(value: &str, in_field: bool) -> String {
    let quote = if in_field { '\'' } else { '"' };
    let mut text = String::with_capacity(value.len() + 2);
    text.push(quote);
    for character in value.chars() {
        escape(&mut text, character, quote);
    }
    text.push(quote);
    text
}

/// The literal part of an f-string in double quotes.
pub(super) fn field_text(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '{' => text.push_str("{{"),
            '}' => text.push_str("}}"),
            other => escape(&mut text, other, '"'),
        }
    }
    text
}

/// A bytes literal, printable ASCII as it is.
pub(super) fn bytes(value: impl Iterator<Item = u8>, in_field: bool) -> String {
    let quote = if in_field { '\'' } else { '"' };
    let mut text = String::from("b");
    text.push(quote);
    for byte in value {
        if byte.is_ascii() {
            escape(&mut text, char::from(byte), quote);
        } else {
            hexadecimal(&mut text, u32::from(byte));
        }
    }
    text.push(quote);
    text
}

fn escape(text: &mut String, character: char, quote: char) {
    match character {
        '\\' => text.push_str("\\\\"),
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        _ if character == quote => {
            text.push('\\');
            text.push(quote);
        }
        _ if crate::source::is_forbidden(character) => hexadecimal(text, u32::from(character)),
        _ => text.push(character),
    }
}

/// The shortest escape for a code point.
fn hexadecimal(text: &mut String, code: u32) {
    text.push_str(&match code {
        0..=0xFF => format!("\\x{code:02x}"),
        0x100..=0xFFFF => format!("\\u{code:04x}"),
        _ => format!("\\U{code:08x}"),
    });
}

/// A number literal that reads back as the same value.
pub(super) fn number(value: &Number) -> String {
    match value {
        Number::Int(int) => int.to_string(),
        Number::Float(float) => real(*float),
        Number::Complex { imag, .. } => format!("{}j", real(*imag)),
    }
}

fn real(value: f64) -> String {
    if value.is_infinite() {
        // The way Python itself writes a literal beyond the largest float.
        "1e309".to_owned()
    } else {
        format!("{value:?}")
    }
}
