//! Where items stand: containers whose length or keys never change, and what stars, slices, unpacking and concatenation
//! therefore put where.

#![allow(
    clippy::iter_over_hash_type,
    reason = "what is gathered goes into sets and maps, or is sorted before it is used"
)]

use std::collections::BTreeSet;

use healguard_rules::schema::{Ctx, FAR, Field, Func, Obj, Point, Shift, Var, allocated, is_constant, item_of};
use healguard_rules::{effects, points_to, taint};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bodies::Placed;
use crate::ir::{Constant, Element, Kind, Layout, Name, Passing, Slot, Unpacked};
use crate::snapshot::Value;
use crate::solve::{Effects, PointsTo};
use crate::world::Entity;

use super::Engine;
use super::kills::{Values, calling, exact_item};
use super::single::Entry;

/// Sequences that are longer have no layout.
const MAX_LENGTH: usize = 64;

/// The calls that enter each body, or nothing where one is not a plain call of the program.
type Entries = FxHashMap<(Ctx, Func), Option<Vec<Entry>>>;

/// What is known of containers.
struct Layouts {
    values: Values,
    sequences: FxHashSet<Obj>,
    /// Sequences that have this many items, always.
    lengths: FxHashMap<Obj, usize>,
    /// Mappings that have at most these keys, always.
    keys: FxHashMap<Obj, BTreeSet<Field>>,
    /// Which item a name stands for, and the number of the name.
    by_name: FxHashMap<Name, Field>,
    names: FxHashMap<Field, u32>,
    /// The items at the positions from 0 on.
    items: Vec<Field>,
    healed: FxHashSet<(Ctx, Point)>,
    entries: Entries,
    /// Calls that do something else than entering bodies with the arguments that are given.
    irregular: FxHashSet<(Ctx, Point)>,
    calling: FxHashSet<(Ctx, Point)>,
    contexts: FxHashMap<Func, Vec<Ctx>>,
}

impl Layouts {
    /// The sequences that a variable may hold, with their lengths.
    fn sequences_in(&self, ctx: Ctx, var: Var) -> Option<Vec<(Obj, usize)>> {
        let objects = self.values.of(ctx, var);
        let known: Option<Vec<_>> =
            objects.iter().map(|object| self.lengths.get(object).map(|length| (*object, *length))).collect();
        known.filter(|known| !known.is_empty())
    }

    /// The keys that the mappings in a variable may have.
    fn keys_in(&self, ctx: Ctx, var: Var) -> Option<BTreeSet<Field>> {
        let objects = self.values.of(ctx, var);
        let keys: Option<Vec<_>> = objects.iter().map(|object| self.keys.get(object)).collect();
        keys.filter(|keys| !keys.is_empty()).map(|keys| keys.into_iter().flatten().copied().collect())
    }

    /// The mappings that a variable may hold, where the keys of all of them are known.
    fn mappings_in(&self, (ctx, point): (Ctx, Point), var: Var, places: &mut Places) -> Vec<(Obj, BTreeSet<Field>)> {
        if self.keys_in(ctx, var).is_none() {
            return Vec::new();
        }
        places.placed.insert((ctx, point, var));
        self.values.of(ctx, var).iter().map(|object| (*object, self.keys[object].clone())).collect()
    }

    /// Whether an object is made by the healing: another healing makes another one.
    fn is_healed(&self, object: Obj) -> bool {
        object.point().is_some_and(|point| self.healed.contains(&(object.ctx(), point)))
    }

    /// Whether an instruction calls something.
    fn is_calling(&self, at: (Ctx, Point)) -> bool {
        self.calling.contains(&at)
    }

    /// The one length that what a variable holds can have.
    fn length_in(&self, ctx: Ctx, var: Var) -> Option<usize> {
        let known = self.sequences_in(ctx, var)?;
        known.iter().all(|(_, length)| *length == known[0].1).then_some(known[0].1)
    }
}

impl Engine<'_, '_> {
    pub(super) fn find_layouts(&mut self, solved: &PointsTo, effects: &Effects) {
        let mut layouts = self.start_layouts(solved, effects);
        self.find_lengths(&mut layouts);
        self.find_keys(&mut layouts, solved, effects);
        self.place_items(&layouts);
    }

