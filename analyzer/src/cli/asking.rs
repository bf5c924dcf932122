//! How the guard is asked: about many inputs at a time, and so that its defects look like no answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::diagnostic::Diagnostic;

/// Stack of a thread that checks: source trees may be nested deeply, and the pages of it are taken only when used.
const CHECK_STACK: usize = 256 << 20;

/// Works on all inputs in their order, with at most `jobs` of them in work at a time.
///
/// `work` gets an input with its number, and gives answers as they come; `receive` gets each in the calling thread. Gives how many
/// inputs were taken up: fewer than there are where the system grants no thread.
pub(super) fn each<I: Sync, A: Send>(
    inputs: &[I],
    jobs: usize,
    work: impl Fn(usize, &I, &mut dyn FnMut(A)) + Sync,
    mut receive: impl FnMut(A),
) -> usize {
    let next = AtomicUsize::new(0);
    let (next, work) = (&next, &work);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..jobs.min(inputs.len()) {
            let sender = sender.clone();
            let take = move || {
                while let Some((index, input)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    inputs.get(index).map(|input| (index, input))
                } {
                    // Nobody stops to receive before all senders are gone.
                    work(index, input, &mut |answer| drop(sender.send(answer)));
                }
            };
            // Where the system grants no more threads, those that there are do the work.
            let _ = thread::Builder::new().stack_size(CHECK_STACK).spawn_scoped(scope, take);
        }
        drop(sender);
        receiver.into_iter().for_each(&mut receive);
    });
    next.load(Ordering::Relaxed).min(inputs.len())
}

/// Why an input was not taken up.
pub(super) fn no_thread() -> Diagnostic {
    Diagnostic::new("the system grants no thread to check with").mend("free memory, or raise the limit on threads")
}

/// The answer about one input. A panic is a defect of this program; it must not look like a verdict.
pub(super) fn answer<T>(input: &Path, ask: impl FnOnce() -> Result<T, Diagnostic>) -> Result<T, Diagnostic> {
    catch_unwind(AssertUnwindSafe(ask)).unwrap_or_else(|_| {
        Err(Diagnostic::new("a defect of healcheck ended the check of this input")
            .in_file(input)
            .mend("please report it, with the input"))
    })
}
