//! The numbers that keep a healing small. The validator checks what is constant; the runtime enforces the
//! same numbers on what is computed.

use serde::Serialize;

/// Limits on the text of a healing and on what it may build.
///
/// A field holds the largest value that is still accepted. A profile lowers sizes and depths to
/// [`Bounds::LARGEST_SOURCE`] and [`Bounds::GREATEST_DEPTH`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Bounds {
    /// Bytes of source text.
    pub source_bytes: usize,
    /// Statements, those in blocks included.
    pub statements: usize,
    /// Blocks inside blocks.
    pub block_depth: usize,
    /// Expressions inside expressions.
    pub expression_depth: usize,
    /// Comprehensions inside comprehensions.
    pub comprehension_depth: usize,
    /// `for` loops inside `for` loops; also the `for` clauses of one comprehension.
    pub loop_depth: usize,
    /// Iterations of one loop, and of nested loops together.
    pub loop_iterations: u64,
    /// Items built by one expression over all iterations around it.
    pub total_items: u64,
    /// Bits of an integer.
    pub integer_bits: u64,
    /// Bytes of one string or bytes literal.
    pub string_bytes: usize,
    /// Items (or characters) of a sequence built by repetition.
    pub sequence_items: u64,
    /// How many times the size of a live container a repetition may produce.
    pub growth_factor: u64,
    /// Width and precision of formats, width of padding methods.
    pub format_width: u64,
    /// Digits that `round` may keep or drop.
    pub round_digits: u64,
    /// Items written out in one display or call.
    pub display_items: usize,
    /// Statements that combine a value with itself (`x = x + x`) outside loops.
    pub self_growth: usize,
    /// Rejections reported for one program.
    pub rejections: usize,
}

impl Bounds {
    /// Bytes of source beyond which no bounds allow parsing: it limits the stack the parser may need.
    pub const LARGEST_SOURCE: usize = 1 << 20;

    /// Depth of expressions and of blocks beyond which no bounds allow looking: it limits the stack of the walk.
    pub const GREATEST_DEPTH: usize = 100;

    /// The bounds of HealCore version 1.
    pub const VERSION_1: Bounds = Bounds {
        source_bytes: 16 * 1024,
        statements: 200,
        block_depth: 6,
        expression_depth: 40,
        comprehension_depth: 2,
        loop_depth: 3,
        loop_iterations: 100_000,
        total_items: 1_000_000,
        integer_bits: 4096,
        string_bytes: 4096,
        sequence_items: 100_000,
        growth_factor: 100,
        format_width: 1000,
        round_digits: 100,
        display_items: 500,
        self_growth: 3,
        rejections: 64,
    };

    /// The same bounds, with those that protect the validator itself lowered to what it can bear.
    pub(crate) fn bearable(self) -> Self {
        Bounds {
            source_bytes: self.source_bytes.min(Self::LARGEST_SOURCE),
            block_depth: self.block_depth.min(Self::GREATEST_DEPTH),
            expression_depth: self.expression_depth.min(Self::GREATEST_DEPTH),
            ..self
        }
    }

    /// The bounds as a JSON object, one key a field, for the runtime.
    ///
    /// # Errors
    /// None in practice: plain integers always serialize. The error type is that of the serializer.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds::VERSION_1
    }
}
