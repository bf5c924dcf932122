//! One diagnostic for everything unusable: what is wrong, where, and how to mend it.
//!
//! Stages return a [`Diagnostic`] as their error; only the report layer knows how one looks.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::verdict::Location;

/// Largest number of source lines that a diagnostic carries along.
const EXCERPT_LINES: usize = 3;

/// A range in a text. Lines and columns count from 1, columns count characters, the end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceRange {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl SourceRange {
    /// The range of `bytes` in `text`. Offsets outside the text, or inside a character, move to the nearest
    /// character boundary before them.
    pub fn of_bytes(text: &str, bytes: Range<usize>) -> Self {
        let (line, column) = position_of_byte(text, bytes.start);
        let (end_line, end_column) = position_of_byte(text, bytes.end.max(bytes.start));
        Self { line, column, end_line, end_column }
    }

    /// The same range as a location in the file shown as `file`.
    pub fn in_shown_file(self, file: impl Into<String>) -> Location {
        Location {
            file: file.into(),
            line: self.line,
            column: self.column,
            end_line: self.end_line,
            end_column: self.end_column,
        }
    }
}

/// Line and column, both from 1, of the character that holds byte `offset` of `text`.
fn position_of_byte(text: &str, offset: usize) -> (u32, u32) {
    let before = &text[..text.floor_char_boundary(offset)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before[line_start..].chars().count() + 1;
    (count_as_u32(line), count_as_u32(column))
}

fn count_as_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Why an input or a call is unusable.
///
/// A diagnostic ends the work on its input: there is exactly one for each unusable input, it names the file and
/// the line where there is one, and it says how to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The file that is unusable, as the user named it.
    pub file: Option<PathBuf>,
    /// Where in the file; absent where the whole file is meant.
    pub range: Option<SourceRange>,
    /// The source lines from the first line of `range` on; absent where the text is not at hand.
    pub excerpt: Option<String>,
    /// What to do about it.
    pub mend: Option<String>,
}

impl Diagnostic {
    /// A diagnostic that names no file yet.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), file: None, range: None, excerpt: None, mend: None }
    }

    /// Names the unusable file.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// Names the place in the file, where its text is not at hand.
    #[must_use]
    pub fn at(mut self, range: SourceRange) -> Self {
        self.range = Some(range);
        self
    }

    /// Names the place in the file whose whole content is `text`, and takes the lines there along.
    #[must_use]
    pub fn at_range_of(mut self, text: &str, range: SourceRange) -> Self {
        let first = (range.line as usize).saturating_sub(1);
        let lines = (range.end_line.saturating_sub(range.line) as usize + 1).min(EXCERPT_LINES);
        let excerpt: Vec<&str> = text.split('\n').skip(first).take(lines).collect();
        self.range = Some(range);
        self.excerpt = (!excerpt.is_empty()).then(|| excerpt.join("\n"));
        self
    }

    /// Names the bytes of the file whose whole content is `text`, and takes the lines there along.
    #[must_use]
    pub fn at_bytes_of(self, text: &str, bytes: Range<usize>) -> Self {
        self.at_range_of(text, SourceRange::of_bytes(text, bytes))
    }

    /// Says how to mend it.
    #[must_use]
    pub fn mend(mut self, mend: impl Into<String>) -> Self {
        self.mend = Some(mend.into());
        self
    }

    /// The diagnostic for a file that the system would not read.
    pub fn unreadable(file: &Path, error: &io::Error) -> Self {
        let (message, mend) = match error.kind() {
            io::ErrorKind::NotFound => {
                ("no such file".to_owned(), "check the path, which is taken relative to the current folder")
            }
            io::ErrorKind::PermissionDenied => {
                ("no permission to read this file".to_owned(), "make it readable for the user who runs the check")
            }
            io::ErrorKind::IsADirectory => {
                ("this is a folder, and a file is needed".to_owned(), "name a file inside it")
            }
            _ => (format!("this file cannot be read: {error}"), "check the file and the path to it"),
        };
        Self::new(message).in_file(file).mend(mend)
    }
}

