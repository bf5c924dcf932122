//! Runs programs under the Python runtime, as processes that always end.
//!
//! The runtime is the folder that holds the package `healguard`: the one named by the variable `HEALGUARD_RUNTIME`,
//! or else the one beside the source that this program was built from.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::diagnostic::Diagnostic;

/// Names the folder of the runtime.
pub const RUNTIME_VARIABLE: &str = "HEALGUARD_RUNTIME";

/// How much of what a program wrote to standard error is kept, from its end.
const KEPT_MESSAGES: usize = 16 << 10;
/// How long the end of a program's messages is waited for, once it has ended.
const MESSAGES_PATIENCE: Duration = Duration::from_millis(500);

/// What a program that is run may see of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramStreams {
    /// It reads and writes what this process reads and writes.
    Inherited,
    /// It reads nothing, and what it writes is not shown.
    Hidden,
}

/// A program to run until it dies.
#[derive(Clone, Copy, Debug)]
pub struct ProgramRun<'a> {
    /// The interpreter.
    pub python: &'a Path,
    /// Options of the interpreter.
    pub python_options: &'a [OsString],
    /// The folder to run in.
    pub directory: &'a Path,
    /// The script and its arguments, or `-m`, the module and its arguments.
    pub command: &'a [OsString],
    /// The file to write.
    pub output: &'a Path,
    /// Folders that the program imports from, before those of the environment.
    pub extra_path: &'a [PathBuf],
    /// When to end the program and all that it started. It then cannot read from the terminal.
    pub timeout: Option<Duration>,
    pub streams: ProgramStreams,
}

/// Runs a program unseen until it dies, and writes the snapshot of that to `output`.
///
/// `command` is the script, relative to `directory`, and its arguments. The program, and every process of its group,
/// is ended at the timeout.
///
/// # Errors
///
/// No runtime, no interpreter, a program that does not die of an exception or not in time; `output` is then as it was.
pub fn take_snapshot(
    python: &Path,
    directory: &Path,
    command: &[OsString],
    output: &Path,
    extra_path: &[PathBuf],
    timeout: Duration,
) -> Result<(), Diagnostic> {
    ProgramRun {
        python,
        python_options: &[],
        directory,
        command,
        output,
        extra_path,
        timeout: Some(timeout),
        streams: ProgramStreams::Hidden,
    }
    .take_snapshot()
}

/// The folder of the Python runtime.
///
/// # Errors
///
/// None is installed, or the variable names a folder without it.
pub fn runtime_folder() -> Result<PathBuf, Diagnostic> {
    let named = std::env::var_os(RUNTIME_VARIABLE).filter(|named| !named.is_empty());
    let folder = match &named {
        Some(named) => PathBuf::from(named),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("runtime"),
    };
    if folder.join("healguard").is_dir() {
        // The program may run in another folder.
        return std::path::absolute(&folder).map_err(|error| Diagnostic::unreadable(&folder, &error));
    }
    let message = match named {
        Some(_) => format!("`{RUNTIME_VARIABLE}` names a folder without the package `healguard`"),
        None => "the Python runtime is not installed".to_owned(),
    };
    Err(Diagnostic::new(message)
        .in_file(folder)
        .mend(format!("set `{RUNTIME_VARIABLE}` to the folder `runtime` of HealGuard")))
}

/// The interpreter; a path with folders in it is relative to the folder of this process, not of the program.
///
/// # Errors
///
/// The folder of this process is gone.
pub fn interpreter(python: &Path) -> Result<PathBuf, Diagnostic> {
    if python.components().count() < 2 {
        return Ok(python.to_owned());
    }
    std::path::absolute(python).map_err(|error| Diagnostic::unreadable(python, &error))
}

/// The diagnostic for an interpreter that the system would not run.
pub fn no_interpreter(python: &Path, error: &io::Error) -> Diagnostic {
    let message = match error.kind() {
        io::ErrorKind::NotFound => "there is no such interpreter".to_owned(),
        io::ErrorKind::PermissionDenied => "this is not a program that may be run".to_owned(),
        _ => format!("this interpreter cannot be run: {error}"),
    };
    Diagnostic::new(message).in_file(python).mend("name a Python interpreter with `--python`")
}

