//! `healcheck audit --random`: verdicts on programs that were made by chance, beside what these do when they run.
//!
//! Each job takes a chunk of numbers, has one process of the laboratory make the programs of these, and checks each as it comes, in a
//! process of its own: a check that takes too long, or all memory, takes no other one along.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::arguments::{AuditArguments, Format, MessageArguments};
use super::audit::status;
use super::progress::Progress;
use super::{Guard, Streams, asking};
use crate::apart;
use crate::audit::{Comparison, MissedProgram, NotRun, RandomAudit, assumptions};
use crate::config::Label;
use crate::diagnostic::Diagnostic;
use crate::laboratory::{self, Generated, RandomPrograms};
use crate::report::audit as report;
use crate::request::{CrashRequest, Options};

/// How many programs one process makes: starting it then takes little beside them, and all jobs have work to the end.
const CHUNK: u64 = 25;

/// How long a verdict is waited for, unless something else is said.
const PATIENCE: Duration = Duration::from_secs(60);

/// Audits random programs, and writes the report.
pub(super) fn run(
    count: u64,
    arguments: &AuditArguments,
    messages: &MessageArguments,
    guard: &dyn Guard,
    streams: &mut Streams<'_>,
) -> Result<u8, Diagnostic> {
    let (seed, first) = (arguments.seed.unwrap_or_default(), arguments.first.unwrap_or_default());
    let scratch = tempfile::tempdir().map_err(|error| Diagnostic::unreadable(&std::env::temp_dir(), &error))?;
    let hunt = Hunt {
        seed,
        end: first.saturating_add(count),
        shrinks: !arguments.no_shrink,
        patience: arguments.timeout.map_or(PATIENCE, Duration::from_secs),
        options: arguments.analysis.options(false),
        programs: scratch.path(),
        keep: arguments.keep.as_deref(),
        guard,
    };
    let chunks: Vec<u64> = (first..hunt.end).step_by(CHUNK as usize).collect();
    let mut audit = RandomAudit { seed, first, ..RandomAudit::default() };
    let mut progress = Progress::new(!messages.quiet);
    let work = |_: usize, chunk: &u64, give: &mut dyn FnMut(Answer)| hunt.chunk(*chunk, give);
    let taken = asking::each(&chunks, arguments.analysis.jobs(), work, |answer| {
        if let Some(message) = enter(&mut audit, answer) {
            progress.clear(streams);
            streams.show(&message);
        }
        let done = audit.programs + audit.undecided.len() as u64;
        progress.show(streams, || format!("{done} of {count} programs, {} missed flows", audit.missed.len()));
    });
    progress.clear(streams);
    if taken < chunks.len() {
        return Err(asking::no_thread());
    }
    in_order(&mut audit);
    let text = match arguments.report.format {
        Format::Json => report::random_json(&audit)?,
        Format::Text => report::random_text(&audit, arguments.report.appearance(messages, streams)),
    };
    arguments.report.write(&text, messages, streams)?;
    Ok(status(!audit.missed.is_empty(), !audit.not_run.is_empty()))
}

/// What became of one program, or of what was left of a chunk.
enum Answer {
    Compared { index: u64, comparison: Comparison, missed: Option<MissedProgram> },
    Undecided { index: u64 },
    NotRun { input: String, diagnostic: Diagnostic },
}

/// Enters an answer; gives the message that goes with it.
fn enter(audit: &mut RandomAudit, answer: Answer) -> Option<Diagnostic> {
    match answer {
        Answer::NotRun { input, diagnostic } => {
            audit.not_run.push(NotRun { input, reason: diagnostic.message.clone() });
            return Some(diagnostic);
        }
        Answer::Undecided { index } => audit.undecided.push(index),
        Answer::Compared { index, comparison, missed } => {
            audit.programs += 1;
            audit.flows += u64::from(comparison.executed == Label::Unsafe);
            if comparison.false_alarm() {
                audit.safe_flagged.push(index);
            }
            audit.missed.extend(missed);
        }
    }
    None
}

/// Jobs answer as they come along; a report has the order of the programs.
fn in_order(audit: &mut RandomAudit) {
    audit.safe_flagged.sort_unstable();
    audit.undecided.sort_unstable();
    audit.missed.sort_by_key(|missed| missed.index);
    audit.not_run.sort_by(|one, other| one.input.cmp(&other.input));
}

