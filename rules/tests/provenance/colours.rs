//! Everything that rules may use besides recursion: negation, wildcards, constants, tests and functions.

#![allow(clippy::iter_over_hash_type, reason = "code made by crepe; what it returns is sorted by insert_all")]

use crepe::crepe;
use healguard_rules::database::{Database, DatabaseError};
use healguard_rules::program::{Functions, Program, ProgramError};
use healguard_rules::{impl_column, impl_tuple};

use crate::reachability::Node;

/// One of eight colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Colour(pub u8);

impl_column!(Colour);

impl Colour {
    pub const WHITE: Self = Self(7);
}

const BLACK: Colour = Colour(0);

/// Not symmetric, and not injective.
fn blend(below: Colour, above: Colour) -> Colour {
    Colour((3 * below.0 + above.0) % 8)
}

fn is_warm(colour: Colour) -> bool {
    colour.0 % 3 != 1
}

crepe! {
    @input
    pub struct Edge(pub Node, pub Node);

    @input
    pub struct Label(pub Node, pub Colour);

    @input
    pub struct Start(pub Node);

    @output
    pub struct Shade(pub Node, pub Colour);

    @output
    pub struct Unshaded(pub Node);

    @output
    pub struct Next(pub Node, pub Node);

    @output
    pub struct Pair(pub Node, pub Node, pub Colour);

    @output
    pub struct Always(pub Colour);

    // [colour/start] A start is black.
    Shade(x, BLACK) <- Start(x);

    // [colour/blend] A shade goes along an edge and blends with the label, when the result is warm.
    Shade(y, d) <-
        Shade(x, c),
        Edge(x, y),
        Label(y, e),
        let d = blend(c, e),
        (is_warm(d)),
        (x != y);

    // [colour/white] A shade turns white where there is no label.
    Shade(y, Colour::WHITE) <-
        Shade(x, c),
        Edge(x, y),
        (c != Colour::WHITE),
        !Label(y, _);

    // [colour/unshaded] A labelled node without a shade is unshaded.
    Unshaded(x) <-
        Label(x, _),
        !Shade(x, _);

    // [colour/next] Unshaded nodes that follow one another.
    Next(x, y) <-
        Unshaded(x),
        Edge(x, y),
        Unshaded(y),
        !Edge(y, x);

    // [colour/next-step] And further ones, unless they are a start.
    Next(x, z) <- Next(x, y), Next(y, z), !Start(z);

    // [colour/pair] Nodes with the same cold label, where a computed colour is looked up.
    Pair(x, y, d) <-
        Label(x, c),
        Label(y, c),
        (!is_warm(c)),
        let k = BLACK,
        let d = blend(k, c),
        Label(x, d),
        !Next(x, y);

    // [colour/always] White is there without a reason.
    Always(Colour::WHITE);
}

impl_tuple!(
    Edge(from, to),
    Label(node, colour),
    Start(node),
    Shade(node, colour),
    Unshaded(node),
    Next(from, to),
    Pair(left, right, colour),
    Always(colour),
);

/// A graph with labels and starts.
#[derive(Clone, Debug, Default)]
pub struct Painting {
    pub edges: Vec<(u32, u32)>,
    pub labels: Vec<(u32, u8)>,
    pub starts: Vec<u32>,
}

/// The program above, as the library reads it.
pub fn program() -> Result<Program, ProgramError> {
    Program::parse("colours.rs", include_str!("colours.rs"))
}

/// The functions that the rules above call.
pub fn functions() -> Functions {
    let mut functions = Functions::new();
    functions.define("blend", blend);
    functions.define("is_warm", is_warm);
    functions.constant("BLACK", BLACK);
    functions.constant("Colour::WHITE", Colour::WHITE);
    functions
}

/// The facts alone.
pub fn facts(painting: &Painting) -> Result<Database, DatabaseError> {
    let mut database = Database::new();
    database.insert_all(edges(painting))?;
    database.insert_all(labels(painting))?;
    database.insert_all(starts(painting))?;
    Ok(database)
}

/// The facts and what crepe derives from them.
pub fn solve(painting: &Painting) -> Result<Database, DatabaseError> {
    let mut crepe = Crepe::new();
    crepe.extend(edges(painting));
    crepe.extend(labels(painting));
    crepe.extend(starts(painting));
    let (shade, unshaded, next, pair, always) = crepe.run();
    let mut database = facts(painting)?;
    database.insert_all(shade)?;
    database.insert_all(unshaded)?;
    database.insert_all(next)?;
    database.insert_all(pair)?;
    database.insert_all(always)?;
    Ok(database)
}

fn edges(painting: &Painting) -> impl Iterator<Item = Edge> {
    let edges = painting.edges.iter();
    edges.map(|&(x, y)| Edge(Node(x), Node(y)))
}

fn labels(painting: &Painting) -> impl Iterator<Item = Label> {
    let labels = painting.labels.iter();
    labels.map(|&(x, c)| Label(Node(x), Colour(c)))
}

fn starts(painting: &Painting) -> impl Iterator<Item = Start> {
    painting.starts.iter().map(|&x| Start(Node(x)))
}

/// Random paintings.
pub fn paintings() -> impl proptest::strategy::Strategy<Value = Painting> {
    use proptest::collection::vec;
    use proptest::prelude::*;
    let parts = (vec((0..7_u32, 0..7_u32), 0..16), vec((0..7_u32, 0..8_u8), 0..12), vec(0..7_u32, 0..3));
    parts.prop_map(|(edges, labels, starts)| Painting { edges, labels, starts })
}
