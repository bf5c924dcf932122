//! `healcheck snapshot -- python app.py …`: runs a program, and writes `crash.json` when it dies.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::NOTHING_FLAGGED;
use super::arguments::SnapshotArguments;
use crate::diagnostic::Diagnostic;
use crate::runtime_process::{ProgramRun, ProgramStreams};

/// Interpreter options that take the next word as their value.
const OPTIONS_WITH_VALUE: [&str; 2] = ["-X", "-W"];

/// Runs the program in the current folder, with the terminal as its own.
pub(super) fn run(arguments: &SnapshotArguments) -> Result<u8, Diagnostic> {
    let command = ProgramCommand::read(arguments.python.as_deref(), &arguments.command)?;
    ProgramRun {
        python: &command.python,
        python_options: &command.options,
        directory: Path::new("."),
        command: &command.program,
        output: &arguments.output,
        extra_path: &[],
        timeout: arguments.timeout.map(Duration::from_secs),
        streams: ProgramStreams::Inherited,
    }
    .take_snapshot()?;
    Ok(NOTHING_FLAGGED)
}

/// The command after `--`, taken apart.
#[derive(Debug, PartialEq, Eq)]
struct ProgramCommand {
    python: PathBuf,
    options: Vec<OsString>,
    /// The script and its arguments, or `-m`, the module and its arguments.
    program: Vec<OsString>,
}

impl ProgramCommand {
    /// Takes a command apart: interpreter (unless `python` names it), options of the interpreter, program.
    fn read(python: Option<&Path>, command: &[OsString]) -> Result<Self, Diagnostic> {
        let first_is_program = command.first().is_some_and(|first| is_program(first));
        let (python, rest) = match (python, command) {
            (Some(python), _) if first_is_program => (python, command),
            (Some(python), [_, rest @ ..]) => (python, rest),
            (None, [python, rest @ ..]) if !first_is_program => (Path::new(python), rest),
            _ => {
                return Err(Diagnostic::new("the command after `--` does not start with an interpreter")
                    .mend("write it as `healcheck snapshot -- python app.py …`"));
            }
        };
        let mut options = Vec::new();
        let mut rest = rest.iter();
        let mut program = Vec::new();
        while let Some(word) = rest.next() {
            if word == "-m" || !is_option(word) {
                program.push(word.clone());
                program.extend(rest.cloned());
                break;
            }
            if word == "-c" {
                return Err(Diagnostic::new("a program given with `-c` has no file to show")
                    .mend("write it into a file, and run that"));
            }
            options.push(word.clone());
            if OPTIONS_WITH_VALUE.iter().any(|option| word == option) {
                options.extend(rest.next().cloned());
            }
        }
        if program.is_empty() {
            return Err(Diagnostic::new("the command after `--` names no program")
                .mend("write it as `healcheck snapshot -- python app.py …`"));
        }
        Ok(Self { python: python.to_owned(), options, program })
    }
}

/// Whether a word is a program for an interpreter, not an interpreter.
fn is_program(word: &OsStr) -> bool {
    is_option(word) || Path::new(word).extension().is_some_and(|extension| extension == "py")
}

fn is_option(word: &OsStr) -> bool {
    word.len() > 1 && word.as_encoded_bytes().starts_with(b"-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &str) -> Vec<OsString> {
        command.split(' ').map(OsString::from).collect()
    }

    fn read(python: Option<&str>, command: &str) -> Result<(String, String, String), Diagnostic> {
        let joined = |words: Vec<OsString>| words.join(OsStr::new(" ")).to_string_lossy().into_owned();
        ProgramCommand::read(python.map(Path::new), &words(command))
            .map(|command| (command.python.display().to_string(), joined(command.options), joined(command.program)))
    }

    #[test]
    fn options_of_the_interpreter_stay_with_the_interpreter() {
        let parts = |python: &str, options: &str, program: &str| {
            Ok((python.to_owned(), options.to_owned(), program.to_owned()))
        };
        for (command, expected) in [
            ("python app.py", parts("python", "", "app.py")),
            ("python app.py -u --x", parts("python", "", "app.py -u --x")),
            ("v/bin/python -X dev -u app.py 1", parts("v/bin/python", "-X dev -u", "app.py 1")),
            ("python -Werror -m shop.main -v", parts("python", "-Werror", "-m shop.main -v")),
        ] {
            assert_eq!(read(None, command), expected, "{command}");
        }
    }

    #[test]
    fn a_named_interpreter_replaces_the_one_in_the_command() {
        let expected = Ok(("py".to_owned(), String::new(), "app.py x".to_owned()));
        assert_eq!(read(Some("py"), "python app.py x"), expected);
        assert_eq!(read(Some("py"), "app.py x"), expected);
    }

    #[test]
    fn commands_without_interpreter_or_program_are_refused_with_a_mend() {
        for command in ["app.py", "python", "python -u", "python -X", "python -c pass", "-m shop"] {
            let diagnostic = read(None, command).expect_err(command);
            assert!(diagnostic.mend.is_some(), "{command}");
        }
    }
}
