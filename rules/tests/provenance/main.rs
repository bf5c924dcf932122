//! The rules read at run time: parsed, evaluated, explained and checked, on programs that crepe runs too.

mod absence;
mod checking;
mod colours;
mod derivations;
mod documentation;
mod evaluation;
mod layers;
mod parsing;
mod random_programs;
mod reachability;
mod speed;
