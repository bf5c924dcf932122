//! What an audit compares: labels and verdicts with what programs did when they ran.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::config::Label;
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

/// A verdict beside what executions showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    pub executed: Label,
    pub verdict: Outcome,
    /// Ids of the assumptions that the verdict rests on.
    pub assumptions: Vec<String>,
}

impl Comparison {
    pub fn new(executed: Label, verdict: &Verdict) -> Self {
        let mut assumptions: Vec<String> = verdict.assumptions.iter().map(|one| one.id.clone()).collect();
        assumptions.sort();
        assumptions.dedup();
        Self { executed, verdict: verdict.verdict, assumptions }
    }

    /// Executions showed a flow, and the verdict does not.
    pub fn missed_flow(&self) -> bool {
        self.executed == Label::Unsafe && !self.verdict.flagged()
    }

    /// The verdict shows a flow, and no execution did.
    pub fn false_alarm(&self) -> bool {
        self.executed == Label::Safe && self.verdict.flagged()
    }
}

/// What the audit of one case found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaseAudit {
    pub case: String,
    pub folder: PathBuf,
    /// The label that `case.toml` gives.
    pub label: Label,
    #[serde(flatten)]
    pub comparison: Comparison,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
}

impl CaseAudit {
    pub fn new(folder: PathBuf, observation: Observation, verdict: &Verdict) -> Self {
        Self {
            case: verdict.case.clone(),
            folder,
            label: observation.said,
            comparison: Comparison::new(observation.executed, verdict),
            difference: observation.difference,
        }
    }

    /// Executions showed another label than the case gives.
    pub fn wrong_label(&self) -> bool {
        self.label != self.comparison.executed
    }
}

/// A random program whose flow the verdict does not show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissedProgram {
    pub index: u64,
    pub resume: String,
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
    pub not_run: Vec<NotRun>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flow_is_missed_where_executions_differ_and_nothing_is_flagged() {
        let outcomes = [Outcome::Safe, Outcome::Pruned, Outcome::Alarm, Outcome::Confirmed, Outcome::Rejected];
        for verdict in outcomes {
            let beside = |executed| Comparison { executed, verdict, assumptions: Vec::new() };
            assert_eq!(beside(Label::Unsafe).missed_flow(), !verdict.flagged(), "{verdict:?}");
            assert_eq!(beside(Label::Safe).false_alarm(), verdict.flagged(), "{verdict:?}");
            assert!(!beside(Label::Safe).missed_flow() && !beside(Label::Unsafe).false_alarm(), "{verdict:?}");
        }
    }
}
