//! Asks the laboratory, which is Python, what programs do when they run.
//!
//! The analyzer takes answers from it and gives it none: it shares no code with the analysis.

use std::io::{BufRead, BufReader, Lines, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

use serde::Deserialize;

use crate::audit::{Difference, Observation};
use crate::config::{Label, ResumeMode};
use crate::diagnostic::Diagnostic;
use crate::request::CaseRequest;
use crate::runtime_process::{interpreter, no_interpreter, runtime_folder};

/// Establishes the label of a case by running it, as `python -m healguard_lab.label` does.
///
/// # Errors
///
/// A case that the laboratory refuses, and a program that dies where the case does not say.
pub fn observe(request: &CaseRequest) -> Result<Observation, Diagnostic> {
    let folder = absolute(&request.folder)?;
    let python = &request.options.python;
    let mut command = module(python, "healguard_lab.label")?;
    command.arg(&folder);
    if let Some(site) = request.options.site.first() {
        command.arg("--site").arg(absolute(site)?);
    }
    let output = command.output().map_err(|error| no_interpreter(python, &error))?;
    let refused = || refusal(output.status, &output.stderr).in_file(&request.folder);
    let report: LabelReport = serde_json::from_slice(&output.stdout).map_err(|_| refused())?;
    let mend = "give `[crash]` the place that `healcheck snapshot` finds, or mend the program";
    let Some(executed) = report.executed else {
        let message = format!("the program does not die where the case says: {}", report.crash.observed);
        return Err(Diagnostic::new(message).in_file(folder.join("case.toml")).mend(mend));
    };
    Ok(Observation { said: report.label, executed, difference: report.difference })
}

/// What `healguard_lab.label` prints.
#[derive(Deserialize)]
struct LabelReport {
    label: Label,
    crash: CrashReport,
    executed: Option<Label>,
    #[serde(default)]
    difference: Option<Difference>,
}

#[derive(Deserialize)]
struct CrashReport {
    observed: serde_json::Value,
}

/// A case that was made by chance, with its snapshot.
#[derive(Debug, Deserialize)]
pub struct Generated {
    pub index: u64,
    pub folder: PathBuf,
    /// The label that executions give.
    #[serde(rename = "label")]
    pub executed: Label,
    pub resume: ResumeMode,
}

impl Generated {
    /// The snapshot of its crash.
    pub fn snapshot(&self) -> PathBuf {
        self.folder.join("crash.json")
    }
}

/// Random programs as one process of the laboratory makes and runs them.
pub struct RandomPrograms {
    process: Child,
    lines: Lines<BufReader<ChildStdout>>,
    ended: bool,
}

impl RandomPrograms {
    /// The programs of a seed from number `first` on, in folders below `output`.
    ///
    /// # Errors
    ///
    /// No runtime, or no interpreter.
    pub fn start(python: &Path, seed: u64, first: u64, count: u64, output: &Path) -> Result<Self, Diagnostic> {
        let mut command = module(python, "healguard_lab.random_programs")?;
        for (option, number) in [("--seed", seed), ("--first", first), ("--count", count)] {
            command.arg(option).arg(number.to_string());
        }
        command.arg("--output").arg(absolute(output)?).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().map_err(|error| no_interpreter(python, &error))?;
        let Some(stream) = process.stdout.take() else { return Err(Diagnostic::new("the laboratory is mute")) };
        Ok(Self { process, lines: BufReader::new(stream).lines(), ended: false })
    }

    /// Why the process ended without a further program; nothing where it had made them all.
    fn problem(&mut self) -> Option<Diagnostic> {
        let status = self.process.wait().ok()?;
        let mut said = Vec::new();
        // Where nothing can be read, the status still tells.
        let _ = self.process.stderr.take().map(|mut stream| stream.read_to_end(&mut said));
        (!status.success()).then(|| refusal(status, &said))
    }
}

impl Iterator for RandomPrograms {
    type Item = Result<Generated, Diagnostic>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        if let Some(Ok(line)) = self.lines.next() {
            let generated = serde_json::from_str(&line);
            return Some(
                generated.map_err(|error| Diagnostic::new(format!("the laboratory says what is no JSON: {error}"))),
            );
        }
        self.ended = true;
        self.problem().map(Err)
    }
}

impl Drop for RandomPrograms {
    fn drop(&mut self) {
        // An error says that it has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Makes the program of a case smaller as long as its executions differ and the command, given its folder, exits with 0.
///
/// # Errors
///
/// A case of which this is not so.
pub fn shrink(python: &Path, folder: &Path, command: &[String]) -> Result<(), Diagnostic> {
    let words: Vec<String> = command.iter().map(|word| format!("'{}'", word.replace('\'', "'\"'\"'"))).collect();
    let mut shrinker = module(python, "healguard_lab.random_programs")?;
    shrinker.arg("--shrink").arg(absolute(folder)?).arg("--still").arg(words.join(" "));
    let output = shrinker.output().map_err(|error| no_interpreter(python, &error))?;
    if output.status.success() { Ok(()) } else { Err(refusal(output.status, &output.stderr).in_file(folder)) }
}

/// A module of the laboratory as a command. It runs in the folder of the runtime, and finds nothing else to import.
fn module(python: &Path, name: &str) -> Result<Command, Diagnostic> {
    let mut command = Command::new(interpreter(python)?);
    command
        .args(["-B", "-m", name])
        .current_dir(runtime_folder()?)
        .env_remove("PYTHONPATH")
        // What is made by chance is made again by the same numbers.
        .env("PYTHONHASHSEED", "0")
        .stdin(Stdio::null());
    Ok(command)
}

fn absolute(path: &Path) -> Result<PathBuf, Diagnostic> {
    std::path::absolute(path).map_err(|error| Diagnostic::unreadable(path, &error))
}

/// What the laboratory said when it refused its work.
fn refusal(status: ExitStatus, said: &[u8]) -> Diagnostic {
    let said = String::from_utf8_lossy(said);
    let last = said.lines().rev().find(|line| !line.trim().is_empty());
    let message = match last {
        Some(last) => last.trim().trim_start_matches("error: ").to_owned(),
        None => format!("the laboratory ended without an answer ({status})"),
    };
    Diagnostic::new(message).mend("mend the case, or the installation of the runtime")
}