impl ProgramRun<'_> {
    /// Runs the program until it dies, and writes the snapshot of that.
    ///
    /// The file appears whole or not at all.
    ///
    /// # Errors
    ///
    /// As for [`take_snapshot`].
    pub fn take_snapshot(&self) -> Result<(), Diagnostic> {
        let runtime = runtime_folder()?;
        if !self.directory.is_dir() {
            return Err(Diagnostic::unreadable(self.directory, &io::ErrorKind::NotFound.into()));
        }
        let is_script = self.command.first().is_some_and(|first| first != "-m");
        if is_script && !self.program_file().exists() {
            return Err(Diagnostic::unreadable(&self.program_file(), &io::ErrorKind::NotFound.into()));
        }
        let output = std::path::absolute(self.output).map_err(|error| self.unwritable(&error))?;
        if !output.parent().is_some_and(Path::is_dir) {
            return Err(self.unwritable(&io::ErrorKind::NotFound.into()));
        }
        match self.streams {
            ProgramStreams::Inherited => self.write_in_place(&runtime, &output),
            ProgramStreams::Hidden => self.write_beside(&runtime, &output),
        }
    }

    /// Lets the runtime write to the place itself: what it says then names the right file.
    fn write_in_place(&self, runtime: &Path, output: &Path) -> Result<(), Diagnostic> {
        let before = file_number(output);
        let end = self.run_to_end(&mut self.command_line(runtime, output)?)?;
        // The runtime moves a whole file to its place, which gives the place another number.
        match file_number(output) {
            Some(after) if before != Some(after) => Ok(()),
            _ => Err(self.no_crash(&end)),
        }
    }

    /// Lets the runtime write into a folder beside the place, so that a program that is ended while it writes leaves
    /// nothing behind.
    fn write_beside(&self, runtime: &Path, output: &Path) -> Result<(), Diagnostic> {
        let folder = output.parent().unwrap_or(Path::new("."));
        let staging = tempfile::Builder::new()
            .prefix(".healcheck-")
            .tempdir_in(folder)
            .map_err(|error| self.unwritable(&error))?;
        let written = staging.path().join("crash.json");
        let end = self.run_to_end(&mut self.command_line(runtime, &written)?)?;
        match file_number(&written) {
            Some(_) => fs::rename(&written, output).map_err(|error| self.unwritable(&error)),
            None => Err(self.no_crash(&end)),
        }
    }

    fn command_line(&self, runtime: &Path, output: &Path) -> Result<Command, Diagnostic> {
        let mut command = Command::new(interpreter(self.python)?);
        command
            .args(self.python_options)
            .args(["-m", "healguard.snapshot", "--output"])
            .arg(output)
            .arg("--")
            .args(self.command)
            .current_dir(self.directory)
            .env("PYTHONPATH", self.import_path(runtime)?);
        if self.streams == ProgramStreams::Hidden {
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
            // A check leaves no files behind in the folder that it checks.
            command.env("PYTHONDONTWRITEBYTECODE", "1");
            if std::env::var_os("PYTHONHASHSEED").is_none() {
                // The same program gives the same snapshot.
                command.env("PYTHONHASHSEED", "0");
            }
        }
        if self.timeout.is_some() {
            // A group of its own can be ended as a whole, but must not read from the terminal.
            command.stdin(Stdio::null()).process_group(0);
        }
        Ok(command)
    }

    fn import_path(&self, runtime: &Path) -> Result<OsString, Diagnostic> {
        let inherited = std::env::var_os("PYTHONPATH").filter(|path| !path.is_empty());
        let inherited: Vec<PathBuf> = inherited.iter().flat_map(|path| std::env::split_paths(path)).collect();
        let mut folders = vec![runtime.to_owned()];
        for folder in self.extra_path.iter().chain(&inherited) {
            let folder = std::path::absolute(folder).map_err(|error| Diagnostic::unreadable(folder, &error))?;
            folders.push(folder);
        }
        std::env::join_paths(folders).map_err(|error| {
            Diagnostic::new(format!("Python cannot import from these folders: {error}"))
                .mend("name folders without the character that separates paths")
        })
    }

    /// Runs the program, ends what is left of its group, and reaps it.
    fn run_to_end(&self, command: &mut Command) -> Result<ProgramEnd, Diagnostic> {
        let mut child = command.spawn().map_err(|error| no_interpreter(self.python, &error))?;
        let messages = child.stderr.take().map(collect_messages);
        let ended = self.timeout.is_none_or(|timeout| {
            let ended = ends_within(&child, timeout);
            end_group(&child);
            ended
        });
        let status = child.wait().map_err(|error| {
            Diagnostic::new(format!("the program could not be waited for: {error}"))
                .in_file(self.python)
                .mend("run the program alone, and look at what it says")
        })?;
        let messages = messages.and_then(|messages| messages.recv_timeout(MESSAGES_PATIENCE).ok()).unwrap_or_default();
        Ok(ProgramEnd { status: ended.then_some(status), messages })
    }

    fn unwritable(&self, error: &io::Error) -> Diagnostic {
        // The kind only: the error itself may name a temporary file.
        Diagnostic::new(format!("the snapshot cannot be written: {}", error.kind()))
            .in_file(self.output)
            .mend("name a file in a folder that exists and may be written")
    }

    /// Why there is no snapshot.
    fn no_crash(&self, end: &ProgramEnd) -> Diagnostic {
        let (message, mend) = match end.status {
            None => (
                format!("the program did not end within {:?}", self.timeout.unwrap_or_default()),
                "mend the program, or allow it more time",
            ),
            Some(status) if status.success() => (
                "the program ended without a crash, so there is nothing to heal".to_owned(),
                "run it so that it dies of an unhandled exception",
            ),
            Some(status) => (
                format!("the program ended ({status}), but not by an exception that a snapshot shows"),
                "run it alone, and look at what it says",
            ),
        };
        // That there is no snapshot is said already.
        let says_something = |line: &&str| !line.trim().is_empty() && !line.ends_with("no snapshot was written");
        let last = end.messages.lines().rev().find(says_something);
        let message = match last {
            Some(last) => format!("{message}; its last message was: {}", last.trim()),
            None => message,
        };
        Diagnostic::new(message).in_file(self.program_file()).mend(mend)
    }

    /// The script, or for a module the folder that it is run in.
    fn program_file(&self) -> PathBuf {
        match self.command.first().filter(|first| *first != "-m") {
            Some(script) if self.directory == Path::new(".") => PathBuf::from(script),
            Some(script) => self.directory.join(script),
            None => self.directory.to_owned(),
        }
    }
}

