//! The grammar of a `crepe!` block with commented rules: from tokens to named, unchecked pieces.

mod block;
mod header;

use super::problem::{Problem, ProgramError};
use super::tokens::{Token, TokenKind};
use super::{RelationDeclaration, RelationKind};
use header::{Header, collect_documentation, find_header};

/// The pieces of a block, in source order.
#[derive(Debug, Default)]
pub(super) struct ParsedProgram {
    pub relations: Vec<RelationDeclaration>,
    pub rules: Vec<ParsedRule>,
}

#[derive(Debug)]
pub(super) struct ParsedRule {
    pub file: String,
    pub header: Header,
    pub line: usize,
    pub head: ParsedAtom,
    pub body: Vec<ParsedPremise>,
}

#[derive(Debug)]
pub(super) struct ParsedAtom {
    pub relation: String,
    pub terms: Vec<ParsedTerm>,
    pub line: usize,
}

#[derive(Debug)]
pub(super) struct ParsedTerm {
    pub kind: ParsedTermKind,
    pub line: usize,
}

#[derive(Debug)]
pub(super) enum ParsedTermKind {
    Variable(String),
    Constant(String),
    Wildcard,
}

#[derive(Debug)]
pub(super) struct ParsedCall {
    pub function: String,
    pub arguments: Vec<ParsedTerm>,
    pub line: usize,
}

#[derive(Debug)]
pub(super) enum ParsedPremise {
    Holds(ParsedAtom),
    Absent(ParsedAtom),
    Test { call: ParsedCall, expected: bool },
    Compare { left: ParsedTerm, right: ParsedTerm, equal: bool },
    Let { variable: String, call: ParsedCall, line: usize },
}

/// Reads the one `crepe!` block of a source text.
pub(super) fn parse(file: &str, source: &str) -> Result<ParsedProgram, ProgramError> {
    let at = |(line, problem)| ProgramError { file: file.to_owned(), line, problem };
    let tokens = super::tokens::tokenize(source).map_err(at)?;
    let block = block::find(&tokens).map_err(at)?;
    Parser { file, tokens: block.tokens, position: 0, last_line: block.last_line }.program().map_err(at)
}

/// Reads a text that is the inside of a block.
pub(super) fn parse_part(file: &str, source: &str) -> Result<ParsedProgram, ProgramError> {
    let at = |(line, problem)| ProgramError { file: file.to_owned(), line, problem };
    let tokens = super::tokens::tokenize(source).map_err(at)?;
    let last_line = tokens.last().map_or(1, |token| token.line);
    Parser { file, tokens: &tokens, position: 0, last_line }.program().map_err(at)
}

/// A problem and its line.
type Parsed<T> = Result<T, (usize, Problem)>;

struct Parser<'t> {
    file: &'t str,
    tokens: &'t [Token<'t>],
    position: usize,
    /// The line of the end of the block, for errors at its end.
    last_line: usize,
}

impl<'t> Parser<'t> {
    fn program(mut self) -> Parsed<ParsedProgram> {
        let mut program = ParsedProgram::default();
        loop {
            let comments = self.comments();
            let header = find_header(comments)?;
            let Some(next) = self.peek() else {
                return match header {
                    Some(header) => Err(header.orphan()),
                    None => Ok(program),
                };
            };
            let is_relation =
                ["@", "#"].iter().any(|mark| next.is(mark)) || ["pub", "struct"].iter().any(|word| next.is_word(word));
            if !is_relation {
                let header = header.ok_or((next.line, Problem::MissingId))?;
                program.rules.push(self.rule(header)?);
            } else if let Some(header) = header {
                return Err(header.orphan());
            } else {
                program.relations.push(self.relation(comments)?);
            }
        }
    }

