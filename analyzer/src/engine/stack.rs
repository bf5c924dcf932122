//! The live stack: what remains of each frame becomes a body, and each waits for the one inside.

use std::path::{Path, PathBuf};

use healguard_rules::points_to;
use healguard_rules::schema::{Ctx, Func, Obj, Point, Var};
use healguard_rules::{effects, taint};
use indexmap::IndexMap;

use crate::config::ResumeMode;
use crate::continuation::{self, Continuation, RECEIVER};
use crate::frontend::{self, SyntaxError};
use crate::ir::{Body, BodyId, NodeId, Span};
use crate::snapshot::{Frame, Object, Value};
use crate::ssa::SsaBody;
use crate::world::FileId;

use super::{Assumed, Engine, Question};

/// Why a healing cannot be placed on the live stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StackError {
    /// The crashed frame has no source that can be read.
    NoSource { file: PathBuf },
    /// The source is not Python.
    Syntax { file: PathBuf, error: SyntaxError },
    /// The source has no such function: it is not the one that crashed.
    NoFunction { file: PathBuf, function: String, line: u32 },
    /// The function has no statement at the line that failed.
    NoStatement { file: PathBuf, line: u32 },
    /// The resume mode is `return`, and the healing does not assign `healed_return`.
    NoReturn,
    /// The healing is not Python.
    Healing(SyntaxError),
}

/// Frames that run in one body: a comprehension and the code around it, innermost first.
struct Group<'s> {
    frames: Vec<&'s Frame>,
    located: Option<(FileId, BodyId)>,
}

impl<'s> Group<'s> {
    /// The frame that the one around the group called: comprehensions run inside of it.
    fn outermost(&self) -> &'s Frame {
        self.frames[self.frames.len() - 1]
    }
}

/// A body, where a frame stands in it, and which body it is.
type Stand = (Body, continuation::Standing, (FileId, BodyId));

impl<'w, 's> Engine<'w, 's> {
    /// Places what remains of every live frame.
    pub(super) fn place_stack(&mut self, question: &Question<'w>) -> Result<(), StackError> {
        let groups = self.groups();
        let through_library = self.through_library(&groups);
        let Some((crashed, waiting)) = groups.split_first() else { return Ok(()) };
        let mut inside = self.place_crashed(crashed, question)?;
        self.live = vec![Some(inside); crashed.frames.len()];
        let mut inner: &Frame = crashed.outermost();
        let mut is_direct = true;
        for (group, is_library) in waiting.iter().zip(through_library) {
            if is_library {
                self.live.extend(group.frames.iter().map(|_| None));
                is_direct = false;
                continue;
            }
            inside = self.place_waiting(group, inside, inner, is_direct);
            self.live.extend(group.frames.iter().map(|_| Some(inside)));
            inner = group.outermost();
            is_direct = true;
        }
        self.facts.root.push(points_to::Root(Ctx::LIVE, inside));
        // The interpreter waits for threads before it ends.
        let exits = self.facts.exit.iter().filter(|taint::Exit(func, _)| *func == inside);
        self.facts.switches.extend(exits.map(|taint::Exit(_, point)| points_to::Switches(*point)));
        Ok(())
    }

    /// Which of the waiting frames are the inside of a library function that has a model, down to the code that it called
    /// back. Like a function that is not written in Python, it goes on as the model says, at the instruction that called it.
    fn through_library(&self, groups: &[Group<'s>]) -> Vec<bool> {
        let package = |group: &Group<'s>| group.frames[0].module.split('.').next().unwrap_or_default().to_owned();
        let is_modelled = |frame: &&Frame| {
            let dotted = format!("{}.{}", frame.module, frame.function);
            self.world.models.get(&dotted).is_some()
        };
        let mut through = vec![false; groups.len()];
        let mut outer = groups.len();
        while outer > 1 {
            outer -= 1;
            if !groups[outer].frames.iter().any(is_modelled) {
                continue;
            }
            let library = package(&groups[outer]);
            let inside = (0..outer).rev().find(|group| package(&groups[*group]) != library);
            if let Some(inside) = inside {
                through[inside + 1..=outer].fill(true);
                outer = inside + 1;
            }
        }
        through.drain(..1.min(groups.len()));
        through
    }

    fn groups(&mut self) -> Vec<Group<'s>> {
        let snapshot = self.world.snapshot;
        let mut groups: Vec<Group<'s>> = Vec::new();
        let mut pending: Vec<&'s Frame> = Vec::new();
        for frame in &snapshot.frames {
            pending.push(frame);
            let is_comprehension =
                ["<listcomp>", "<setcomp>", "<dictcomp>"].iter().any(|name| frame.function.ends_with(name));
            if !is_comprehension {
                let located = self.world.locate(Path::new(&frame.file), &frame.function, frame.first_line);
                groups.push(Group { frames: std::mem::take(&mut pending), located });
            }
        }
        groups
    }