    fn start_layouts(&mut self, solved: &PointsTo, effects: &Effects) -> Layouts {
        let mut entries: Entries = FxHashMap::default();
        let mut irregular = FxHashSet::default();
        for points_to::CallTo(ctx, point, inner, _, func, shift) in &solved.call_to {
            let is_plain = matches!(*shift, Shift::NONE | Shift::METHOD | Shift::INITIALIZE) && self.only_calls(*point);
            let known = entries.entry((*inner, *func)).or_insert_with(|| Some(Vec::new()));
            if let Some(calls) = known.as_mut().filter(|_| is_plain) {
                calls.push((*ctx, *point, *shift));
            } else {
                *known = None;
                irregular.insert((*ctx, *point));
            }
        }
        let lists = self.objects_of(solved, &["builtins.list"]);
        let tuples = self.objects_of(solved, &["builtins.tuple"]);
        let values = Values::new(solved);
        let resized = self.resized(&values, effects);
        let healed: FxHashSet<_> = effects.healing.iter().map(|effects::Healing(ctx, point)| (*ctx, *point)).collect();
        let sequences = lists.into_iter().filter(|list| !resized.contains(list)).chain(tuples);
        let mut layouts = Layouts {
            values,
            sequences: sequences.collect(),
            lengths: FxHashMap::default(),
            keys: FxHashMap::default(),
            by_name: FxHashMap::default(),
            names: FxHashMap::default(),
            items: Vec::new(),
            healed,
            entries,
            irregular,
            calling: calling(solved),
            contexts: Self::contexts(solved),
        };
        let healed: Vec<Obj> = layouts.sequences.iter().copied().filter(|object| layouts.is_healed(*object)).collect();
        healed.iter().for_each(|object| _ = layouts.sequences.remove(object));
        self.tell_items(&mut layouts);
        layouts
    }

    /// Positions and names as items.
    fn tell_items(&mut self, layouts: &mut Layouts) {
        for position in 0..=2 * MAX_LENGTH {
            let key = self.world.constant(&Constant::Int(position.to_string().into()));
            layouts.items.push(item_of(key));
        }
        let texts: Vec<(Field, Name)> = self
            .world
            .constant_objects()
            .filter_map(|(object, constant)| match constant {
                Constant::Str(text) => exact_item(object).map(|field| (field, Name::from(&**text))),
                _ => None,
            })
            .collect();
        for (field, text) in texts {
            layouts.names.insert(field, self.world.name(&text));
            layouts.by_name.insert(text, field);
        }
    }

    /// Containers of which items come, go or move after they were made.
    fn resized(&self, values: &Values, effects: &Effects) -> FxHashSet<Obj> {
        let mut resized = FxHashSet::default();
        for effects::Writes(ctx, point, object, field) in &effects.writes {
            let is_making = object.point() == Some(*point) && object.ctx() == *ctx;
            let is_store = *field == Field::ANY_ITEM && self.stores_at_constants(values, *ctx, *point);
            if field.as_key().is_none() && !is_making && !is_store {
                resized.insert(*object);
            }
        }
        resized
    }

    /// Whether an instruction stores to an item, and not to several: nothing but constants is its key.
    fn stores_at_constants(&self, values: &Values, ctx: Ctx, point: Point) -> bool {
        let Some((body, _)) = self.bodies.at(point) else { return false };
        let Some(Kind::StoreItem { key, .. }) = self.bodies.kind(point) else { return false };
        values.of(ctx, body.var(*key)).iter().all(|key| is_constant(*key))
    }

    /// A snapshot's sequences have their items; those that the slice makes have what their making says.
    fn find_lengths(&self, layouts: &mut Layouts) {
        for object in layouts.sequences.clone() {
            if let Some(Entity::Snapshot(id)) = self.world.entity(object) {
                let source = self.world.snapshot.objects.get(id).filter(|source| !source.cut);
                let length = source.and_then(|source| source.items.as_ref()).map(Vec::len);
                if let Some(length) = length.filter(|length| *length <= MAX_LENGTH) {
                    layouts.lengths.insert(object, length);
                }
            }
        }
        loop {
            let open = layouts.sequences.iter().filter(|object| !layouts.lengths.contains_key(*object));
            let found: Vec<_> = open.filter_map(|object| Some((*object, self.length(layouts, *object)?))).collect();
            if found.is_empty() {
                break;
            }
            layouts.lengths.extend(found);
        }
    }

