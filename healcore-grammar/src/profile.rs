//! Profiles: which calls a healing may make, within which bounds, and what is known of the crashed frame.

use std::fmt;

use crate::bounds::Bounds;

/// What a name means in the crashed frame, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// A local, global or cell that holds some value. It hides a built-in of the same name.
    Variable,
    /// A module object.
    Module,
    /// Nothing in the frame: the name is the built-in, or does not exist.
    Unbound,
}

/// The rules that [`crate::validate`] applies.
#[derive(Clone)]
pub struct Profile<'a> {
    name: &'static str,
    bounds: Bounds,
    resolves: Option<&'a dyn Fn(&str) -> bool>,
    frame: Option<&'a dyn Fn(&str) -> Binding>,
}

impl<'a> Profile<'a> {
    /// No calls except of listed built-ins and of methods of built-in containers and strings.
    pub fn core() -> Self {
        Profile { name: "core", bounds: Bounds::VERSION_1, resolves: None, frame: None }
    }

    /// As [`Profile::core`], and calls of those dotted names for which `resolves` says that they are one
    /// function or method of the repository, whatever happens at run time.
    pub fn repository(resolves: &'a dyn Fn(&str) -> bool) -> Self {
        Profile { name: "repository", resolves: Some(resolves), ..Profile::core() }
    }

    /// Tells what names mean in the crashed frame. A name that the frame binds hides the built-in: it may
    /// be read and assigned as a variable, and no longer called as the built-in. Without this, built-in names mean built-ins.
    #[must_use]
    pub fn with_frame(mut self, frame: &'a dyn Fn(&str) -> Binding) -> Self {
        self.frame = Some(frame);
        self
    }

    /// Replaces the bounds, lowered where the validator itself could not bear them.
    #[must_use]
    pub fn with_bounds(mut self, bounds: Bounds) -> Self {
        self.bounds = bounds.bearable();
        self
    }

    /// `core` or `repository`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The bounds in force.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Whether calls of the repository are allowed at all.
    pub(crate) fn allows_repository(&self) -> bool {
        self.resolves.is_some()
    }

    pub(crate) fn resolves(&self, dotted: &str) -> bool {
        self.resolves.is_some_and(|resolves| resolves(dotted))
    }

    /// Whether the crashed frame is known to hide a built-in of this name.
    pub(crate) fn hides(&self, name: &str) -> bool {
        self.binding(name).is_some_and(|binding| binding != Binding::Unbound)
    }

    /// What the crashed frame binds the name to; `None` when nothing is known of the frame.
    pub(crate) fn binding(&self, name: &str) -> Option<Binding> {
        self.frame.map(|frame| frame(name))
    }
}

impl fmt::Debug for Profile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Profile")
            .field("name", &self.name)
            .field("bounds", &self.bounds)
            .field("frame", &self.frame.is_some())
            .finish_non_exhaustive()
    }
}
