//! Where reports and messages go.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use super::arguments::{Colour, Format, MessageArguments, ReportArguments};
use crate::diagnostic::Diagnostic;
use crate::report::{self, Appearance};

/// Width of a report that is not for a terminal.
const PLAIN_WIDTH: usize = 80;

/// The two streams of a command, and how they may look.
pub struct Streams<'w> {
    /// Takes reports.
    pub reports: &'w mut dyn Write,
    /// Takes messages.
    pub messages: &'w mut dyn Write,
    /// Whether reports go to a terminal that shows colour.
    pub colour_reports: bool,
    /// Whether messages go to a terminal that shows colour.
    pub colour_messages: bool,
    /// Whether messages go to a terminal, where a line can be written again.
    pub rewritable_messages: bool,
}

impl<'w> Streams<'w> {
    /// Streams that are no terminal.
    pub fn plain(reports: &'w mut dyn Write, messages: &'w mut dyn Write) -> Self {
        Self { reports, messages, colour_reports: false, colour_messages: false, rewritable_messages: false }
    }

    /// Streams with colour where the terminal and the environment allow it.
    pub fn of_process(reports: &'w mut io::Stdout, messages: &'w mut io::Stderr) -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let plain = set("NO_COLOR") || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self {
            colour_reports: !plain && reports.is_terminal(),
            colour_messages: !plain && messages.is_terminal(),
            rewritable_messages: messages.is_terminal(),
            reports,
            messages,
        }
    }

    /// Follows what the user said about colour.
    pub fn choose_colour(&mut self, choice: Colour) {
        let always = match choice {
            Colour::Auto => return,
            Colour::Always => true,
            Colour::Never => false,
        };
        self.colour_reports = always;
        self.colour_messages = always;
    }

    /// How reports look.
    pub fn report_appearance(&self) -> Appearance {
        Appearance { colour: self.colour_reports, width: PLAIN_WIDTH }
    }

    /// Shows a diagnostic. That it cannot be shown is no reason to stop: the exit status still tells.
    pub fn show(&mut self, diagnostic: &Diagnostic) {
        let appearance = Appearance { colour: self.colour_messages, width: PLAIN_WIDTH };
        let _ = writeln!(self.messages, "{}", report::diagnostic_text(diagnostic, appearance));
    }

    /// Writes a report to `file`, or to the stream of reports where there is none.
    ///
    /// # Errors
    ///
    /// A file or stream that cannot be written. A reader that has seen enough and closed the stream is no error.
    pub fn write_report(&mut self, text: &str, file: Option<&Path>) -> Result<(), Diagnostic> {
        if let Some(file) = file {
            return replace_file(file, text.as_bytes()).map_err(|error| unwritable(file, &error));
        }
        let written = self.reports.write_all(text.as_bytes()).and_then(|()| self.reports.flush());
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Diagnostic::new(format!("the report cannot be written to standard output: {error}"))
                    .mend("name a file with `--output`"))
            }
            _ => Ok(()),
        }
    }
}

impl ReportArguments {
    /// How the report looks where it goes.
    pub(super) fn appearance(&self, messages: &MessageArguments, streams: &Streams<'_>) -> Appearance {
        let mut appearance = streams.report_appearance();
        // A file is no terminal.
        appearance.colour &= self.output.is_none() || messages.color == Colour::Always;
        appearance
    }

    /// Writes the report, unless it is a text that nobody wants.
    pub(super) fn write(
        &self,
        report: &str,
        messages: &MessageArguments,
        streams: &mut Streams<'_>,
    ) -> Result<(), Diagnostic> {
        let wanted = !messages.quiet || self.format == Format::Json || self.output.is_some();
        if wanted { streams.write_report(report, self.output.as_deref()) } else { Ok(()) }
    }
}

fn unwritable(file: &Path, error: &io::Error) -> Diagnostic {
    // The kind only: the error itself may name a temporary file.
    Diagnostic::new(format!("this file cannot be written: {}", error.kind()))
        .in_file(file)
        .mend("name a file in a folder that exists and may be written")
}

/// Gives `file` this content in one step: readers see the old content or the new one, never a part.
fn replace_file(file: &Path, content: &[u8]) -> io::Result<()> {
    // A device or a pipe is written to: replacing it by a file is never what was meant.
    if fs::metadata(file).is_ok_and(|metadata| !metadata.is_file()) {
        return fs::write(file, content);
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut temporary = new_file_beside(folder.unwrap_or(Path::new(".")))?;
    temporary.write_all(content)?;
    temporary.persist(file)?;
    Ok(())
}

/// A temporary file with the permissions that any new file would get.
fn new_file_beside(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".healcheck-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}
