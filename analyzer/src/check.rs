//! From a request to a verdict: reads the inputs, runs the stages, puts the result together.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use healcore_grammar::{Binding, Profile};
use healguard_rules::layers;
use healguard_rules::program::RuleDoc;
use rustc_hash::FxHashSet;

use crate::audit::Observation;
use crate::cli::{Checked, Guard};
use crate::conclusion;
use crate::config::{Case, EndorsementMode, Protection, ResumeMode};
use crate::diagnostic::{Diagnostic, SourceRange, read_text};
use crate::engine::{Engine, Question, Solution, StackError, Unsolved, offset};
use crate::frontend;
use crate::ir::Span;
use crate::laboratory;
use crate::request::{CaseRequest, CrashRequest, Options};
use crate::runtime_process::take_snapshot;
use crate::snapshot::{Frame, Snapshot, Value};
use crate::verdict::{Outcome, Rejection, Stages, Verdict};
use crate::world::{SearchPath, World};

/// How long a case may run until it dies.
const CASE_PATIENCE: Duration = Duration::from_secs(60);

/// Largest source file of a healing that is read.
const LARGEST_HEALING: u64 = 1 << 20;

/// The analysis behind the command line.
pub struct Analysis;

impl Guard for Analysis {
    fn check_case(&self, request: &CaseRequest) -> Result<Checked, Diagnostic> {
        check_case(request)
    }

    fn check_crash(&self, request: &CrashRequest) -> Result<Checked, Diagnostic> {
        check_crash(request)
    }

    fn observe_case(&self, request: &CaseRequest) -> Result<Observation, Diagnostic> {
        laboratory::observe(request)
    }

    fn grammar(&self) -> &str {
        healcore_grammar::GRAMMAR
    }

    fn rules(&self) -> Vec<RuleDoc> {
        layers::program().documentation()
    }
}

/// The verdict for a controlled case: runs the program until it dies, and checks the healing against that crash.
///
/// # Errors
/// An unusable case; a program that does not die, or not where the case says.
pub fn check_case(request: &CaseRequest) -> Result<Checked, Diagnostic> {
    let (input, snapshot) = read_case(request)?;
    check(input, snapshot)
}

/// All that the rules are given and derive for a controlled case; nothing where its healing is rejected, or the slice too large.
///
/// # Errors
/// As for [`check_case`].
pub fn solve_case(request: &CaseRequest) -> Result<Option<Solution>, Diagnostic> {
    let (input, mut snapshot) = read_case(request)?;
    if rejections(&input.healing, &snapshot).is_some() {
        return Ok(None);
    }
    let mut world = world(&input, &mut snapshot);
    operations_exist(&mut world, &input.protection)?;
    match Engine::solve(&mut world, &input.question()) {
        Ok(solution) => Ok(Some(solution)),
        Err(Unsolved::TooLarge(_)) => Ok(None),
        Err(Unsolved::Unplaced(error)) => Err(unplaced(error, &input)),
    }
}

/// What a controlled case consists of, and the crash of its program.
fn read_case(request: &CaseRequest) -> Result<(Input<'_>, Snapshot), Diagnostic> {
    let case = Case::load(&request.folder)?;
    let folder = canonical(&request.folder)?;
    let site = site_folders(&request.options, &folder, case.repository.as_deref())?;
    let protection = Protection::of_repository(&folder)?;
    let scratch = tempfile::tempdir().map_err(|error| Diagnostic::unreadable(&folder, &error))?;
    let crash = scratch.path().join("crash.json");
    let command = [OsString::from(&case.program.entry)];
    take_snapshot(&request.options.python, &folder, &command, &crash, &site, CASE_PATIENCE)?;
    let snapshot = Snapshot::read(&crash)?;
    dies_where_it_says(&case, &snapshot, &folder, &site)?;
    let healing = read_text(&folder.join(&case.heal.code), LARGEST_HEALING)?;
    let input = Input {
        name: case.id.clone(),
        healing_file: folder.join(&case.heal.code),
        healing,
        mode: case.heal.resume,
        protection,
        search: SearchPath { repository: folder, site, other: Vec::new() },
        options: &request.options,
    };
    Ok((input, snapshot))
}

