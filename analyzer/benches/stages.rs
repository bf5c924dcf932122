//! Where the time of a check goes: parsing, lowering, facts, rules, explanation, side by side on the same files; and how it grows
//! with the slice.
//!
//! `cargo bench --package healcheck --bench stages` prints two tables. Each check runs in a process of its own, so that nothing
//! is warm; of several runs the one with the least processor time is shown. The program that takes the snapshot is not counted.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use healcheck::check::check_case;
use healcheck::request::{CaseRequest, Options};
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

/// Runs of each check.
const RUNS: usize = 5;
/// Calls one behind the other in the smallest program of the tables of growth, and how often the number doubles.
const SHORTEST: usize = 8;
const DOUBLINGS: u32 = 5;
/// What one process is asked to do.
const ONE: &str = "--one";

type Outcome<T> = Result<T, Box<dyn Error>>;

/// What one check took; times in seconds.
#[derive(Clone, Copy, Deserialize, Serialize)]
struct Figures {
    functions: u64,
    kilobytes: u64,
    parsing: f64,
    lowering: f64,
    facts: f64,
    rules: f64,
    explanation: f64,
    /// Processor time of the process.
    processor: f64,
    /// Most memory that the process had, in megabytes.
    megabytes: f64,
}

fn main() -> Outcome<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [flag, folder] = arguments.as_slice()
        && flag == ONE
    {
        writeln!(std::io::stdout(), "{}", serde_json::to_string(&check(Path::new(folder))?)?)?;
        return Ok(());
    }
    // `cargo test --all-targets` runs benchmarks too, without this.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let text = format!("{}\n{}\n{}", demonstrations()?, growth(Places::One)?, growth(Places::Each)?);
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// The table of the demonstrations.
fn demonstrations() -> Outcome<String> {
    let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("../controlled-cases/demo");
    let mut folders: Vec<PathBuf> =
        fs::read_dir(set)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    folders.sort();
    let mut table = heading("demonstration");
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        table.push_str(&row(&name, least(&folder)?)?);
    }
    Ok(table)
}

/// Where the calls of a program of growing size store the healed value.
#[derive(Clone, Copy)]
enum Places {
    /// All in the same place: the slice grows, and what is healed does not.
    One,
    /// Each in a place of its own: each of these goes through each call behind it.
    Each,
}

/// The table of programs of growing size.
fn growth(places: Places) -> Outcome<String> {
    let mut table = heading(match places {
        Places::One => "calls in a row",
        Places::Each => "calls, a healed place each",
    });
    let mut before: Option<f64> = None;
    for doubling in 0..=DOUBLINGS {
        let calls = SHORTEST << doubling;
        let folder = tempfile::tempdir()?;
        write_program(folder.path(), calls, places)?;
        let figures = least(folder.path())?;
        let line = row(&calls.to_string(), figures)?;
        let ratio = before.map(|before| format!("  times {:.2}", figures.processor / before)).unwrap_or_default();
        writeln!(table, "{}{ratio}", line.trim_end())?;
        before = Some(figures.processor);
    }
    Ok(table)
}

fn heading(first: &str) -> String {
    format!("{first:30} functions    kB  parse  lower  facts  rules explain    CPU     MB   (milliseconds)\n")
}

fn row(name: &str, figures: Figures) -> Outcome<String> {
    let Figures { functions, kilobytes, parsing, lowering, facts, rules, explanation, processor, megabytes } = figures;
    let mut line = format!("{name:30} {functions:9} {kilobytes:5}");
    for seconds in [parsing, lowering, facts, rules] {
        write!(line, " {:6.1}", seconds * 1e3)?;
    }
    writeln!(line, " {:7.1} {:6.1} {megabytes:6.1}", explanation * 1e3, processor * 1e3)?;
    Ok(line)
}

