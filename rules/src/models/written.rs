//! Modules of the library that are written in Python, as far as programs see what they do.
//!
//! A body that is analysed says more than flows between ports can: what is called in which order, what an object keeps, which
//! exceptions are swallowed. These texts stand in for the module's own source, which may be long, and full of what no static
//! analysis follows.

/// Embeds files of `rules/written/` under the names of their modules.
macro_rules! embed {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../written/", $name, ".py")))),*]
    };
}

/// Name and text of each module.
const WRITTEN: &[(&str, &str)] = embed!["contextlib", "dataclasses", "enum"];

/// The text of a module, where there is one.
#[must_use]
pub fn written(module: &str) -> Option<&'static str> {
    WRITTEN.iter().find(|(name, _)| *name == module).map(|(_, text)| *text)
}
