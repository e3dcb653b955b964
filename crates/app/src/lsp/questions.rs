//! What the user is asked: which file of a profile a file is, where that is unsure, where a file of a
//! profile is that somebody wants to see, and whether two profiles are to be compared.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use lsp_types::{MessageActionItem, MessageType, ShowMessageRequestParams};
use protocol::OpenSourceParams;
use protocol::editor::{self, EditorLocate};
use serde_json::{Value, json};

use super::markdown::without_links;
use super::outbox::Outbox;
use crate::addresses::path_of_uri;
use crate::path_parts::Parts;

/// More names are not help.
const MOST_NAMES: usize = 5;

const NONE: &str = "None of these";
const LOCATE: &str = "Locate…";
const USE_HERE: &str = "Show It Here";
const NOT_HERE: &str = "Not Here";

/// A file of the editor that might be several of a profile's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Doubt {
    /// Of the editor's file.
    pub(super) path: String,
    /// Of the profile.
    pub(super) title: String,
    /// The profile's files.
    pub(super) candidates: Vec<String>,
    /// Whether the one candidate is it in another copy of the project.
    pub(super) is_copy: bool,
}

/// A file of a profile that somebody wants to see, and that is not known here.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lost {
    /// Of the profile.
    pub(super) title: String,
    /// As its document names it.
    pub(super) wanted: OpenSourceParams,
    /// The same with slashes.
    pub(super) file: String,
    /// Files here that might be it.
    pub(super) candidates: Vec<String>,
}

/// A comparison that the user may want.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Offer {
    /// Of base and active profile.
    pub(super) titles: [String; 2],
    /// Their files.
    pub(super) base: PathBuf,
    pub(super) active: PathBuf,
}

#[derive(Debug)]
enum OpenQuestion {
    Compare(Offer),
    Which(Doubt),
    Where(Lost),
    /// In a dialog of the editor.
    Locating(Lost),
}

/// What the user said.
#[derive(Debug, PartialEq)]
pub(super) enum Answer {
    /// Both are compared from now on.
    Compare(Offer),
    Which(Chosen),
    /// Where a file is.
    Here(Lost, String),
    /// It is among the files of this machine, and can be shown.
    Locate(Lost),
}

/// What was asked and told.
#[derive(Debug, Default)]
pub(super) struct Questions {
    /// By the number of the request.
    asked: HashMap<String, OpenQuestion>,
    /// Nobody is told the same twice: paths and candidates.
    told: HashSet<(String, Vec<String>)>,
    /// Files of profiles that were asked for.
    looked_for: HashSet<String>,
    /// Base and active profile of comparisons that were offered.
    offered: HashSet<[PathBuf; 2]>,
}

/// What the user chose.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    pub(super) path: String,
    /// What was asked about.
    pub(super) candidates: Vec<String>,
    /// None where it is none of them.
    pub(super) file: Option<String>,
}

impl Questions {
    /// Asks which of the candidates a file is, or tells that it is unsure where the editor cannot
    /// ask.
    pub(super) fn ask(&mut self, doubt: Doubt, can_ask: bool, out: &mut Outbox) {
        if doubt.is_copy {
            self.offer_copy(doubt, can_ask, out);
            return;
        }
        let Doubt { path, title, mut candidates, .. } = doubt;
        if !self.told.insert((path.clone(), candidates.clone())) {
            return;
        }
        let more = match candidates.len().saturating_sub(MOST_NAMES) {
            0 => String::new(),
            more => format!(" or {more} more"),
        };
        candidates.truncate(MOST_NAMES);
        let names = candidates.join(" or ");
        let message = format!("Hotframe: {path} might be {names}{more} of {title}.");
        if !can_ask {
            let rule = "A rule in the setting \"paths\" decides: \
                 [{ \"from\": \"how it begins in the profile\", \"to\": \"how it begins here\" }]";
            out.tell(MessageType::WARNING, &format!("{message} {rule}"));
            return;
        }
        let action = |title: &str| {
            json!(MessageActionItem { title: title.to_owned(), properties: HashMap::new() })
        };
        let actions: Vec<Value> =
            candidates.iter().map(String::as_str).chain([NONE]).map(action).collect();
        let message = without_links(&message);
        let params = ShowMessageRequestParams { typ: MessageType::INFO, message, actions: None };
        let mut params = json!(params);
        params["actions"] = Value::Array(actions);
        let id = out.ask("window/showMessageRequest", params);
        self.asked
            .insert(id, OpenQuestion::Which(Doubt { path, title, candidates, is_copy: false }));
    }