    fn place_crashed(&mut self, group: &Group<'s>, question: &Question<'w>) -> Result<Func, StackError> {
        let (body, standing, located) = match question.mode {
            ResumeMode::Return => self.stand_to_leave(group)?,
            ResumeMode::Retry | ResumeMode::Skip => self.stand(group)?,
        };
        let healing = frontend::lower_healing(question.healing, &body, located.1).map_err(StackError::Healing)?;
        let healing_file = self.world.add_text(question.healing_file, question.healing);
        let builder = continuation::Builder::new(&body, &group.frames, &standing);
        let healed = builder.healed(healing, question.mode).map_err(|_| StackError::NoReturn)?;
        if question.mode != ResumeMode::Retry {
            let abandoned = continuation::Builder::new(&body, &group.frames, &standing).abandoned(question.mode);
            let func = self.place_remains(&group.frames, located, abandoned, None, None);
            self.facts.abandoned_root.push(effects::AbandonedRoot(func));
            self.facts.root.push(points_to::Root(Ctx::ABANDONED, func));
        }
        Ok(self.place_remains(&group.frames, located, healed, Some(healing_file), None))
    }

    /// `is_direct`: the frame inside was called by this one, not by library code between them.
    fn place_waiting(&mut self, group: &Group<'s>, inside: Func, inner: &Frame, is_direct: bool) -> Func {
        let Ok((body, standing, located)) = self.stand(group) else {
            // Nothing is known of this frame; the one around it takes what the one inside gives.
            self.assumptions.insert((Assumed::NoSource, None));
            return inside;
        };
        let name = if is_direct { &*inner.function } else { "" };
        let remains = continuation::Builder::new(&body, &group.frames, &standing).waiting(name);
        self.place_remains(&group.frames, located, remains, None, Some((inside, inner)))
    }

    /// What remains of a generator that is suspended outside of the live stack, or of one that runs on it. Says whether it is
    /// known.
    pub(super) fn tell_suspended(&mut self, object: Obj, source: &Object) -> bool {
        let func = match source.suspended_frame() {
            Some(frame) => self.place_suspended(&frame, source.started),
            // The snapshot was taken when the exception had ended it; healed, it is still running.
            None => self.live_generator(source),
        };
        self.facts.suspended_in.extend(func.map(|func| points_to::SuspendedIn(object, func)));
        func.is_some() || !source.suspended
    }

    fn place_suspended(&mut self, frame: &Frame, started: bool) -> Option<Func> {
        let located = self.world.locate(Path::new(&frame.file), &frame.function, frame.first_line)?;
        let body = self.world.body(located.0, located.1).cloned()?;
        let span = self.span_of(located.0, frame);
        let standing = if started { continuation::standing(&body, span)? } else { continuation::Standing::default() };
        let frames = [frame];
        let builder = continuation::Builder::new(&body, &frames, &standing);
        let remains = if started { builder.suspended()? } else { builder.unstarted() };
        Some(self.place_remains(&frames, located, remains, None, None))
    }

    /// The body of the live frame that a generator object keeps.
    fn live_generator(&self, source: &Object) -> Option<Func> {
        let Some(Value::Str(function)) = &source.function else { return None };
        let is_same = |frame: &&Frame| {
            Some(&frame.file) == source.file.as_ref()
                && frame.function == *function
                && Some(frame.first_line) == source.first_line
        };
        let mut frames = self.world.snapshot.frames.iter().zip(&self.live);
        frames.find(|(frame, _)| is_same(frame)).and_then(|(_, func)| *func)
    }

    /// Where the innermost frame of a group stands in its body.
    fn stand(&mut self, group: &Group<'s>) -> Result<Stand, StackError> {
        let outermost = group.outermost();
        let path = PathBuf::from(&outermost.file);
        let Some(located) = group.located else { return Err(self.not_located(outermost)) };
        let body = self.world.body(located.0, located.1).cloned();
        let Some(body) = body else { return Err(self.not_located(outermost)) };
        let span = self.span_of(located.0, group.frames[0]);
        match continuation::standing(&body, span) {
            Some(standing) => Ok((body, standing, located)),
            None => Err(StackError::NoStatement { file: path, line: group.frames[0].line }),
        }
    }

