//! HealCore from outside: what is accepted, what is refused and why, and that any text is decided.

mod document;
mod hostile;
mod ordinary;
mod robustness;
mod round_trip;
mod snippets;