    fn length(&self, layouts: &Layouts, object: Obj) -> Option<usize> {
        let point = object.point().filter(|_| object.is_allocated())?;
        if self.bodies.is_callback(point) {
            return None;
        }
        let (body, node) = self.bodies.at(point)?;
        let ctx = object.ctx();
        let of = |slot: &Slot| layouts.length_in(ctx, body.var(*slot));
        let length = match &body.ssa.body.nodes[node].kind {
            Kind::Build { layout: Layout::List | Layout::Tuple, elements, .. } => {
                let lengths = elements.iter().map(|element| match element {
                    Element::Item(_) => Some(1),
                    Element::Spread(value) => of(value),
                    _ => None,
                });
                lengths.sum::<Option<usize>>()?
            }
            Kind::UnpackRest { src, before, behind, .. } => of(src)?.checked_sub((before + behind) as usize)?,
            Kind::LoadSlice { base, bounds, given, .. } => {
                self.selected(layouts, (ctx, body), bounds, *given, of(base)?)?.len()
            }
            Kind::Operate { operator: "+", left, right: Some(right), .. } => of(left)? + of(right)?,
            Kind::Entry => self.rest_length(layouts, (ctx, body))?,
            _ => return None,
        };
        (length <= MAX_LENGTH).then_some(length)
    }

    /// How many arguments without a parameter the calls of a body give, where all give the same number.
    fn rest_length(&self, layouts: &Layouts, (ctx, body): (Ctx, &Placed)) -> Option<usize> {
        let calls = layouts.entries.get(&(ctx, body.func))?.as_ref()?;
        let positional = body.ssa.body.parameters.positional;
        let given = |(ctx, point, shift): &Entry| {
            let count = self.argument_count(layouts, *ctx, *point)?;
            Some((count + usize::from(*shift != Shift::NONE)).saturating_sub(positional))
        };
        let first = given(calls.first()?)?;
        calls.iter().all(|call| given(call) == Some(first)).then_some(first)
    }

    fn argument_count(&self, layouts: &Layouts, ctx: Ctx, point: Point) -> Option<usize> {
        let (body, _) = self.bodies.at(point)?;
        let Some(Kind::Call { arguments, .. }) = self.bodies.kind(point) else { return None };
        let counts = arguments.iter().map(|argument| match argument.passing {
            Passing::Position(_) => Some(1),
            Passing::Star => layouts.length_in(ctx, body.var(argument.value)),
            Passing::Keyword(_) | Passing::DoubleStar => Some(0),
        });
        counts.sum()
    }

    /// The positions that a slice takes, in their order.
    fn selected(
        &self,
        layouts: &Layouts,
        (ctx, body): (Ctx, &Placed),
        bounds: &[Slot],
        given: [bool; 3],
        length: usize,
    ) -> Option<Vec<usize>> {
        let mut bounds = bounds.iter();
        let mut values = [None; 3];
        for (value, _) in values.iter_mut().zip(given).filter(|(_, given)| *given) {
            let object = layouts.values.only(ctx, body.var(*bounds.next()?))?;
            *value = match self.world.constant_value(object)? {
                Constant::None => None,
                Constant::Int(digits) => Some(digits.parse::<i64>().ok()?),
                _ => return None,
            };
        }
        let [start, stop, step] = values;
        Some(slice_positions(start, stop, step.unwrap_or(1), length as i64)).filter(|_| step != Some(0))
    }

    // ------------------------------------------------------------------ mappings

