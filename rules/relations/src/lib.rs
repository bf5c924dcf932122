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
    let relations = relations(program);
    let structs = relations.iter().map(Relation::declaration);
    let conversions = relations.iter().map(Relation::conversions);
    quote!(#parts #(#structs)* #(#conversions)*).into()
}

/// The same, and `solve`, which computes the output relations from the input relations by crepe.
#[proc_macro]
pub fn compile(program: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let Files { parts, program } = Files::read(program.into());
    let relations = relations(program.clone());
    let conversions = relations.iter().map(Relation::conversions);
    let named = |kind: Kind| relations.iter().filter(move |relation| relation.kind == kind).map(|it| &it.name);
    let (inputs, outputs) = (named(Kind::Input), named(Kind::Output));
    let results = named(Kind::Output).map(|name| format_ident!("all_{}", name));
    let stored = results.clone();
    quote! {
        #parts

        ::crepe::crepe! { #program }

        #(#conversions)*

        /// The names of the output relations.
        pub const DERIVED: &[&str] = &[#(stringify!(#outputs)),*];

        /// What crepe derives from the input relations in `known`.
        ///
        /// # Errors
        /// A relation has more tuples than a database holds.
        #[allow(non_snake_case, reason = "variables are named after relations")]
        pub fn solve(
            known: &crate::database::Database,
        ) -> Result<crate::database::Database, crate::database::DatabaseError> {
            let mut runtime = Crepe::new();
            #(
                let tuples = known.relation(stringify!(#inputs)).into_iter();
                let tuples = tuples.flat_map(crate::database::Relation::tuples);
                runtime.extend(tuples.filter_map(<#inputs as crate::database::Decode>::decode));
            )*
            let (#(#results,)*) = runtime.run_with_hasher::<::rustc_hash::FxBuildHasher>();
            let mut derived = crate::database::Database::new();
            #(derived.insert_all(#stored)?;)*
            Ok(derived)
        }
    }
    .into()
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

/// The relations of a program that have a mark; rules and inner relations are left out.
fn relations(program: TokenStream) -> Vec<Relation> {
    let tokens: Vec<TokenTree> = program.into_iter().collect();
    let ends = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ';');
    tokens.split(ends).filter_map(Relation::read).collect()
}

impl Relation {
    fn read(statement: &[TokenTree]) -> Option<Self> {
        let [TokenTree::Punct(at), TokenTree::Ident(mark), declaration @ ..] = statement else { return None };
        let kind = match mark.to_string().as_str() {
            "input" if at.as_char() == '@' => Kind::Input,
            "output" if at.as_char() == '@' => Kind::Output,
            _ => return None,
        };
        let [.., TokenTree::Ident(name), TokenTree::Group(columns)] = declaration else { return None };
        let is_tuple = columns.delimiter() == Delimiter::Parenthesis;
        let declaration = declaration.iter().cloned().collect();
        is_tuple.then(|| Relation { kind, name: name.clone(), columns: columns.clone(), declaration })
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