/// What all jobs share.
struct Hunt<'a> {
    seed: u64,
    /// The number behind the last program.
    end: u64,
    shrinks: bool,
    /// How long a verdict is waited for.
    patience: Duration,
    options: Options,
    /// Where programs are written.
    programs: &'a Path,
    /// Where those with missed flows are kept.
    keep: Option<&'a Path>,
    guard: &'a dyn Guard,
}

impl Hunt<'_> {
    /// Makes the programs of a chunk and answers for each.
    fn chunk(&self, first: u64, give: &mut dyn FnMut(Answer)) {
        let count = CHUNK.min(self.end - first);
        let mut behind = first;
        if let Err(diagnostic) = self.programs_of(first, count, &mut |index, answer| {
            behind = index + 1;
            give(answer);
        }) {
            let input = format!("programs {behind} to {}", first + count - 1);
            give(Answer::NotRun { input, diagnostic });
        }
    }

    /// The same, up to a number where the laboratory gives up.
    fn programs_of(&self, first: u64, count: u64, give: &mut dyn FnMut(u64, Answer)) -> Result<(), Diagnostic> {
        for generated in RandomPrograms::start(&self.options.python, self.seed, first, count, self.programs)? {
            let generated = generated?;
            give(generated.index, self.program(&generated));
        }
        Ok(())
    }

    /// Answers for one program.
    fn program(&self, generated: &Generated) -> Answer {
        let (index, folder) = (generated.index, &generated.folder);
        let answer = self.compared(generated);
        // What is left behind goes with the folder of all.
        let _ = fs::remove_dir_all(folder);
        answer.unwrap_or_else(|diagnostic| Answer::NotRun { input: format!("program {index}"), diagnostic })
    }

    fn compared(&self, generated: &Generated) -> Result<Answer, Diagnostic> {
        let index = generated.index;
        let request = CrashRequest {
            repository: generated.folder.clone(),
            crash: generated.snapshot(),
            heal: generated.folder.join("heal.py"),
            resume: generated.resume,
            protect: None,
            options: self.options.clone(),
        };
        let Some(flagged) = apart::is_flagged(&request, self.patience)? else {
            return Ok(Answer::Undecided { index });
        };
        let comparison = Comparison { executed: generated.executed, flagged };
        let missed = match comparison.missed_flow() {
            true => Some(self.missed(generated, &request)?),
            false => None,
        };
        Ok(Answer::Compared { index, comparison, missed })
    }

    /// A missed flow, with its program as small as it gets.
    fn missed(&self, generated: &Generated, request: &CrashRequest) -> Result<MissedProgram, Diagnostic> {
        let folder = &generated.folder;
        let (verdict, _) = asking::answer(folder, || self.guard.check_crash(request))?;
        let shrunk = self.shrinks && self.shrink(folder).is_ok();
        if let Some(keep) = self.keep {
            let kept = keep.join(format!("{}-{}", self.seed, generated.index));
            copy_folder(folder, &kept).map_err(|error| Diagnostic::unreadable(&kept, &error))?;
        }
        let mut texts = texts_below(folder, Path::new("")).map_err(|error| Diagnostic::unreadable(folder, &error))?;
        let program = texts.remove("main.py").unwrap_or_default();
        texts.retain(|file, _| file.ends_with(".py"));
        Ok(MissedProgram {
            index: generated.index,
            resume: generated.resume,
            shrunk,
            assumptions: assumptions(&verdict),
            program,
            healings: texts,
        })
    }

    /// Makes the program of a missed flow smaller.
    fn shrink(&self, folder: &Path) -> Result<(), Diagnostic> {
        laboratory::shrink(&self.options.python, folder, &apart::check_command(&self.options)?)
    }
}

fn copy_folder(folder: &Path, copy: &Path) -> std::io::Result<()> {
    for (file, text) in texts_below(folder, Path::new(""))? {
        let file = copy.join(file);
        fs::create_dir_all(file.parent().unwrap_or(copy))?;
        fs::write(file, text)?;
    }
    Ok(())
}

/// The texts in a folder and in the folders in it, by their paths below it.
fn texts_below(folder: &Path, inside: &Path) -> std::io::Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(folder.join(inside))? {
        let entry = entry?;
        let path: PathBuf = inside.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            texts.append(&mut texts_below(folder, &path)?);
        } else {
            texts.insert(path.to_string_lossy().into_owned(), fs::read_to_string(entry.path())?);
        }
    }
    Ok(texts)
}