    /// Mappings that have no other keys than those that are known.
    fn find_keys(&self, layouts: &mut Layouts, solved: &PointsTo, effects: &Effects) {
        let mut added: FxHashMap<Obj, Option<BTreeSet<Field>>> = FxHashMap::default();
        for effects::Writes(ctx, point, object, field) in &effects.writes {
            let is_making = object.point() == Some(*point) && object.ctx() == *ctx;
            let takes_away =
                matches!(self.bodies.kind(*point), Some(Kind::DeleteItem { .. })) && *field == Field::ANY_ITEM;
            let known = added.entry(*object).or_insert_with(|| Some(BTreeSet::new()));
            match known {
                _ if is_making || takes_away || *field == Field::SHAPE => {}
                Some(fields) if field.as_key().is_some() => {
                    fields.insert(*field);
                }
                _ => *known = None,
            }
        }
        let mappings = self.objects_of(solved, &["builtins.dict"]);
        let mappings: Vec<Obj> = mappings.into_iter().filter(|object| !layouts.is_healed(*object)).collect();
        loop {
            let mut found = Vec::new();
            for object in mappings.iter().filter(|object| !layouts.keys.contains_key(*object)) {
                let stored = added.get(object).cloned().unwrap_or_else(|| Some(BTreeSet::new()));
                if let Some((mut keys, stored)) = self.made_keys(layouts, *object).zip(stored) {
                    keys.extend(stored);
                    found.push((*object, keys));
                }
            }
            if found.is_empty() {
                break;
            }
            layouts.keys.extend(found);
        }
    }

    /// The keys that a mapping is made with.
    fn made_keys(&self, layouts: &Layouts, object: Obj) -> Option<BTreeSet<Field>> {
        if let Some(Entity::Snapshot(id)) = self.world.entity(object) {
            let source = self.world.snapshot.objects.get(id).filter(|source| !source.cut)?;
            let entries = source.entries.as_deref().filter(|entries| entries.len() <= MAX_LENGTH)?;
            let key_of =
                |key: &Value| if let Value::Str(name) = key { layouts.by_name.get(&**name).copied() } else { None };
            return entries.iter().map(|(key, _)| key_of(key)).collect();
        }
        let point = object.point().filter(|point| object.is_allocated() && !self.bodies.is_callback(*point))?;
        let (body, node) = self.bodies.at(point)?;
        let ctx = object.ctx();
        match &body.ssa.body.nodes[node].kind {
            Kind::Build { layout: Layout::Dict, elements, .. } => {
                let mut keys = BTreeSet::new();
                for element in elements {
                    match element {
                        Element::Pair(key, _) => {
                            keys.insert(layouts.values.only(ctx, body.var(*key)).and_then(exact_item)?);
                        }
                        Element::Mapping(value) => keys.extend(layouts.keys_in(ctx, body.var(*value))?),
                        Element::Item(_) | Element::Spread(_) => return None,
                    }
                }
                Some(keys)
            }
            Kind::Exit => self.rest_keys(layouts, ctx, body),
            _ => None,
        }
    }

    /// The names under which calls give arguments that have no parameter, and some that have one.
    fn rest_keys(&self, layouts: &Layouts, ctx: Ctx, body: &Placed) -> Option<BTreeSet<Field>> {
        let mut keys = BTreeSet::new();
        for (ctx, point, _) in layouts.entries.get(&(ctx, body.func))?.as_ref()? {
            let (caller, _) = self.bodies.at(*point)?;
            let Some(Kind::Call { arguments, .. }) = self.bodies.kind(*point) else { return None };
            for argument in arguments {
                match &argument.passing {
                    Passing::Keyword(name) => {
                        keys.insert(*layouts.by_name.get(&**name)?);
                    }
                    Passing::DoubleStar => keys.extend(layouts.keys_in(*ctx, caller.var(argument.value))?),
                    Passing::Position(_) | Passing::Star => {}
                }
            }
        }
        Some(keys)
    }

    // ------------------------------------------------------------------ positions

    /// Tells the rules where items go.
    fn place_items(&mut self, layouts: &Layouts) {
        let mut places = Places { items: layouts.items.clone(), ..Places::default() };
        for body in self.bodies.iter() {
            for ctx in layouts.contexts.get(&body.func).into_iter().flatten() {
                for id in 0..body.ssa.body.nodes.len() {
                    self.place_node(layouts, (*ctx, body), body.point(id), &mut places);
                }
            }
        }
        let facts = &mut self.facts;
        facts.placed.extend(places.placed.into_iter().map(|(c, p, v)| taint::Placed(c, p, v)));
        facts.lands.extend(places.lands.into_iter().map(|(c, p, o, x, t, y)| taint::Lands(c, p, o, x, t, y)));
        facts.picks.extend(places.picks.into_iter().map(|(c, p, o, x)| taint::Picks(c, p, o, x)));
        facts.arrives.extend(places.arrives.into_iter().map(|(c, p, o, x, i)| taint::Arrives(c, p, o, x, i)));
        facts.meets.extend(places.meets.into_iter().map(|(c, p, o, x, n)| taint::Meets(c, p, o, x, n)));
    }