/// The run of several that took the least processor time.
fn least(folder: &Path) -> Outcome<Figures> {
    let mut runs: Vec<Figures> = Vec::new();
    for _ in 0..RUNS {
        let output = Command::new(env::current_exe()?).arg(ONE).arg(folder).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
        runs.push(serde_json::from_slice(&output.stdout)?);
    }
    runs.sort_by(|one, other| one.processor.total_cmp(&other.processor));
    runs.first().copied().ok_or_else(|| "there was no run".into())
}

/// Checks one case, in this process.
fn check(folder: &Path) -> Outcome<Figures> {
    let request = CaseRequest { folder: folder.to_owned(), options: Options { explain: true, ..Options::default() } };
    let (verdict, _) = check_case(&request).map_err(|diagnostic| diagnostic.message)?;
    let stages = verdict.stages;
    let count = |figure: Option<&serde_json::Value>| figure.and_then(serde_json::Value::as_u64).unwrap_or_default();
    let seconds = |figure: Option<&serde_json::Value>| figure.and_then(serde_json::Value::as_f64).unwrap_or_default();
    let parsing = seconds(stages.slice.get("parsing_seconds"));
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Ok(Figures {
        functions: count(stages.slice.get("functions")),
        kilobytes: count(stages.slice.get("bytes")) / 1024,
        parsing,
        lowering: seconds(stages.slice.get("seconds")) - parsing,
        facts: seconds(stages.facts.get("seconds")),
        rules: seconds(stages.rules.get("seconds")),
        explanation: seconds(stages.rules.get("explanation_seconds")),
        processor: time.tv_sec as f64 + time.tv_nsec as f64 / 1e9,
        megabytes: most_memory()?,
    })
}

/// The most memory that this process had, in megabytes.
fn most_memory() -> Outcome<f64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()).ok_or("the system does not tell")?;
    Ok(kilobytes.parse::<f64>()? / 1024.0)
}

/// A program whose healed value goes through so many calls before it is stored.
fn write_program(folder: &Path, calls: usize, places: Places) -> Outcome<()> {
    let mut program = "PRICES = {}\n\n\ndef store(ledger):\n    return len(ledger)\n".to_owned();
    for call in 0..calls {
        let next = if call + 1 < calls {
            format!("step_{}(order, ledger) + note.size()", call + 1)
        } else {
            "note.size()".to_owned()
        };
        let key = match places {
            Places::One => "amount".to_owned(),
            Places::Each => format!("step {call}"),
        };
        write!(
            program,
            "\n\nclass Note{call}:\n    def __init__(self, text):\n        self.text = text\n\n    def size(self):\n        \
             return len(self.text)\n\n\ndef step_{call}(order, ledger):\n    note = Note{call}(order[\"name\"])\n    \
             if order[\"amount\"] > {call}:\n        ledger[\"{key}\"] = order[\"amount\"]\n    return {next}\n"
        )?;
    }
    program.push_str(
        "\n\nledger = {}\norder = {\"name\": \"tea\", \"amount\": 1}\norder[\"amount\"] = PRICES[\"tea\"]\n\
         step_0(order, ledger)\nstore(ledger)\n",
    );
    let line = program.lines().position(|line| line.ends_with("PRICES[\"tea\"]")).unwrap_or_default() + 1;
    fs::write(folder.join("main.py"), program)?;
    fs::write(folder.join("heal.py"), "PRICES[\"tea\"] = 3\n")?;
    fs::write(folder.join("other.py"), "PRICES[\"tea\"] = 4\n")?;
    fs::write(folder.join("protect.toml"), "schema = 1\n\n[[operation]]\nname = \"main.store\"\n")?;
    let case = format!(
        "schema = 1\nid = \"growth-{calls}\"\nfamily = \"container-key\"\nlabel = \"unsafe\"\ntitle = \"A chain of calls.\"\n\n\
         [program]\nentry = \"main.py\"\n\n[crash]\nfile = \"main.py\"\nline = {line}\nfunction = \"<module>\"\n\
         exception = \"KeyError\"\n\n[heal]\ncode = \"heal.py\"\nresume = \"retry\"\nalternatives = [\"other.py\"]\n"
    );
    fs::write(folder.join("case.toml"), case)?;
    Ok(())
}