    /// The same, in a body that has a way out from that statement.
    fn stand_to_leave(&mut self, group: &Group<'s>) -> Result<Stand, StackError> {
        let (body, standing, located) = self.stand(group)?;
        let statement = body.statements[standing.statements[0]].span;
        let span = self.span_of(located.0, group.frames[0]);
        let leaving = self.world.body_leaving(located.0, located.1, statement);
        let found = leaving.and_then(|body| continuation::standing(&body, span).map(|standing| (body, standing)));
        let (body, standing) = found.unwrap_or((body, standing));
        Ok((body, standing, located))
    }

    fn not_located(&mut self, frame: &Frame) -> StackError {
        let path = PathBuf::from(&frame.file);
        let Some(file) = self.world.file(&path) else { return StackError::NoSource { file: path } };
        match &self.world.files[file].lowered {
            Err(error) => StackError::Syntax { file: path, error: error.clone() },
            Ok(_) => StackError::NoFunction { file: path, function: frame.function.clone(), line: frame.first_line },
        }
    }

    /// The byte range of a frame's expression; without columns, of its line.
    fn span_of(&self, file: FileId, frame: &Frame) -> Span {
        let text = &self.world.files[file].text;
        let start = offset(text, frame.line, frame.column.unwrap_or(1));
        match (frame.column, frame.end_line, frame.end_column) {
            (Some(_), Some(line), Some(column)) => Span { start, end: offset(text, line, column) },
            _ => {
                let line = text.get(start as usize..).and_then(|rest| rest.lines().next()).unwrap_or_default();
                let indent = line.len() - line.trim_start().len();
                Span { start: start + indent as u32, end: start + indent as u32 }
            }
        }
    }

    fn place_remains(
        &mut self,
        frames: &[&Frame],
        located: (FileId, BodyId),
        remains: Continuation,
        healing_file: Option<FileId>,
        inside: Option<(Func, &Frame)>,
    ) -> Func {
        for span in &remains.recomputed {
            self.assumptions.insert((Assumed::Recomputed, Some((located.0, *span))));
        }
        let mut locals: IndexMap<String, Value> = IndexMap::new();
        for frame in frames {
            for (name, value) in &frame.locals {
                locals.entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
        if let Some(value) = inside.and_then(|(_, inner)| inner.locals.values().next()) {
            locals.insert(RECEIVER.to_owned(), value.clone());
        }
        let code = self.function(located.0, located.1);
        let func = Func(self.next_func);
        self.next_func += 1;
        self.facts.remains_of.push(points_to::RemainsOf(func, code));
        let ssa = SsaBody::new(remains.body);
        let first = self.next_point;
        let point = |node: usize| Point(first + node as u32);
        let healed = healed_variables(&ssa);
        let first_var = self.next_var;
        self.place(func, located, ssa, Some(locals), healing_file);
        if let Some((inner, _)) = inside {
            self.facts.resumes.extend(remains.resumes.iter().map(|node| points_to::Resumes(point(*node), inner)));
        }
        if let Some(body) = self.bodies.of_func(func) {
            let value = |node: &NodeId| Some(body.var(body.ssa.body.nodes[*node].kind.defines()?));
            let goes_on = remains.goes_on.iter();
            self.returned.extend(goes_on.filter_map(|(again, returned)| Some((point(*again), value(returned)?))));
        }
        self.facts.repeat_point.extend(remains.repeated.iter().map(|node| effects::RepeatPoint(point(*node))));
        if let Some(node) = remains.healed_at {
            self.facts.healed_at.push(taint::HealedAt(point(node)));
            let variables = healed.into_iter().map(|slot| Var(first_var + slot));
            self.facts.healed_variable.extend(variables.map(taint::HealedVariable));
        }
        func
    }
}

/// Versions of named variables that the healing writes.
fn healed_variables(ssa: &SsaBody) -> Vec<u32> {
    let healed = ssa.body.nodes.iter().filter(|node| node.healed);
    let written = healed.filter_map(|node| node.kind.defines());
    written.filter(|slot| ssa.body.slots[ssa.origin[slot.0 as usize].0 as usize].is_some()).map(|slot| slot.0).collect()
}

/// The byte offset of a line and column, both from 1; columns count characters.
pub(crate) fn offset(text: &str, line: u32, column: u32) -> u32 {
    let mut start = 0;
    for _ in 1..line {
        match text[start..].find('\n') {
            Some(at) => start += at + 1,
            None => return text.len() as u32,
        }
    }
    let within = text[start..].char_indices().nth(column.saturating_sub(1) as usize).map(|(at, _)| at);
    (start + within.unwrap_or(text.len() - start)) as u32
}