    /// `@input /// text #[attribute] pub struct Name(pub Type, …);`
    fn relation(&mut self, comments: &[Token<'_>]) -> Parsed<RelationDeclaration> {
        let mut documentation = collect_documentation(comments);
        let kind = if self.accept("@") {
            let word = self.identifier("`input` or `output`")?;
            match word.text {
                "input" => RelationKind::Input,
                "output" => RelationKind::Output,
                _ => return Err(unexpected(word, "`input` or `output`")),
            }
        } else {
            RelationKind::Intermediate
        };
        loop {
            documentation.extend(collect_documentation(self.comments()));
            if !self.accept("#") {
                break;
            }
            self.attribute()?;
        }
        self.visibility()?;
        let keyword = self.identifier("`struct`")?;
        if keyword.text != "struct" {
            return Err(unexpected(keyword, "`struct`"));
        }
        let name = self.identifier("the name of a relation")?;
        if self.peek().is_some_and(|token| token.is("<")) {
            return Err((
                name.line,
                Problem::Unsupported { what: "type parameters are", instead: "use a newtype for each column" },
            ));
        }
        self.expect("(", "`(`")?;
        let columns = self.columns()?;
        self.expect(";", "`;`")?;
        Ok(RelationDeclaration {
            name: name.text.to_owned(),
            kind,
            columns,
            documentation: documentation.join("\n"),
            file: self.file.to_owned(),
            line: name.line,
        })
    }

    /// The rest of `#[…]`.
    fn attribute(&mut self) -> Parsed<()> {
        self.expect("[", "`[`")?;
        let mut depth = 1_usize;
        while depth > 0 {
            let token = self.next("`]`")?;
            if token.is("[") {
                depth += 1;
            } else if token.is("]") {
                depth -= 1;
            }
        }
        Ok(())
    }

    /// `pub`, `pub(crate)` or nothing.
    fn visibility(&mut self) -> Parsed<()> {
        if self.peek().is_some_and(|token| token.is_word("pub")) {
            self.next("`pub`")?;
            if self.accept("(") {
                while !self.next("`)`")?.is(")") {}
            }
        }
        Ok(())
    }

    /// Column types up to and with the closing parenthesis.
    fn columns(&mut self) -> Parsed<Vec<String>> {
        let mut columns = Vec::new();
        while !self.accept(")") {
            self.visibility()?;
            let mut column = String::new();
            let mut depth = 0_usize;
            while let Some(token) = self.peek() {
                if depth == 0 && (token.is(",") || token.is(")")) {
                    break;
                }
                if ["(", "[", "<"].iter().any(|open| token.is(open)) {
                    depth += 1;
                } else if [")", "]", ">"].iter().any(|close| token.is(close)) {
                    depth = depth.saturating_sub(1);
                }
                column.push_str(self.next("a type")?.text);
            }
            if column.is_empty() {
                return Err(self.found("the type of a column"));
            }
            columns.push(column);
            if !self.accept(",") && !self.peek().is_some_and(|token| token.is(")")) {
                return Err(self.found("`,` or `)`"));
            }
        }
        Ok(columns)
    }

    /// `Head(x) <- premise, premise;` or `Head(CONSTANT);`
    fn rule(&mut self, header: Header) -> Parsed<ParsedRule> {
        let head = self.atom()?;
        let mut body = Vec::new();
        if !self.accept(";") {
            self.expect("<-", "`<-` or `;`")?;
            loop {
                body.push(self.premise()?);
                if self.accept(";") {
                    break;
                }
                self.expect(",", "`,` or `;`")?;
                // As in crepe, the last premise may not be followed by a comma.
            }
        }
        Ok(ParsedRule { file: self.file.to_owned(), header, line: head.line, head, body })
    }

    fn premise(&mut self) -> Parsed<ParsedPremise> {
        if self.accept("!") {
            return self.atom().map(ParsedPremise::Absent);
        }
        if self.accept("(") {
            let condition = self.condition()?;
            self.expect(")", "`)` after one test: a test is `f(x)`, `!f(x)`, `x == y` or `x != y`")?;
            return Ok(condition);
        }
        match self.peek() {
            Some(token) if token.is_word("let") => self.binding(),
            Some(token) if token.is_word("for") => {
                Err((token.line, Problem::Unsupported { what: "`for` is", instead: "make the values a relation" }))
            }
            _ => self.atom().map(ParsedPremise::Holds),
        }
    }

    /// What stands between the parentheses of a test.
    fn condition(&mut self) -> Parsed<ParsedPremise> {
        let negated = self.accept("!");
        let (name, line) = self.path("a test")?;
        if negated || self.peek().is_some_and(|token| token.is("(")) {
            let call = self.call(name, line)?;
            return Ok(ParsedPremise::Test { call, expected: !negated });
        }
        let left = term_of(name, line);
        let equal = self.accept("==");
        if !equal {
            self.expect("!=", "`(`, `==` or `!=`")?;
        }
        let right = self.term()?;
        Ok(ParsedPremise::Compare { left, right, equal })
    }

    /// `let x = f(y)` or `let x = CONSTANT`.
    fn binding(&mut self) -> Parsed<ParsedPremise> {
        let line = self.next("`let`")?.line;
        let (variable, variable_line) = self.path("a variable")?;
        let ParsedTermKind::Variable(variable) = term_of(variable, variable_line).kind else {
            return Err((
                variable_line,
                Problem::Unsupported { what: "patterns are", instead: "write `let x = f(y)`" },
            ));
        };
        self.expect("=", "`=`")?;
        let (name, line_of_call) = self.path("a function")?;
        let call = match term_of(name, line_of_call).kind {
            ParsedTermKind::Constant(function) if !self.peek().is_some_and(|token| token.is("(")) => {
                ParsedCall { function, arguments: Vec::new(), line: line_of_call }
            }
            ParsedTermKind::Constant(function) | ParsedTermKind::Variable(function) => {
                self.call(function, line_of_call)?
            }
            ParsedTermKind::Wildcard => return Err((line_of_call, Problem::Wildcard)),
        };
        Ok(ParsedPremise::Let { variable, call, line })
    }

    fn call(&mut self, function: String, line: usize) -> Parsed<ParsedCall> {
        self.expect("(", "`(`")?;
        Ok(ParsedCall { function, arguments: self.terms()?, line })
    }

    fn atom(&mut self) -> Parsed<ParsedAtom> {
        let relation = self.identifier("a relation")?;
        self.expect("(", "`(`")?;
        Ok(ParsedAtom { relation: relation.text.to_owned(), line: relation.line, terms: self.terms()? })
    }

    /// Terms up to and with the closing parenthesis.
    fn terms(&mut self) -> Parsed<Vec<ParsedTerm>> {
        let mut terms = Vec::new();
        while !self.accept(")") {
            terms.push(self.term()?);
            if !self.accept(",") && !self.peek().is_some_and(|token| token.is(")")) {
                return Err(self.found("`,` or `)`: an argument is a variable, `_` or a constant"));
            }
        }
        Ok(terms)
    }

    fn term(&mut self) -> Parsed<ParsedTerm> {
        let (name, line) = self.path("a variable, `_` or a constant")?;
        Ok(term_of(name, line))
    }

    /// `a` or `A::B`; literals and `ref` are refused here.
    fn path(&mut self, expected: &'static str) -> Parsed<(String, usize)> {
        let first = self.next(expected)?;
        let refused = match first.kind {
            TokenKind::Literal => Some("literals are"),
            TokenKind::Identifier if ["true", "false"].contains(&first.text) => Some("literals are"),
            _ => None,
        };
        if let Some(what) = refused {
            let instead = "name the value with a constant";
            return Err((first.line, Problem::Unsupported { what, instead }));
        }
        if first.kind != TokenKind::Identifier || first.text == "ref" {
            return Err(unexpected(first, expected));
        }
        let mut path = first.text.to_owned();
        while self.accept("::") {
            path.push_str("::");
            path.push_str(self.identifier("the next part of the path")?.text);
        }
        Ok((path, first.line))
    }

    fn identifier(&mut self, expected: &'static str) -> Parsed<Token<'t>> {
        let token = self.next(expected)?;
        if token.kind == TokenKind::Identifier { Ok(token) } else { Err(unexpected(token, expected)) }
    }

    fn expect(&mut self, punctuation: &str, expected: &'static str) -> Parsed<()> {
        if self.accept(punctuation) { Ok(()) } else { Err(self.found(expected)) }
    }

    fn accept(&mut self, punctuation: &str) -> bool {
        let found = self.peek().is_some_and(|token| token.is(punctuation));
        if found {
            self.skip_comments();
            self.position += 1;
        }
        found
    }

    fn next(&mut self, expected: &'static str) -> Parsed<Token<'t>> {
        let token = self.peek().ok_or_else(|| self.found(expected))?;
        self.skip_comments();
        self.position += 1;
        Ok(token)
    }

    /// The next token that is no comment.
    fn peek(&self) -> Option<Token<'t>> {
        self.tokens[self.position..].iter().copied().find(|token| !is_comment(token))
    }

    fn skip_comments(&mut self) {
        self.comments();
    }

    /// The comments before the next other token, which is then next.
    fn comments(&mut self) -> &'t [Token<'t>] {
        let rest = &self.tokens[self.position..];
        let count = rest.iter().take_while(|token| is_comment(token)).count();
        self.position += count;
        &rest[..count]
    }

    /// The error for what stands here.
    fn found(&self, expected: &'static str) -> (usize, Problem) {
        match self.peek() {
            Some(token) => unexpected(token, expected),
            None => {
                let found = "the end of the block".to_owned();
                (self.last_line, Problem::Unexpected { expected, found })
            }
        }
    }
}

fn is_comment(token: &Token<'_>) -> bool {
    matches!(token.kind, TokenKind::Comment | TokenKind::DocComment)
}

fn unexpected(token: Token<'_>, expected: &'static str) -> (usize, Problem) {
    let found = format!("`{}`", token.text);
    (token.line, Problem::Unexpected { expected, found })
}

/// What a name is, by crepe's own reading: one lower-case word is a variable, everything else a constant.
fn term_of(name: String, line: usize) -> ParsedTerm {
    let kind = if name == "_" {
        ParsedTermKind::Wildcard
    } else if !name.contains("::") && name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_') {
        ParsedTermKind::Variable(name)
    } else {
        ParsedTermKind::Constant(name)
    };
    ParsedTerm { kind, line }
}
