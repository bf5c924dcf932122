//! The verdict: what the analysis says about one healing, in the shape of FORMATS section 4.
//!
//! The stages fill it, the reports render it, and nothing else passes between them.

use indexmap::IndexMap;
use serde::Serialize;

/// The answer for a whole healing or for one operation, mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// No derivation reaches the operation.
    Safe,
    /// Derivations exist, and every one is infeasible.
    Pruned,
    /// A derivation exists, and no evidence removed it.
    Alarm,
    /// An alarm whose flow a replay showed.
    Confirmed,
    /// The healing is not HealCore.
    Rejected,
}

impl Outcome {
    /// Whether the verdict counts as flagged.
    pub fn flagged(self) -> bool {
        !matches!(self, Outcome::Safe | Outcome::Pruned)
    }

    /// What the runtime should do with the healing.
    pub fn action(self) -> Action {
        match self {
            Outcome::Safe | Outcome::Pruned => Action::Allow,
            Outcome::Alarm => Action::Monitor,
            Outcome::Confirmed | Outcome::Rejected => Action::Block,
        }
    }

    /// The word used in reports and in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Safe => "safe",
            Outcome::Pruned => "pruned",
            Outcome::Alarm => "alarm",
            Outcome::Confirmed => "confirmed",
            Outcome::Rejected => "rejected",
        }
    }
}

/// What the runtime should do with a healing that got this verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Allow,
    Monitor,
    Block,
}

/// How healed state reaches an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FlowKind {
    /// The healing itself calls the operation.
    Direct,
    /// A value that the operation watches depends on healed state.
    Explicit,
    /// Healed state decides whether, how often or in which order the operation runs.
    Implicit,
    /// Retrying the failing statement performs the operation a second time.
    Repeat,
}

/// A source range. Lines and columns count from 1; columns count characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Location {
    /// Path as shown to people: relative to the repository, `site:…` for installed packages.
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

/// One frame of a trace: a step of the flow that a person can follow in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceStep {
    #[serde(flatten)]
    pub location: Location,
    /// `healed`, `assign`, `load`, `store`, `call`, `return`, `branch`, `operation`, …
    pub step: &'static str,
    /// Id of the rule that made the step.
    pub rule: String,
    /// The place that holds healed state after the step, as a person would write it: `order.total`.
    pub place: String,
}

/// One node of a derivation: a derived tuple, the rule that gave it, and its premises.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Derivation {
    /// The tuple in words: `tainted(checkout:58, total)`.
    pub tuple: String,
    /// Rule id, `fact` for an input tuple, `absent` for a tuple that must not exist.
    pub rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    pub premises: Vec<Derivation>,
}

impl Derivation {
    /// Number of rule applications on the longest branch.
    pub fn height(&self) -> usize {
        let below = self.premises.iter().map(Derivation::height).max();
        below.unwrap_or(0) + usize::from(self.rule != "fact" && self.rule != "absent")
    }
}

/// What the path condition of a derivation is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Feasible {
    Feasible,
    Infeasible,
    Unknown,
}

/// Outcome of the feasibility stage for one operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Feasibility {
    pub result: Feasible,
    /// The path condition in source terms; empty where there is none.
    pub condition: String,
    /// Conditions that contradict each other, in source terms, where infeasible.
    pub core: Vec<String>,
}

/// Outcome of the replay stage for one operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Replay {
    /// `taint`, `difference`, `not observed` or `not run`.
    pub result: &'static str,
    pub detail: String,
}

/// The verdict for one protected operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OperationVerdict {
    pub name: String,
    /// Why developers protected it; shown in reports.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    pub verdict: Outcome,
    /// Absent where nothing reaches the operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<FlowKind>,
    /// What is watched and reached, in words: ``watched argument `amount` ``.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub watched: String,
    pub trace: Vec<TraceStep>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derivation: Option<Derivation>,
    /// For operations that nothing reaches: what stops each candidate flow, in words, with its place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<Stopped>,
    pub feasibility: Feasibility,
    pub replay: Replay,
}

/// Why a candidate flow ends before the operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stopped {
    #[serde(flatten)]
    pub location: Location,
    pub text: String,
}

/// Why a healing is not HealCore.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rejection {
    /// Stable code: `HC012`.
    pub code: String,
    pub message: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    pub help: String,
}

/// One entry of the ledger: what the verdict rests on and the analysis could not know.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Assumption {
    /// Stable id, documented in UNSOUNDNESS.md: `A3`.
    pub id: String,
    /// Where it was used: `file:line`, or empty for the whole analysis.
    #[serde(rename = "where")]
    pub place: String,
    pub text: String,
}

/// Figures of one stage: counts, and `seconds`.
pub type StageFigures = IndexMap<&'static str, serde_json::Value>;

/// Figures of all stages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stages {
    pub slice: StageFigures,
    pub facts: StageFigures,
    pub rules: StageFigures,
    pub feasibility: StageFigures,
    pub replay: StageFigures,
}

/// The verdict for one healing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    pub schema: u32,
    /// Case id, or the path of the healing where there is no case.
    pub case: String,
    pub verdict: Outcome,
    pub flagged: bool,
    pub action: Action,
    pub operations: Vec<OperationVerdict>,
    pub rejections: Vec<Rejection>,
    pub assumptions: Vec<Assumption>,
    pub stages: Stages,
}