    /// Offers to tell of this copy of a project what was measured in another one, once for both.
    fn offer_copy(&mut self, doubt: Doubt, can_ask: bool, out: &mut Outbox) {
        let [other] = &doubt.candidates[..] else { return };
        let roots = Parts::new(other).rule(&Parts::new(&doubt.path));
        let Some((from, to)) = roots.map(|(from, to)| (from.text(), to.text())) else { return };
        if !self.told.insert((to.clone(), vec![from.clone()])) {
            return;
        }
        let title = &doubt.title;
        let message =
            format!("Hotframe: {title} was recorded in another copy of this project, {from}.");
        if !can_ask {
            let rule = json!([{ "from": from, "to": to }]);
            let advice = format!("To see it here, set \"paths\" to {rule}.");
            out.tell(MessageType::INFO, &format!("{message} {advice}"));
            return;
        }
        let actions = [USE_HERE, NOT_HERE].map(|title| json!({ "title": title }));
        let message = without_links(&message);
        let params = json!({ "type": MessageType::INFO, "message": message, "actions": actions });
        let id = out.ask("window/showMessageRequest", params);
        self.asked.insert(id, OpenQuestion::Which(doubt));
    }

    /// Offers a comparison, once.
    pub(super) fn offer(&mut self, offer: Offer, out: &mut Outbox) {
        if !self.offered.insert([offer.base.clone(), offer.active.clone()]) {
            return;
        }
        let [base, active] = &offer.titles;
        let message = without_links(&format!("{base} is an older profile of the same program."));
        let action = json!({ "title": without_links(&format!("Compare {active} with it")) });
        let params = json!({ "type": MessageType::INFO, "message": message, "actions": [action] });
        let id = out.ask("window/showMessageRequest", params);
        self.asked.insert(id, OpenQuestion::Compare(offer));
    }

    /// Whether it was asked before where a file is.
    pub(super) fn has_question_about(&self, lost: &Lost) -> bool {
        self.looked_for.contains(&lost.file)
    }

    /// Asks where a file is, which somebody wants to see now; the editor may have a dialog for it.
    pub(super) fn ask_where(&mut self, mut lost: Lost, has_dialog: bool, out: &mut Outbox) {
        lost.candidates.truncate(MOST_NAMES);
        self.looked_for.insert(lost.file.clone());
        let Lost { title, file, candidates, .. } = &lost;
        let message = without_links(&format!("Hotframe: where is {file} of {title}?"));
        let dialog = has_dialog.then_some(LOCATE);
        let actions = candidates.iter().map(String::as_str).chain(dialog);
        let actions: Vec<Value> = actions.map(|title| json!({ "title": title })).collect();
        let params = json!({ "type": MessageType::INFO, "message": message, "actions": actions });
        let id = out.ask("window/showMessageRequest", params);
        self.asked.insert(id, OpenQuestion::Where(lost));
    }

    /// Asks for a file in a dialog of the editor.
    pub(super) fn locate(&mut self, lost: Lost, out: &mut Outbox) {
        let id = out.ask(
            editor::LOCATE,
            json!(EditorLocate { file: lost.file.clone(), title: lost.title.clone() }),
        );
        self.asked.insert(id, OpenQuestion::Locating(lost));
    }

