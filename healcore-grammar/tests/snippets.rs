//! Reads tables of snippets: a Markdown file with a heading for each kind and fenced blocks of Python.

/// One fenced block.
pub struct Snippet {
    /// The heading above it.
    pub kind: String,
    /// The line of its opening fence.
    pub line: usize,
    /// What stands beside the language in the opening fence.
    pub codes: Vec<String>,
    /// Its text, without a line end after the last line.
    pub source: String,
}

/// All snippets of a table, in order. Only `\n` ends a line: a snippet may hold other line ends.
pub fn read(table: &str) -> Vec<Snippet> {
    let mut snippets = Vec::new();
    let mut kind = "";
    let mut lines = table.split('\n').enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(heading) = line.strip_prefix("## ") {
            kind = heading;
        } else if let Some((fence, codes)) = line.split_once("python").filter(|(fence, _)| fence.starts_with("```")) {
            let body: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != fence).collect();
            snippets.push(Snippet {
                kind: kind.to_owned(),
                line: number + 1,
                codes: codes.split_whitespace().map(str::to_owned).collect(),
                source: body.join("\n"),
            });
        }
    }
    snippets
}