/// The verdict for the healing of a real crash.
///
/// # Errors
/// An unusable input, or inputs that do not fit together.
pub fn check_crash(request: &CrashRequest) -> Result<Checked, Diagnostic> {
    let repository = canonical(&request.repository)?;
    let snapshot = Snapshot::read(&request.crash)?;
    let protection = match &request.protect {
        Some(file) => Protection::load(file)?,
        None => Protection::of_repository(&repository)?,
    };
    let healing = read_text(&request.heal, LARGEST_HEALING)?;
    let mut site = request.options.site.iter().map(|folder| canonical(folder)).collect::<Result<Vec<_>, _>>()?;
    let (installed, other) = split_search_path(&snapshot, &repository);
    site.extend(installed);
    let input = Input {
        name: request.heal.display().to_string(),
        healing_file: canonical(&request.heal)?,
        healing,
        mode: request.resume,
        protection,
        search: SearchPath { repository, site, other },
        options: &request.options,
    };
    check(input, snapshot)
}

/// Everything that a check reads, snapshot aside.
struct Input<'r> {
    name: String,
    healing_file: PathBuf,
    healing: String,
    mode: ResumeMode,
    protection: Protection,
    search: SearchPath,
    options: &'r Options,
}

impl Input<'_> {
    fn question(&self) -> Question<'_> {
        Question {
            healing: &self.healing,
            healing_file: &self.healing_file,
            mode: self.mode,
            protection: &self.protection,
        }
    }
}

fn check(input: Input<'_>, mut snapshot: Snapshot) -> Result<Checked, Diagnostic> {
    if let Some(rejections) = rejections(&input.healing, &snapshot) {
        return Ok(rejected(&input, rejections));
    }
    let started = Instant::now();
    let mut world = world(&input, &mut snapshot);
    operations_exist(&mut world, &input.protection)?;
    let verdict = match Engine::solve(&mut world, &input.question()) {
        Ok(solution) => conclusion::verdict(&mut world, &solution, &input.name, started.elapsed()),
        Err(Unsolved::TooLarge(why)) => conclusion::unfinished(&input.protection, &input.name, &why),
        Err(Unsolved::Unplaced(error)) => return Err(unplaced(error, &input)),
    };
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for file in &world.files {
        texts.entry(file.shown.clone()).or_insert_with(|| file.text.to_string());
    }
    let healing = world.shown(&input.healing_file);
    Ok((verdict, Box::new(Texts { texts, healing })))
}

/// What exists besides the crash, which is made to say no more than it may.
fn world<'s>(input: &Input<'_>, snapshot: &'s mut Snapshot) -> World<'s> {
    if !input.options.snapshot {
        forget_values(snapshot);
    }
    let guard_names = guard_names(&input.protection, snapshot);
    World::new(snapshot, input.search.clone(), guard_names)
}

/// The sources that a verdict shows.
struct Texts {
    texts: BTreeMap<String, String>,
    healing: String,
}

impl crate::report::SourceProvider for Texts {
    fn text(&self, shown: &str) -> Option<&str> {
        self.texts.get(shown).map(String::as_str)
    }

    fn healing(&self) -> &str {
        &self.healing
    }
}

// ---------------------------------------------------------------------- the healing

/// Why the healing is not HealCore; nothing where it is.
fn rejections(healing: &str, snapshot: &Snapshot) -> Option<Vec<Rejection>> {
    let frame = snapshot.frames.first()?;
    let globals = snapshot.modules.get(&frame.module).map(|module| &module.globals);
    let binding = |name: &str| {
        let value = frame
            .locals
            .get(name)
            .or_else(|| frame.cells.get(name))
            .or_else(|| globals.and_then(|globals| globals.get(name)));
        match value {
            None => Binding::Unbound,
            Some(value) if snapshot.object(value).is_some_and(|object| object.kind == "module") => Binding::Module,
            Some(_) => Binding::Variable,
        }
    };
    let profile = Profile::core().with_frame(&binding);
    let found = healcore_grammar::validate(healing, &profile).err()?;
    let rejection = |found: healcore_grammar::Rejection| Rejection {
        code: found.code.as_str().to_owned(),
        message: found.message,
        line: found.line as u32,
        column: found.column as u32,
        end_line: found.end_line as u32,
        end_column: found.end_column as u32,
        help: found.help,
    };
    Some(found.into_iter().map(rejection).collect())
}

