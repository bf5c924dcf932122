//! `healcheck coverage`: how much of packages is understood.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;

use super::arguments::{CoverageArguments, Format, MessageArguments};
use super::progress::Progress;
use super::{FLAGGED, NOTHING_FLAGGED, Streams, asking};
use crate::coverage::{Coverage, LoweredModule, Package, lower, measure};
use crate::diagnostic::Diagnostic;
use crate::report::coverage as report;

/// How many of the slowest files are named with `--verbose`.
const SLOWEST: usize = 5;

/// Measures what the arguments name, and writes the report.
pub(super) fn run(
    arguments: &CoverageArguments,
    messages: &MessageArguments,
    streams: &mut Streams<'_>,
) -> Result<u8, Diagnostic> {
    let packages: Vec<Package> = arguments.paths.iter().map(|path| Package::at(path)).collect::<Result<_, _>>()?;
    let mut progress = Progress::new(!messages.quiet);
    let mut coverages = Vec::new();
    for package in &packages {
        let mut work =
            Work { package, jobs: arguments.jobs(), modules: Vec::new(), not_lowered: Vec::new(), times: Vec::new() };
        work.lower(&package.files, true, &mut progress, streams)?;
        let mut seen: FxHashSet<PathBuf> = FxHashSet::default();
        loop {
            let mut needed = package.needed(&work.modules);
            needed.retain(|file| seen.insert(file.clone()));
            if needed.is_empty() {
                break;
            }
            work.lower(&needed, false, &mut progress, streams)?;
        }
        progress.show(streams, || format!("{}: following values", package.name));
        if messages.verbose {
            progress.clear(streams);
            work.show_slowest(streams);
        }
        coverages.push(work.finish()?);
    }
    progress.clear(streams);
    let text = match arguments.report.format {
        Format::Json => report::json(&coverages, arguments.unknown)?,
        Format::Text => report::text(&coverages, arguments.unknown),
    };
    arguments.report.write(&text, messages, streams)?;
    let is_whole = coverages.iter().all(|coverage| coverage.not_lowered.is_empty());
    Ok(if is_whole { NOTHING_FLAGGED } else { FLAGGED })
}

/// A package, and what was done about it.
struct Work<'a> {
    package: &'a Package,
    jobs: usize,
    modules: Vec<LoweredModule>,
    not_lowered: Vec<PathBuf>,
    times: Vec<(Duration, PathBuf)>,
}

impl Work<'_> {
    /// Lowers files; what hinders that is shown for each.
    fn lower(
        &mut self,
        files: &[PathBuf],
        is_counted: bool,
        progress: &mut Progress,
        streams: &mut Streams<'_>,
    ) -> Result<(), Diagnostic> {
        let package = self.package;
        let mut slots: Vec<Option<Result<LoweredModule, Diagnostic>>> = files.iter().map(|_| None).collect();
        let (mut done, times) = (0, &mut self.times);
        let work = |index: usize, file: &PathBuf, give: &mut dyn FnMut(_)| {
            let started = Instant::now();
            let lowered = asking::answer(file, || lower(package, file, is_counted));
            give((index, started.elapsed(), lowered));
        };
        let taken = asking::each(files, self.jobs, work, |(index, time, lowered): (usize, _, _)| {
            times.push((time, files[index].clone()));
            slots[index] = Some(lowered);
            done += 1;
            progress.show(streams, || format!("{}: {done} of {} files", package.name, files.len()));
        });
        if taken < files.len() {
            return Err(asking::no_thread());
        }
        for (file, lowered) in files.iter().zip(slots.into_iter().flatten()) {
            match lowered {
                Ok(module) => self.modules.push(module),
                Err(diagnostic) => {
                    progress.clear(streams);
                    streams.show(&diagnostic);
                    self.not_lowered.push(file.clone());
                }
            }
        }
        Ok(())
    }

    /// Says which files took longest.
    fn show_slowest(&mut self, streams: &mut Streams<'_>) {
        self.times.sort_by(|one, other| other.cmp(one));
        for (time, file) in self.times.iter().take(SLOWEST) {
            // Where messages cannot be shown, the report still can.
            let _ = writeln!(streams.messages, "{:.2} s  {}", time.as_secs_f64(), file.display());
        }
    }

    fn finish(self) -> Result<Coverage, Diagnostic> {
        let (package, modules) = (self.package, self.modules);
        let coverage = asking::answer(&package.path, || Ok(measure(package, modules)))?;
        Ok(Coverage { not_lowered: self.not_lowered, ..coverage })
    }
}
