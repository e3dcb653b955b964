//! Prints the targets: a name and the folder of its seeds, with a tab between them, on each line.

#![allow(clippy::print_stdout, reason = "that is what it is for")]

fn main() {
    for target in fuzz::targets() {
        println!("{}\t{}", target.name, target.seeds);
    }
}
