//! The program `healcheck`.

use std::io;
use std::process::ExitCode;

use healcheck::check::Analysis;
use healcheck::cli::{self, Streams};

fn main() -> ExitCode {
    let (mut reports, mut messages) = (io::stdout(), io::stderr());
    let mut streams = Streams::of_process(&mut reports, &mut messages);
    ExitCode::from(cli::run(std::env::args_os(), &Analysis, &mut streams))
}
