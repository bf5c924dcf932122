//! Proofs as data.

/// A proof that a tuple follows from facts.
///
/// It is a graph: a tuple that is needed twice is proved once. Nothing about it is promised by its type; what the
/// search makes and what a file might hold are both held to [`check`](crate::checker::check).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivation {
    /// Never empty; the goal is last.
    steps: Vec<Step>,
}

/// The number of a step in its derivation. In a derivation that passes the check, a step has a larger number than the
/// steps that it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepId(pub usize);

/// One tuple and why it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The relation of the tuple.
    pub relation: String,
    /// The codes of its columns.
    pub tuple: Vec<u64>,
    /// Why it is there.
    pub reason: Reason,
}

/// Why a tuple is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It was given.
    Fact,
    /// A rule derives it.
    Rule {
        /// The id of the rule.
        id: String,
        /// One entry for each premise of the rule, in its order.
        evidence: Vec<Evidence>,
    },
}

/// Why one premise of a rule is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The tuple of another step.
    Step(StepId),
    /// No tuple of the relation has these codes; `None` stands for any code.
    Absent {
        /// The relation.
        relation: String,
        /// One entry for each column.
        pattern: Vec<Option<u64>>,
    },
    /// The function gives true (or false) for these arguments.
    Test {
        /// The function.
        function: String,
        /// The codes of its arguments.
        arguments: Vec<u64>,
        /// What it gives.
        value: bool,
    },
    /// The codes are equal (or are not).
    Compare {
        /// The left code.
        left: u64,
        /// The right code.
        right: u64,
        /// Whether they are equal.
        equal: bool,
    },
    /// The function gives this value.
    Let {
        /// The variable that stands for the value.
        variable: String,
        /// The function.
        function: String,
        /// The codes of its arguments.
        arguments: Vec<u64>,
        /// The code of its value.
        value: u64,
    },
}

impl Derivation {
    /// A derivation of the last of these steps; `None` when there is none.
    #[must_use]
    pub fn from_steps(steps: Vec<Step>) -> Option<Self> {
        (!steps.is_empty()).then_some(Self { steps })
    }

    /// All steps; the goal is last.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The step that proves what the derivation is for.
    #[must_use]
    pub fn goal(&self) -> &Step {
        &self.steps[self.steps.len() - 1]
    }

    /// The number of [`Derivation::goal`].
    #[must_use]
    pub fn goal_id(&self) -> StepId {
        StepId(self.steps.len() - 1)
    }

    /// The step of that number.
    #[must_use]
    pub fn step(&self, id: StepId) -> Option<&Step> {
        self.steps.get(id.0)
    }

    /// The number of rule steps on the longest way from the goal to a fact.
    #[must_use]
    pub fn height(&self) -> usize {
        let mut heights: Vec<usize> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let height = match &step.reason {
                Reason::Fact => 0,
                Reason::Rule { .. } => {
                    let below = step.supports().filter_map(|id| heights.get(id.0));
                    1 + below.max().copied().unwrap_or(0)
                }
            };
            heights.push(height);
        }
        heights.last().copied().unwrap_or(0)
    }
}

impl Step {
    /// The steps that this one rests on, in the order of the premises.
    pub fn supports(&self) -> impl Iterator<Item = StepId> + '_ {
        let evidence = match &self.reason {
            Reason::Fact => &[][..],
            Reason::Rule { evidence, .. } => evidence,
        };
        evidence.iter().filter_map(|evidence| match evidence {
            Evidence::Step(id) => Some(*id),
            _ => None,
        })
    }
}
