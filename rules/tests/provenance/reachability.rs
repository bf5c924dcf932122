//! Plain recursion: what can be reached, in how many steps modulo two, and who is of the same generation.

#![allow(clippy::iter_over_hash_type, reason = "code made by crepe; what it returns is sorted by insert_all")]

use std::hash::BuildHasherDefault;

use crepe::crepe;
use healguard_rules::database::{Database, DatabaseError};
use healguard_rules::program::{Functions, Program, ProgramError};
use healguard_rules::{impl_column, impl_tuple};
use rustc_hash::FxHasher;

/// A node of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Node(pub u32);

impl_column!(Node);

crepe! {
    @input
    /// `edge(x, y)`: an edge leads from `x` to `y`.
    #[derive(Debug)]
    pub struct Edge(pub Node, pub Node);

    @output
    /// `reach(x, y)`: a path of at least one edge leads from `x` to `y`.
    pub struct Reach(pub Node, pub Node);

    @output
    pub struct Odd(pub Node, pub Node);

    @output
    pub struct Even(pub Node, pub Node);

    @output
    pub struct SameGeneration(pub Node, pub Node);

    @output
    pub struct HasSuccessor(pub Node);

    // ---- Closure ----

    // [reach/edge] An edge is a path.
    Reach(x, y) <- Edge(x, y);

    // [reach/step] An edge before a path is a path.
    // Sound because paths can be put together.
    Reach(x, z) <-
        Edge(x, y), // the first edge
        Reach(y, z);

    // [reach/odd-edge] One edge is an odd number of edges.
    Odd(x, y) <- Edge(x, y);

    // [reach/odd-step] An edge before an even path makes it odd.
    Odd(x, z) <- Edge(x, y), Even(y, z);

    // [reach/even-step] An edge before an odd path makes it even.
    Even(x, z) <- Edge(x, y), Odd(y, z);

    // [reach/siblings] Successors of one node are of the same generation.
    SameGeneration(x, y) <- Edge(p, x), Edge(p, y);

    // [reach/cousins] Successors of nodes of the same generation are of the same generation.
    SameGeneration(x, y) <- Edge(p, x), SameGeneration(p, q), Edge(q, y);

    // [reach/successor] A node that an edge leaves has a successor.
    HasSuccessor(x) <- Edge(x, _);
}

impl_tuple!(
    Edge(from, to),
    Reach(from, to),
    Odd(from, to),
    Even(from, to),
    SameGeneration(left, right),
    HasSuccessor(node),
);

/// The program above, as the library reads it.
pub fn program() -> Result<Program, ProgramError> {
    Program::parse("reachability.rs", include_str!("reachability.rs"))
}

/// It uses no function.
pub fn functions() -> Functions {
    Functions::new()
}

/// The facts alone.
pub fn facts(edges: &[(u32, u32)]) -> Result<Database, DatabaseError> {
    let mut database = Database::new();
    database.insert_all(edges.iter().map(|&(x, y)| Edge(Node(x), Node(y))))?;
    Ok(database)
}

/// The facts and what crepe derives from them.
pub fn solve(edges: &[(u32, u32)]) -> Result<Database, DatabaseError> {
    let mut crepe = Crepe::new();
    crepe.extend(edges.iter().map(|&(x, y)| Edge(Node(x), Node(y))));
    let (reach, odd, even, same_generation, has_successor) = crepe.run_with_hasher::<BuildHasherDefault<FxHasher>>();
    let mut database = facts(edges)?;
    database.insert_all(reach)?;
    database.insert_all(odd)?;
    database.insert_all(&even)?;
    database.insert_all(same_generation)?;
    database.insert_all(has_successor)?;
    Ok(database)
}
