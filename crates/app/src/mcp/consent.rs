//! Asking the user before a command is run, by way of the client.

use std::path::Path;
use std::time::Duration;

use rmcp::schemars::{self, JsonSchema};
use rmcp::service::ElicitationError;
use rmcp::{Peer, RoleServer, elicit_safe};
use serde::{Deserialize, Serialize};

/// Longest that a person may take to answer.
const PATIENCE: Duration = Duration::from_secs(600);
/// How to have commands run all the same.
const HOW: &str = "start the server with --allow-record to have commands run without asking";

/// What the user is asked for.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
struct Consent {
    /// Run this command.
    run: bool,
}

elicit_safe!(Consent);

/// Asks the user whether a command may run; the error says why it may not.
pub(super) async fn ask(
    client: &Peer<RoleServer>,
    command: &[String],
    folder: &Path,
    output: &str,
) -> Result<(), String> {
    let words: Vec<String> = command.iter().map(|word| quoted(word)).collect();
    let message = format!(
        "Run this command in {}, measure it, and write {}?\n\n{}",
        quoted(&folder.to_string_lossy()),
        quoted(output),
        words.join(" ")
    );
    match client.elicit_with_timeout::<Consent>(message, Some(PATIENCE)).await {
        Ok(Some(Consent { run: true })) => Ok(()),
        Ok(_) | Err(ElicitationError::UserDeclined | ElicitationError::UserCancelled) => {
            Err("the user declined to run this command".to_owned())
        }
        Err(ElicitationError::CapabilityNotSupported) => {
            Err(format!("this client cannot ask its user whether the command may run: {HOW}"))
        }
        Err(error) => Err(format!("the user could not be asked ({error}): {HOW}")),
    }
}

/// A word as a person sees where it begins and ends, and what is in it.
fn quoted(word: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-_./=:,@%+".contains(sign);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("{:?}", session::visible(word))
}