/// Tells a file from the one that had its place before; nothing where there is no file.
fn file_number(path: &Path) -> Option<(u64, u64)> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// How a program ended.
struct ProgramEnd {
    /// Absent where it had to be ended.
    status: Option<ExitStatus>,
    /// The end of what it wrote to standard error, where that was hidden.
    messages: String,
}

/// Whether the child ends before the timeout. It is not reaped, so that its id stays its own.
pub(crate) fn ends_within(child: &Child, timeout: Duration) -> bool {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    loop {
        if !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None)) {
            return true;
        }
        let left = timeout.saturating_sub(start.elapsed());
        if left.is_zero() {
            return false;
        }
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Ends every process of the group of a child that is not reaped yet: its id cannot be another group's.
fn end_group(child: &Child) {
    // An error says that there is nothing left to end.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

/// Reads messages to their end in a thread of their own and gives the last of them. A process that left the group may
/// hold the stream open for ever, so nobody waits for the thread itself.
fn collect_messages(mut stream: impl Read + Send + 'static) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut kept: Vec<u8> = Vec::new();
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = stream.read(&mut buffer) {
            kept.extend_from_slice(&buffer[..count]);
            if kept.len() > 2 * KEPT_MESSAGES {
                kept.drain(..kept.len() - KEPT_MESSAGES);
            }
        }
        // Where nobody waits any more, nobody needs it.
        let _ = sender.send(String::from_utf8_lossy(&kept).into_owned());
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    const PYTHON: &str = "python3";

    /// Runs `program` as `main.py` in a folder of its own.
    fn run(program: &str, timeout: Duration) -> (tempfile::TempDir, Result<(), Diagnostic>) {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        fs::write(folder.path().join("main.py"), program).expect("it can be written");
        let output = folder.path().join("crash.json");
        let command = ["main.py".into(), "--argument".into()];
        let taken = take_snapshot(Path::new(PYTHON), folder.path(), &command, &output, &[], timeout);
        (folder, taken)
    }

    fn names_in(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder can be listed");
        let mut names: Vec<String> =
            entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned())).collect();
        names.sort();
        names
    }

    #[test]
    fn a_program_that_dies_leaves_a_snapshot_and_nothing_else() {
        let (folder, taken) = run("import sys\nvalue = {}[sys.argv[1]]\n", Duration::from_secs(60));
        assert_eq!(taken, Ok(()));
        assert_eq!(names_in(folder.path()), ["crash.json", "main.py"]);
        let text = fs::read_to_string(folder.path().join("crash.json")).expect("it is there");
        let snapshot: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(snapshot["exception"]["type"], "builtins.KeyError");
        assert_eq!(snapshot["exception"]["message"], "'--argument'");
    }

    #[test]
    fn a_program_that_does_not_die_is_reported_with_its_last_message() {
        let (folder, taken) = run("import sys\nsys.exit('not today')\n", Duration::from_secs(60));
        let diagnostic = taken.expect_err("there is no crash");
        assert!(diagnostic.message.contains("not today"), "{diagnostic}");
        assert_eq!(names_in(folder.path()), ["main.py"]);
        let (_folder, taken) = run("pass\n", Duration::from_secs(60));
        let diagnostic = taken.expect_err("there is no crash");
        assert!(diagnostic.message.contains("without a crash"), "{diagnostic}");
    }

    #[test]
    fn a_program_that_never_ends_is_ended_with_all_that_it_started() {
        let program = "\
import os, subprocess, sys
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])
with open('child', 'w') as file:
    file.write(str(child.pid))
