//! What the tests of isolation have for the product's hidden sub-command.

use std::process::ExitCode;

fn main() -> ExitCode {
    isolation::launch(std::env::args_os().skip(1))
}