    fn place_node(&self, layouts: &Layouts, (ctx, body): (Ctx, &Placed), point: Point, places: &mut Places) {
        let at = (ctx, point);
        let made = allocated(point, ctx);
        let in_slot = |slot: &Slot| layouts.sequences_in(ctx, body.var(*slot));
        let var = |slot: &Slot| body.var(*slot);
        match self.bodies.kind(point) {
            Some(Kind::Build { elements, .. }) => self.place_elements(layouts, (ctx, body), point, elements, places),
            Some(Kind::UnpackRest { src, before, behind, .. }) => {
                for (object, length) in places.place(at, var(src), in_slot(src)) {
                    let end = length.saturating_sub(*behind as usize);
                    places.land(at, object, *before as usize..end, made, 0);
                }
            }
            Some(Kind::UnpackItem { src, at: Unpacked::FromEnd(number), .. }) => {
                for (object, length) in places.place(at, var(src), in_slot(src)) {
                    places.pick(at, object, length.checked_sub(*number as usize));
                }
            }
            Some(Kind::LoadSlice { base, bounds, given, .. }) if !layouts.is_calling(at) => {
                let Some(known) = in_slot(base) else { return };
                let select = |length| self.selected(layouts, (ctx, body), bounds, *given, length);
                let selected: Option<Vec<_>> =
                    known.iter().map(|(object, length)| Some((*object, select(*length)?))).collect();
                let Some(selected) = selected else { return };
                places.placed.insert((ctx, point, var(base)));
                for (object, positions) in selected {
                    places.land(at, object, positions, made, 0);
                }
            }
            Some(Kind::Operate { operator: "+", left, right: Some(right), .. }) if !layouts.is_calling(at) => {
                let (Some(offset), Some(_)) = (layouts.length_in(ctx, var(left)), in_slot(right)) else { return };
                for (operand, offset) in [(left, 0), (right, offset)] {
                    for (object, length) in places.place(at, var(operand), in_slot(operand)) {
                        places.land(at, object, 0..length, made, offset);
                    }
                }
            }
            Some(Kind::LoadItem { base, key, .. } | Kind::StoreItem { base, key, .. }) if !layouts.is_calling(at) => {
                let Some(key) = layouts.values.only(ctx, var(key)) else { return };
                let Some(Constant::Int(digits)) = self.world.constant_value(key) else { return };
                let Some(number) = digits.strip_prefix('-').and_then(|digits| digits.parse::<usize>().ok()) else {
                    return;
                };
                for (object, length) in places.place(at, var(base), in_slot(base)) {
                    places.pick(at, object, length.checked_sub(number));
                }
            }
            Some(Kind::Call { arguments, .. }) if !layouts.irregular.contains(&at) => {
                let arguments: Vec<_> =
                    arguments.iter().map(|argument| (&argument.passing, var(&argument.value))).collect();
                place_arguments(layouts, at, &arguments, places);
            }
            _ => {}
        }
    }

    fn place_elements(
        &self,
        layouts: &Layouts,
        (ctx, body): (Ctx, &Placed),
        point: Point,
        elements: &[Element],
        places: &mut Places,
    ) {
        let at = (ctx, point);
        let made = allocated(point, ctx);
        let mut offset = Some(0);
        for element in elements {
            match element {
                Element::Item(_) => offset = offset.map(|offset| offset + 1),
                Element::Spread(value) => {
                    let var = body.var(*value);
                    let fits = |(_, length): &(Obj, usize)| offset.is_some_and(|at| at + length <= layouts.items.len());
                    let known = layouts.sequences_in(ctx, var).filter(|known| known.iter().all(fits));
                    for (object, length) in places.place(at, var, known) {
                        places.land(at, object, 0..length, made, offset.unwrap_or_default());
                    }
                    offset = offset.zip(layouts.length_in(ctx, var)).map(|(offset, length)| offset + length);
                }
                Element::Mapping(value) => {
                    let var = body.var(*value);
                    for (object, keys) in layouts.mappings_in(at, var, places) {
                        places.lands.extend(keys.into_iter().map(|key| (ctx, point, object, key, made, key)));
                    }
                }
                Element::Pair(..) => {}
            }
        }
    }
}