os.replace('child', 'child.pid')
while True:
    pass
";
        let start = Instant::now();
        let (folder, taken) = run(program, Duration::from_secs(5));
        assert!(start.elapsed() < Duration::from_secs(60));
        let diagnostic = taken.expect_err("there is no crash");
        assert!(diagnostic.message.contains("did not end within 5s"), "{diagnostic}");
        let pid = fs::read_to_string(folder.path().join("child.pid")).expect("the program started its child");
        assert!(ends_soon(pid.trim()), "process {pid} is left");
    }

    /// Whether the process ends soon: it may take a moment until it is reaped by whoever adopted it.
    fn ends_soon(pid: &str) -> bool {
        let is_left = || {
            let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            let state = status.rsplit(") ").next().and_then(|rest| rest.chars().next());
            state.is_some_and(|state| state != 'Z')
        };
        (0..100).any(|_| {
            thread::sleep(Duration::from_millis(20));
            !is_left()
        })
    }

    #[test]
    fn a_missing_interpreter_or_folder_is_one_diagnostic() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let output = folder.path().join("crash.json");
        let take = |python: &str, directory: &Path, output: &Path| {
            take_snapshot(Path::new(python), directory, &["main.py".into()], output, &[], Duration::from_secs(5))
                .expect_err("something is missing")
        };
        let absent = folder.path().join("absent");
        assert_eq!(take(PYTHON, &absent, &output).file, Some(absent.clone()));
        let no_script = take(PYTHON, folder.path(), &output);
        assert_eq!(no_script.file, Some(folder.path().join("main.py")), "{no_script}");
        fs::write(folder.path().join("main.py"), "").expect("it can be written");
        assert!(take("no-such-python", folder.path(), &output).message.contains("no such interpreter"));
        assert!(take("./no/such/python", folder.path(), &output).mend.is_some());
        assert!(take(PYTHON, folder.path(), &absent.join("crash.json")).message.contains("cannot be written"));
    }
}