fn rejected(input: &Input<'_>, rejections: Vec<Rejection>) -> Checked {
    let outcome = Outcome::Rejected;
    let verdict = Verdict {
        schema: 1,
        case: input.name.clone(),
        verdict: outcome,
        flagged: outcome.flagged(),
        action: outcome.action(),
        operations: Vec::new(),
        rejections,
        assumptions: Vec::new(),
        stages: Stages::default(),
    };
    let shown = input.healing_file.strip_prefix(&input.search.repository).unwrap_or(&input.healing_file);
    let healing = shown.to_string_lossy().into_owned();
    let texts = BTreeMap::from([(healing.clone(), input.healing.clone())]);
    (verdict, Box::new(Texts { texts, healing }))
}

/// Last names of what may be a guard: those that the file names, and functions that a decorator left its mark on.
fn guard_names(protection: &Protection, snapshot: &Snapshot) -> FxHashSet<String> {
    let guards = protection.endorsements.iter().filter(|endorsement| endorsement.mode == EndorsementMode::Guards);
    let named = guards.map(|guard| guard.name.as_str());
    let marked = snapshot.objects.values().filter(|object| object.attributes.contains_key("__healguard__"));
    let names = named.chain(marked.filter_map(|object| object.qualname.as_deref()));
    names.filter_map(|name| name.rsplit('.').next()).map(str::to_owned).collect()
}

// ---------------------------------------------------------------------- the crash

/// Keeps the live stack and forgets what the snapshot says of values.
fn forget_values(snapshot: &mut Snapshot) {
    snapshot.objects.clear();
    snapshot.modules.clear();
    for frame in &mut snapshot.frames {
        frame.locals.values_mut().chain(frame.cells.values_mut()).for_each(|value| *value = Value::Other);
    }
}

fn dies_where_it_says(case: &Case, snapshot: &Snapshot, folder: &Path, site: &[PathBuf]) -> Result<(), Diagnostic> {
    let place = |file: &str| {
        let path = Path::new(file);
        let inside = path.strip_prefix(folder).ok().map(|inside| inside.to_string_lossy().into_owned());
        let installed = || site.iter().find_map(|site| path.strip_prefix(site).ok());
        inside.or_else(|| installed().map(|inside| format!("site:{}", inside.to_string_lossy())))
    };
    let found = snapshot.frames.iter().find_map(|frame| Some((frame, place(&frame.file)?)));
    let plain = |name: &str| name.strip_prefix("builtins.").unwrap_or(name).to_owned();
    let mend = "give `[crash]` the place that `healcheck snapshot` finds, or mend the program";
    let Some((frame, file)) = found else {
        let message = "the program does not die in the case or in its package";
        return Err(Diagnostic::new(message).in_file(case.folder.join("case.toml")).mend(mend));
    };
    let (says, finds) = (&case.crash, plain(&snapshot.exception.type_name));
    let same_line = statement_line(frame) == Some(says.line);
    if file == says.file && frame.function == says.function && same_line && plain(&says.exception) == finds {
        return Ok(());
    }
    let message = format!(
        "the program dies of {finds} at {file}:{} in `{}`, the case says {} at {}:{} in `{}`",
        frame.line, frame.function, says.exception, says.file, says.line, says.function
    );
    Err(Diagnostic::new(message).in_file(case.folder.join("case.toml")).mend(mend))
}

/// The first line of the innermost statement that a frame stands in.
fn statement_line(frame: &Frame) -> Option<u32> {
    let bytes = std::fs::read(&frame.file).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let lowered = frontend::lower_file(&text, &FxHashSet::default()).ok()?;
    let at = offset(&text, frame.line, frame.column.unwrap_or(1));
    let statements = lowered.bodies.iter().flat_map(|body| &body.statements);
    let around = statements.filter(|statement| statement.span.contains(Span { start: at, end: at }));
    let innermost = around.min_by_key(|statement| statement.span.end - statement.span.start)?;
    Some(SourceRange::of_bytes(&text, innermost.span.start as usize..innermost.span.start as usize).line)
}

