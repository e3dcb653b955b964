//! `hotframe sdfg machine`, run as a person or a script runs it.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::process::Command;

#[test]
fn both_numbers_and_their_quotient() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    let output =
        command.args(["sdfg", "machine", "--threads", "1", "--format", "json"]).output().unwrap();
    assert!(output.status.success());
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let number = |name: &str| told[name].as_f64().unwrap();
    let (bytes, operations) =
        (number("bandwidth_bytes_per_second"), number("operations_per_second"));
    assert!(bytes > 1e6 && operations > 1e6, "{told}");
    assert!((number("ridge_operations_per_byte") - operations / bytes).abs() < 1e-6, "{told}");
    assert_eq!(told["threads"], 1);
}

#[test]
fn no_threads_are_refused() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hotframe"));
    let output = command.args(["sdfg", "machine", "--threads", "0"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