/// The stars of a call.
fn place_arguments(layouts: &Layouts, at: (Ctx, Point), arguments: &[(&Passing, Var)], places: &mut Places) {
    let (ctx, point) = at;
    let mut offset = Some(0);
    for (passing, var) in arguments {
        match passing {
            Passing::Position(_) => offset = offset.map(|offset| offset + 1),
            Passing::Star => {
                let known = layouts.sequences_in(ctx, *var);
                let end = offset.zip(known.iter().flatten().map(|(_, length)| *length).max());
                // The receiver of a method takes one more.
                let is_near = end.is_some_and(|(offset, length)| offset + length + 1 < FAR as usize);
                for (object, length) in places.place(at, *var, known.filter(|_| is_near)) {
                    let first = offset.unwrap_or_default();
                    let items = (0..length).filter_map(|number| places.items.get(number).map(|item| (number, *item)));
                    let items: Vec<_> =
                        items.map(|(number, item)| (ctx, point, object, item, (first + number) as u32)).collect();
                    places.arrives.extend(items);
                }
                offset = offset.zip(layouts.length_in(ctx, *var)).map(|(offset, length)| offset + length);
            }
            Passing::DoubleStar => {
                for (object, keys) in layouts.mappings_in(at, *var, places) {
                    let named = keys.into_iter().filter_map(|key| Some((key, *layouts.names.get(&key)?)));
                    places.meets.extend(named.map(|(key, name)| (ctx, point, object, key, name)));
                }
            }
            Passing::Keyword(_) => {}
        }
    }
}

/// What the rules are told.
#[derive(Default)]
struct Places {
    /// The items at the positions from 0 on.
    items: Vec<Field>,
    placed: BTreeSet<(Ctx, Point, Var)>,
    lands: BTreeSet<(Ctx, Point, Obj, Field, Obj, Field)>,
    picks: BTreeSet<(Ctx, Point, Obj, Field)>,
    arrives: BTreeSet<(Ctx, Point, Obj, Field, u32)>,
    meets: BTreeSet<(Ctx, Point, Obj, Field, u32)>,
}

impl Places {
    /// Notes that what a variable holds is placed, where its layout is known.
    fn place(&mut self, (ctx, point): (Ctx, Point), var: Var, known: Option<Vec<(Obj, usize)>>) -> Vec<(Obj, usize)> {
        if known.is_some() {
            self.placed.insert((ctx, point, var));
        }
        known.unwrap_or_default()
    }

    /// Items of `object`, in this order, come to stand in `made` from `offset` on.
    fn land(
        &mut self,
        (ctx, point): (Ctx, Point),
        object: Obj,
        positions: impl IntoIterator<Item = usize>,
        made: Obj,
        offset: usize,
    ) {
        for (number, position) in positions.into_iter().enumerate() {
            if let (Some(from), Some(to)) = (self.items.get(position), self.items.get(offset + number)) {
                self.lands.insert((ctx, point, object, *from, made, *to));
            }
        }
    }

    fn pick(&mut self, (ctx, point): (Ctx, Point), object: Obj, position: Option<usize>) {
        let item = position.and_then(|position| self.items.get(position));
        self.picks.extend(item.map(|item| (ctx, point, object, *item)));
    }
}

/// Python's slice arithmetic (library reference, sequence types).
fn slice_positions(start: Option<i64>, stop: Option<i64>, step: i64, length: i64) -> Vec<usize> {
    let (lowest, highest) = if step < 0 { (-1, length - 1) } else { (0, length) };
    let clamp = |bound: i64| if bound < 0 { (bound + length).max(lowest) } else { bound.min(highest) };
    let (first, last) = if step < 0 { (highest, lowest) } else { (lowest, highest) };
    let (mut at, end) = (start.map_or(first, clamp), stop.map_or(last, clamp));
    let mut positions = Vec::new();
    while (step > 0 && at < end) || (step < 0 && at > end) {
        positions.push(at as usize);
        at += step;
    }
    positions
}