    /// Takes the editor's answer to a request of ours.
    pub(super) fn take_answer(&mut self, id: &str, result: &Value) -> Option<Answer> {
        let asked = self.asked.remove(id)?;
        // Who closes a message or a dialog has not answered.
        let title = || result.get("title").and_then(Value::as_str);
        match asked {
            OpenQuestion::Which(Doubt { path, candidates, is_copy: true, .. }) => {
                let file = match title()? {
                    USE_HERE => candidates.first().cloned(),
                    NOT_HERE => None,
                    _ => return None,
                };
                Some(Answer::Which(Chosen { path, candidates, file }))
            }
            OpenQuestion::Which(Doubt { path, candidates, .. }) => {
                let title = title()?;
                let file = candidates.iter().find(|candidate| *candidate == title).cloned();
                let is_answer = file.is_some() || title == NONE;
                is_answer.then_some(Answer::Which(Chosen { path, candidates, file }))
            }
            OpenQuestion::Compare(offer) => title().map(|_| Answer::Compare(offer)),
            OpenQuestion::Where(lost) => match title()? {
                LOCATE => Some(Answer::Locate(lost)),
                path if lost.candidates.iter().any(|one| one == path) => {
                    let path = path.to_owned();
                    Some(Answer::Here(lost, path))
                }
                _ => None,
            },
            OpenQuestion::Locating(lost) => {
                let path = path_of_uri(result.as_str()?)?;
                Some(Answer::Here(lost, path))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubt(files: usize) -> Doubt {
        let candidates = (0..files).map(|file| format!("/{file}/x.c")).collect();
        Doubt { path: "/x.c".to_owned(), title: "cpu.prof".to_owned(), candidates, is_copy: false }
    }

    fn sent(out: &mut Outbox) -> Vec<Value> {
        out.drain().iter().map(|text| serde_json::from_str(text).expect("JSON")).collect()
    }

    #[test]
    fn the_user_is_requested_once_and_answers_once() {
        let (mut questions, mut out) = (Questions::default(), Outbox::default());
        for _ in 0..2 {
            questions.ask(doubt(7), true, &mut out);
        }
        let [asked] = &sent(&mut out)[..] else { panic!("one question") };
        let titles: Vec<&Value> = asked["params"]["actions"]
            .as_array()
            .expect("actions")
            .iter()
            .map(|action| &action["title"])
            .collect();
        assert_eq!(titles.len(), MOST_NAMES + 1);
        assert_eq!(titles[MOST_NAMES], NONE);
        assert!(asked["params"]["message"].as_str().expect("a text").contains(" or 2 more of cpu"));
        let id = asked["id"].as_str().expect("a number");
        assert_eq!(questions.take_answer("other", &json!({ "title": NONE })), None);
        let answer = questions.take_answer(id, &json!({ "title": "/1/x.c" }));
        let Some(Answer::Which(chosen)) = answer else { panic!("{answer:?}") };
        assert_eq!(chosen.file.as_deref(), Some("/1/x.c"));
        assert_eq!(chosen.candidates.len(), MOST_NAMES);
        assert_eq!(questions.take_answer(id, &json!({ "title": NONE })), None);
    }

    #[test]
    fn who_closes_the_message_has_not_answered() {
        let (mut questions, mut out) = (Questions::default(), Outbox::default());
        questions.ask(doubt(2), true, &mut out);
        assert_eq!(questions.take_answer("hotframe-1", &Value::Null), None);
        questions.ask(doubt(3), true, &mut out);
        let none = questions.take_answer("hotframe-2", &json!({ "title": NONE }));
        let Some(Answer::Which(none)) = none else { panic!("{none:?}") };
        assert_eq!(none.file, None);
    }

    #[test]
    fn an_editor_that_cannot_ask_is_reported_of_the_rule() {
        let (mut questions, mut out) = (Questions::default(), Outbox::default());
        questions.ask(doubt(2), false, &mut out);
        let [told] = &sent(&mut out)[..] else { panic!("one message") };
        assert_eq!(told["method"], "window/showMessage");
        assert!(told["params"]["message"].as_str().expect("a text").contains("\"paths\" decides"));
    }
}
