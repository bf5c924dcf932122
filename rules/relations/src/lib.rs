//! Two readings of a crepe program.
//!
//! The rules are written once, as crepe wants them. What runs them is the evaluator, which reads their text; it needs the
//! relations as types and nothing else. [`declare`] gives these, in a moment. [`compile`] has crepe compile the whole
//! program, which takes minutes: that is the reference that the evaluator is compared with.
//!
//! Both expect `crate::database` to be the database of `healguard-rules`. The program stands in files of its own, which the
//! call names relative to the file that it is in: `crepe! { include "taint/sources.rules"; … }`. They are given as text, too:
//! as `PARTS`.

use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// The input and output relations of the program as tuple structs that go into a database and come out of one.
#[proc_macro]
pub fn declare(program: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let Files { parts, program } = Files::read(program.into());
    let (mut relations, _) = statements(program);
    relations.retain(|relation| relation.kind != Kind::Intermediate);
    let structs = relations.iter().map(Relation::declaration);
    let conversions = relations.iter().map(Relation::conversions);
    quote!(#parts #(#structs)* #(#conversions)*).into()
}

/// `solve`, which computes the output relations from the input relations by crepe, and the names of the output relations.
///
/// What crepe makes of a program is one function, and the time to compile that grows faster than the program. So the rules are
/// cut into chunks, each a program of its own, which are run in turn until none of them adds anything. A chunk is given
/// everything that is known of what its rules read and derive. That is the same as long as rules negate input relations only.
///
/// # Panics
/// Where a rule negates something else.
#[proc_macro]
pub fn compile(program: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let Files { parts, program } = Files::read(program.into());
    let (relations, rules) = statements(program);
    let chunks: Vec<TokenStream> = rules.chunks(CHUNK).map(|rules| chunk(&relations, rules)).collect();
    let numbered: Vec<Ident> = (0..chunks.len()).map(|number| format_ident!("chunk_{}", number)).collect();
    let named = |kind: Kind| relations.iter().filter(move |relation| relation.kind == kind).map(|it| &it.name);
    let (inputs, outputs) = (named(Kind::Input), named(Kind::Output));
    quote! {
        #parts

        #(mod #numbered { #chunks })*

        /// The names of the output relations.
        pub const DERIVED: &[&str] = &[#(stringify!(#outputs)),*];

        /// What crepe derives from the input relations in `known`, which are part of it.
        ///
        /// # Errors
        /// A relation has more tuples than a database holds.
        pub fn solve(
            known: &crate::database::Database,
        ) -> Result<crate::database::Database, crate::database::DatabaseError> {
            let mut all = crate::database::Database::new();
            for name in [#(stringify!(#inputs)),*] {
                for tuple in known.relation(name).into_iter().flat_map(crate::database::Relation::tuples) {
                    all.insert(name, tuple)?;
                }
            }
            let steps = [#(#numbered::step),*];
            loop {
                let mut added = false;
                for step in steps {
                    added |= step(&mut all)?;
                }
                if !added {
                    return Ok(all);
                }
            }
        }
    }
    .into()
}

/// Rules that crepe compiles as one program.
const CHUNK: usize = 30;

/// A program of some of the rules, and `step`, which adds what they derive.
fn chunk(relations: &[Relation], rules: &[Vec<TokenTree>]) -> TokenStream {
    let names: Vec<String> = relations.iter().map(|relation| relation.name.to_string()).collect();
    let mut mentioned = vec![false; relations.len()];
    let mut derived = vec![false; relations.len()];
    for rule in rules {
        for (place, token) in rule.iter().enumerate() {
            let Some(number) = names.iter().position(|name| token.to_string() == *name) else { continue };
            let is_negated = place > 0 && matches!(&rule[place - 1], TokenTree::Punct(mark) if mark.as_char() == '!');
            assert!(!is_negated || relations[number].kind == Kind::Input, "`{token}` is negated before it is complete");
            mentioned[number] = true;
            derived[number] |= place == 0;
        }
    }
    let of = |wanted: &[bool]| {
        let chosen = relations.iter().zip(wanted).filter(|(_, wanted)| **wanted).map(|(relation, _)| relation);
        chosen.collect::<Vec<_>>()
    };
    let read: Vec<bool> = mentioned.iter().zip(&derived).map(|(mentioned, derived)| *mentioned && !derived).collect();
    let (read, derived) = (of(&read), of(&derived));
    let known: Vec<Relation> = derived.iter().map(|relation| relation.known()).collect();
    let inputs: Vec<&Relation> = read.iter().copied().chain(&known).collect();
    let declarations = inputs.iter().map(|relation| relation.marked(Kind::Input));
    let declarations = declarations.chain(derived.iter().map(|relation| relation.marked(Kind::Output)));
    let kept = derived.iter().zip(&known).map(|(relation, known)| {
        let (head, premise, variables) = (&relation.name, &known.name, relation.variables());
        quote!(#head(#(#variables),*) <- #premise(#(#variables),*);)
    });
    let rules = rules.iter().map(|rule| rule.iter().cloned().collect::<TokenStream>());
    let conversions = inputs.iter().chain(&derived).map(|relation| relation.conversions());
    let sources = read.iter().chain(&derived).map(|relation| relation.name.to_string());
    let inputs = inputs.iter().map(|relation| &relation.name);
    let outputs: Vec<&Ident> = derived.iter().map(|relation| &relation.name).collect();
    let results: Vec<Ident> = outputs.iter().map(|name| format_ident!("all_{}", name)).collect();
    quote! {
        use super::*;

        ::crepe::crepe! { #(#declarations)* #(#kept)* #(#rules;)* }

        #(#conversions)*

        /// Adds what the rules derive; says whether anything is new.
        #[allow(non_snake_case, reason = "variables are named after relations")]
        pub fn step(all: &mut crate::database::Database) -> Result<bool, crate::database::DatabaseError> {
            let mut runtime = Crepe::new();
            #(
                let tuples = all.relation(#sources).into_iter().flat_map(crate::database::Relation::tuples);
                runtime.extend(tuples.filter_map(<#inputs as crate::database::Decode>::decode));
            )*
            let (#(#results,)*) = runtime.run_with_hasher::<::rustc_hash::FxBuildHasher>();
            let mut added = false;
            #(
                for tuple in #results {
                    added |= all.insert(stringify!(#outputs), &crate::database::Tuple::encode(&tuple))?;
                }
            )*
            Ok(added)
        }
    }
}

/// The files of a program.
struct Files {
    /// The constant with their names and texts. What it includes is built again when it changes.
    parts: TokenStream,
    /// What they say, one after the other.
    program: TokenStream,
}

impl Files {
    /// Reads the files that `include "…";` names.
    fn read(call: TokenStream) -> Self {
        let folder = proc_macro::Span::call_site().local_file().and_then(|file| Some(file.parent()?.to_owned()));
        let folder = folder.expect("the macro is called in a file");
        let (mut program, mut names, mut paths) = (TokenStream::new(), Vec::new(), Vec::new());
        for token in call {
            let TokenTree::Literal(name) = token else { continue };
            let name = name.to_string().trim_matches('"').to_owned();
            let path = std::path::absolute(folder.join(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
            let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            program.extend(tokens);
            paths.push(literal(&path));
            names.push(name);
        }
        let parts = quote! {
            /// The files that the relations and rules of this layer stand in: name and text.
            pub const PARTS: &[(&str, &str)] = &[#((#names, include_str!(#paths))),*];
        };
        Files { parts, program }
    }
}

fn literal(path: &std::path::Path) -> Literal {
    Literal::string(&path.to_string_lossy())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Input,
    Intermediate,
    Output,
}

/// `@input #[doc] pub struct Name(columns);`
struct Relation {
    kind: Kind,
    name: Ident,
    columns: Group,
    /// The declaration without its mark.
    declaration: TokenStream,
}

/// The relations of a program, and its rules.
fn statements(program: TokenStream) -> (Vec<Relation>, Vec<Vec<TokenTree>>) {
    let tokens: Vec<TokenTree> = program.into_iter().collect();
    let ends = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ';');
    let (mut relations, mut rules) = (Vec::new(), Vec::new());
    for statement in tokens.split(ends).filter(|statement| !statement.is_empty()) {
        match Relation::read(statement) {
            Some(relation) => relations.push(relation),
            None => rules.push(statement.to_vec()),
        }
    }
    (relations, rules)
}

impl Relation {
    fn read(statement: &[TokenTree]) -> Option<Self> {
        let (kind, declaration) = match statement {
            [TokenTree::Punct(at), TokenTree::Ident(mark), declaration @ ..] if at.as_char() == '@' => {
                (if mark == "input" { Kind::Input } else { Kind::Output }, declaration)
            }
            declaration => (Kind::Intermediate, declaration),
        };
        let [.., TokenTree::Ident(word), TokenTree::Ident(name), TokenTree::Group(columns)] = declaration else {
            return None;
        };
        let is_tuple = word == "struct" && columns.delimiter() == Delimiter::Parenthesis;
        let declaration = declaration.iter().cloned().collect();
        is_tuple.then(|| Relation { kind, name: name.clone(), columns: columns.clone(), declaration })
    }

    /// What is known of the relation before a chunk derives more of it.
    fn known(&self) -> Self {
        let (name, columns) = (format_ident!("Known{}", self.name), self.columns.clone());
        Relation { kind: Kind::Input, declaration: quote!(pub struct #name #columns), name, columns }
    }

    /// The relation as another kind of relation.
    fn marked(&self, kind: Kind) -> TokenStream {
        let (name, columns) = (&self.name, &self.columns);
        let mark = format_ident!("{}", if kind == Kind::Input { "input" } else { "output" });
        quote!(@#mark pub struct #name #columns;)
    }

    fn declaration(&self) -> TokenStream {
        let declaration = &self.declaration;
        quote! {
            #[derive(Clone, Copy, PartialEq, Eq, Hash)]
            #declaration;
        }
    }

    /// One name for each column.
    fn variables(&self) -> Vec<Ident> {
        let columns: Vec<TokenTree> = self.columns.stream().into_iter().collect();
        let separates = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',');
        let count = columns.split(separates).filter(|column| !column.is_empty()).count();
        (0..count).map(|column| format_ident!("column_{}", column)).collect()
    }

    fn conversions(&self) -> TokenStream {
        let (name, variables) = (&self.name, self.variables());
        let count = variables.len();
        quote! {
            impl crate::database::Tuple for #name {
                const RELATION: &'static str = stringify!(#name);
                const COLUMNS: usize = #count;
                type Row = [u64; #count];

                fn encode(&self) -> Self::Row {
                    let #name(#(#variables),*) = *self;
                    [#(crate::database::Column::encode(#variables)),*]
                }
            }

            impl crate::database::Decode for #name {
                fn decode(row: &[u64]) -> Option<Self> {
                    let mut codes = row.iter().copied();
                    #(let #variables = crate::database::Column::decode(codes.next()?)?;)*
                    Some(#name(#(#variables),*))
                }
            }
        }
    }
}