impl fmt::Display for Diagnostic {
    /// One line: `file:line:column: message (mend)`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(formatter, "{}:", file.display())?;
            if let Some(range) = self.range {
                write!(formatter, "{}:{}:", range.line, range.column)?;
            }
            formatter.write_str(" ")?;
        }
        formatter.write_str(&self.message)?;
        match &self.mend {
            Some(mend) => write!(formatter, " ({mend})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostic {}

/// Reads a text file of at most `limit` bytes.
///
/// # Errors
///
/// A missing, unreadable or too large file, anything that is not a regular file (reading a device or a pipe may
/// never end), and bytes that are not UTF-8, with the line of the first such byte.
pub fn read_text(file: &Path, limit: u64) -> Result<String, Diagnostic> {
    let unreadable = |error: io::Error| Diagnostic::unreadable(file, &error);
    // Asked before the file is opened: opening a pipe waits for its writer.
    let metadata = std::fs::metadata(file).map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(unreadable(io::ErrorKind::IsADirectory.into()));
    }
    if !metadata.is_file() {
        return Err(Diagnostic::new("this is not a regular file")
            .in_file(file)
            .mend("copy what it gives into a file, and name that file"));
    }
    let mut bytes = Vec::new();
    let opened = File::open(file).map_err(unreadable)?;
    // One byte more than allowed tells a file that is too large from one that just fits, even while it grows.
    opened.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(Diagnostic::new(format!("this file has more than {limit} bytes"))
            .in_file(file)
            .mend("name the file that was meant, or shorten this one"));
    }
    String::from_utf8(bytes).map_err(|error| not_utf8(file, &error))
}

/// The diagnostic for a file whose bytes are not UTF-8, at the first byte that is not.
fn not_utf8(file: &Path, error: &std::string::FromUtf8Error) -> Diagnostic {
    let valid = error.utf8_error().valid_up_to();
    let good = String::from_utf8_lossy(&error.as_bytes()[..valid]);
    let range = SourceRange::of_bytes(&good, valid..valid);
    Diagnostic::new("this file is not UTF-8 text").in_file(file).at(range).mend("save it as UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_count_newlines() {
        let text = "a = 1\nß = \"é\"\n";
        let start = text.find('=').map(|first| first + 1);
        assert_eq!(start, Some(3));
        let quoted = text.find('"').expect("the text has a quote");
        let range = SourceRange::of_bytes(text, quoted..quoted + "\"é\"".len());
        assert_eq!((range.line, range.column), (2, 5));
        assert_eq!((range.end_line, range.end_column), (2, 8));
    }

    #[test]
    fn offsets_inside_a_character_or_past_the_text_move_to_a_boundary() {
        let range = SourceRange::of_bytes("é", 1..99);
        assert_eq!((range.line, range.column), (1, 1));
        assert_eq!((range.end_line, range.end_column), (1, 2));
    }

    #[test]
    fn the_one_line_form_names_file_line_column_and_mend() {
        let shown = Diagnostic::new("unknown key `x`")
            .in_file("case.toml")
            .at_bytes_of("a = 1\nx = 2\n", 6..7)
            .mend("did you mean `y`?")
            .to_string();
        assert_eq!(shown, "case.toml:2:1: unknown key `x` (did you mean `y`?)");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_reported_with_their_line() {
        let file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
        std::fs::write(file.path(), b"one\ntwo \xff\n").expect("it can be written");
        let diagnostic = read_text(file.path(), 100).expect_err("the bytes are not UTF-8");
        assert_eq!(diagnostic.range.map(|range| (range.line, range.column)), Some((2, 5)));
        assert!(diagnostic.mend.is_some());
    }

    #[test]
    fn folders_devices_missing_and_oversized_files_are_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let large = folder.path().join("large");
        std::fs::write(&large, "12345").expect("it can be written");
        assert_eq!(read_text(&large, 5).as_deref(), Ok("12345"));
        for (path, part) in [
            (folder.path().to_owned(), "folder"),
            (PathBuf::from("/dev/zero"), "regular file"),
            (folder.path().join("absent"), "no such file"),
        ] {
            let diagnostic = read_text(&path, 5).expect_err("it is not a readable file");
            assert!(diagnostic.message.contains(part), "{diagnostic}");
        }
        let diagnostic = read_text(&large, 4).expect_err("it is one byte too large");
        assert!(diagnostic.message.contains("more than 4 bytes"), "{diagnostic}");
    }
}