fn unplaced(error: StackError, input: &Input<'_>) -> Diagnostic {
    let take_again = "take the snapshot again with the sources that are checked";
    match error {
        StackError::NoSource { file } => {
            Diagnostic::new("the source of the crashed function cannot be read").in_file(file).mend(take_again)
        }
        StackError::Syntax { file, error } => {
            let diagnostic = Diagnostic::new(format!("not Python: {}", error.message)).mend("mend the syntax error");
            at_offset(diagnostic, &file, error.offset)
        }
        StackError::NoFunction { file, function, line } => {
            let message =
                format!("there is no `{function}` that begins at line {line}: the crash is of another version");
            Diagnostic::new(message).in_file(file).at(line_range(line)).mend(take_again)
        }
        StackError::NoStatement { file, line } => {
            let message =
                "the crashed function has no statement at the line that failed: the crash is of another version";
            Diagnostic::new(message).in_file(file).at(line_range(line)).mend(take_again)
        }
        StackError::NoReturn => {
            Diagnostic::new("the resume mode is `return`, and the healing does not assign `healed_return`")
                .in_file(&input.healing_file)
                .mend("assign the value to return to `healed_return` as the last statement")
        }
        StackError::Healing(error) => {
            let diagnostic = Diagnostic::new(format!("not Python: {}", error.message)).mend("mend the syntax error");
            at_offset(diagnostic, &input.healing_file, error.offset)
        }
    }
}

fn at_offset(diagnostic: Diagnostic, file: &Path, offset: u32) -> Diagnostic {
    let text = std::fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let offset = offset as usize;
    diagnostic.in_file(file).at(SourceRange::of_bytes(&text, offset..offset))
}

fn line_range(line: u32) -> SourceRange {
    SourceRange { line, column: 1, end_line: line, end_column: 1 }
}

// ---------------------------------------------------------------------- folders

fn canonical(path: &Path) -> Result<PathBuf, Diagnostic> {
    std::fs::canonicalize(path).map_err(|error| Diagnostic::unreadable(path, &error))
}

/// Where the package of a case is installed: where the caller says, or in the nearest local environment.
fn site_folders(options: &Options, folder: &Path, repository: Option<&str>) -> Result<Vec<PathBuf>, Diagnostic> {
    if !options.site.is_empty() {
        return options.site.iter().map(|folder| canonical(folder)).collect();
    }
    let Some(key) = repository else { return Ok(Vec::new()) };
    let inside = Path::new(".venv").join("repositories").join(key).join("site-packages");
    let found = folder.ancestors().map(|ancestor| ancestor.join(&inside)).find(|site| site.is_dir());
    let message = format!("the package `{key}` of the case is not installed");
    let missing = Diagnostic::new(message)
        .in_file(folder.join("case.toml"))
        .mend("run `python3 controlled-cases/install`, or name the folder with `--site`");
    found.map(|site| vec![site]).ok_or(missing)
}

/// The folders that the program imported from: installed packages, and others.
fn split_search_path(snapshot: &Snapshot, repository: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let folders =
        snapshot.search_path.iter().map(PathBuf::from).filter(|folder| folder.is_dir() && folder != repository);
    folders.partition(|folder| folder.ends_with("site-packages") || folder.ends_with("dist-packages"))
}

/// Every protected operation and endorsement names something that exists.
fn operations_exist(world: &mut World<'_>, protection: &Protection) -> Result<(), Diagnostic> {
    let operations = protection.operations.iter().map(|operation| (&operation.name, &operation.declared, "operation"));
    let endorsements = protection.endorsements.iter().map(|entry| (&entry.name, &entry.declared, "endorsement"));
    for (name, declared, kind) in operations.chain(endorsements) {
        if let Err(nearest) = crate::names::exists(world, name) {
            let mend = match nearest {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => "give the dotted name of a function, method, class or built-in".to_owned(),
            };
            let range = SourceRange {
                line: declared.line,
                column: declared.column,
                end_line: declared.end_line,
                end_column: declared.end_column,
            };
            let message = format!("there is no `{name}`, which an {kind} names");
            return Err(Diagnostic::new(message).in_file(&declared.file).at(range).mend(mend));
        }
    }
    Ok(())
}
