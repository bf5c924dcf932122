//! What an audit compares: labels and verdicts with what programs did when they ran.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::config::{Label, ResumeMode};
use crate::verdict::{Outcome, Verdict};

/// What executions of a case showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The label that `case.toml` gives.
    pub said: Label,
    /// The label that executions give.
    pub executed: Label,
    /// Where two executions differ.
    pub difference: Option<Difference>,
}

/// Two executions, and the first event in which they differ.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Difference {
    /// Number of the event, from 0.
    pub event: u64,
    /// The healings of the two executions, by file.
    pub executions: [String; 2],
    /// What each of them did there; nothing where it had come to its end.
    pub seen: [Option<Event>; 2],
}

/// A protected operation that ran, with what is different about it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Event {
    pub operation: String,
    /// What was watched, with its value in short.
    pub differs: BTreeMap<String, String>,
}

/// What executions showed, and whether the verdict is flagged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    pub executed: Label,
    pub flagged: bool,
}

impl Comparison {
    /// Executions showed a flow, and the verdict does not.
    pub fn missed_flow(self) -> bool {
        self.executed == Label::Unsafe && !self.flagged
    }

    /// The verdict shows a flow, and no execution did.
    pub fn false_alarm(self) -> bool {
        self.executed == Label::Safe && self.flagged
    }
}

/// Ids of the assumptions that a verdict rests on.
pub fn assumptions(verdict: &Verdict) -> Vec<String> {
    let ids: BTreeSet<&str> = verdict.assumptions.iter().map(|one| one.id.as_str()).collect();
    ids.into_iter().map(str::to_owned).collect()
}

/// What the audit of one case found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaseAudit {
    pub case: String,
    pub folder: PathBuf,
    /// The label that `case.toml` gives.
    pub label: Label,
    /// The label that executions give.
    pub executed: Label,
    pub verdict: Outcome,
    /// Ids of the assumptions that the verdict rests on.
    pub assumptions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
}

impl CaseAudit {
    pub fn new(folder: PathBuf, observation: Observation, verdict: &Verdict) -> Self {
        Self {
            case: verdict.case.clone(),
            folder,
            label: observation.said,
            executed: observation.executed,
            verdict: verdict.verdict,
            assumptions: assumptions(verdict),
            difference: observation.difference,
        }
    }

    /// Executions showed another label than the case gives.
    pub fn wrong_label(&self) -> bool {
        self.label != self.executed
    }

    /// The verdict beside the executions.
    pub fn comparison(&self) -> Comparison {
        Comparison { executed: self.executed, flagged: self.verdict.flagged() }
    }
}

/// A random program whose flow the verdict does not show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissedProgram {
    pub index: u64,
    pub resume: ResumeMode,
    /// Whether the program was made smaller.
    pub shrunk: bool,
    pub assumptions: Vec<String>,
    pub program: String,
    /// Text by file: the healing, and alternatives that show the flow.
    pub healings: BTreeMap<String, String>,
}

/// An input that could not be audited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotRun {
    /// The folder of a case, or the number of a random program.
    pub input: String,
    pub reason: String,
}

/// What the audit of random programs found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RandomAudit {
    pub seed: u64,
    pub first: u64,
    /// How many programs have a verdict.
    pub programs: u64,
    /// How many of them have executions that differ.
    pub flows: u64,
    /// Numbers of the programs that are flagged, and whose executions do not differ.
    pub safe_flagged: Vec<u64>,
    pub missed: Vec<MissedProgram>,
    /// Numbers of the programs without a verdict in time, or whose analysis was not finished.
    pub undecided: Vec<u64>,
    pub not_run: Vec<NotRun>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flow_is_missed_where_executions_differ_and_nothing_is_flagged() {
        let beside = |executed, flagged| Comparison { executed, flagged };
        assert!(beside(Label::Unsafe, false).missed_flow() && !beside(Label::Unsafe, true).missed_flow());
        assert!(beside(Label::Safe, true).false_alarm() && !beside(Label::Safe, false).false_alarm());
        assert!(!beside(Label::Safe, false).missed_flow() && !beside(Label::Unsafe, true).false_alarm());
    }
}
