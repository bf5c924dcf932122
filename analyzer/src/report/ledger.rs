//! The ledger: what a verdict rests on, each assumption once.

use std::fmt::Write;

use indexmap::{IndexMap, IndexSet};

use super::{Appearance, one_line};
use crate::verdict::Assumption;

/// Places of one assumption that are shown.
const MOST_PLACES: usize = 6;

/// The ledger as text; empty where the verdict rests on nothing.
pub(super) fn text(assumptions: &[Assumption], appearance: Appearance) -> String {
    if assumptions.is_empty() {
        return String::new();
    }
    let groups = grouped(assumptions);
    let widest = groups.keys().map(|(id, _)| id.chars().count()).max().unwrap_or(0);
    let mut text = String::from("ledger: this verdict rests on\n");
    for ((id, sentence), places) in &groups {
        let first = format!("  {id:widest$}  ");
        let rest = " ".repeat(widest + 4);
        let options = textwrap::Options::new(appearance.width.max(40)).subsequent_indent(&rest);
        let sentence = one_line(sentence);
        let _ = writeln!(text, "{}", textwrap::fill(&sentence, options.clone().initial_indent(&first)));
        if !places.is_empty() {
            let _ = writeln!(text, "{}", textwrap::fill(&listed(places), options.initial_indent(&rest)));
        }
    }
    text
}

/// The places of each assumption, ordered by id, in the order in which they came.
fn grouped(assumptions: &[Assumption]) -> IndexMap<(&str, &str), IndexSet<&str>> {
    let mut groups: IndexMap<(&str, &str), IndexSet<&str>> = IndexMap::new();
    for assumption in assumptions {
        let places = groups.entry((&assumption.id, &assumption.text)).or_default();
        if !assumption.place.is_empty() {
            places.insert(&assumption.place);
        }
    }
    groups.sort_by(|(one, _), _, (other, _), _| order_of(one).cmp(&order_of(other)));
    groups
}

/// Orders `A9` before `A10`.
fn order_of(id: &str) -> (usize, &str) {
    (id.len(), id)
}

fn listed(places: &IndexSet<&str>) -> String {
    let mut shown: Vec<String> = places.iter().take(MOST_PLACES).map(|place| one_line(place)).collect();
    if places.len() > MOST_PLACES {
        shown.push(format!("and {} more", places.len() - MOST_PLACES));
    }
    format!("at {}", shown.join(", "))
}
