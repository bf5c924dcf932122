//! How far a long command is, as a message.

use std::time::{Duration, Instant};

use super::Streams;

/// How long a line on a terminal stays as it is.
const REWRITTEN_AFTER: Duration = Duration::from_millis(100);
/// How long it takes to the next line elsewhere, where lines pile up.
const REPEATED_AFTER: Duration = Duration::from_secs(30);

/// A line that says how far a command is. That it cannot be shown is no reason to stop.
pub(super) struct Progress {
    wanted: bool,
    shown: Instant,
    /// Whether a line stands on the terminal that is to be written over.
    stands: bool,
}

impl Progress {
    pub(super) fn new(wanted: bool) -> Self {
        Self { wanted, shown: Instant::now(), stands: false }
    }

    /// Shows how far the command is, unless that was shown just now.
    pub(super) fn show(&mut self, streams: &mut Streams<'_>, line: impl FnOnce() -> String) {
        let pause = if streams.rewritable_messages { REWRITTEN_AFTER } else { REPEATED_AFTER };
        if !self.wanted || self.shown.elapsed() < pause {
            return;
        }
        self.shown = Instant::now();
        if streams.rewritable_messages {
            let _ = write!(streams.messages, "\r{}\x1b[K", line());
            self.stands = true;
        } else {
            let _ = writeln!(streams.messages, "{}", line());
        }
        let _ = streams.messages.flush();
    }

    /// Makes room for other messages.
    pub(super) fn clear(&mut self, streams: &mut Streams<'_>) {
        if std::mem::take(&mut self.stands) {
            let _ = write!(streams.messages, "\r\x1b[K");
        }
    }
}
