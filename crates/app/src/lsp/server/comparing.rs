//! The active profile is compared with the base that somebody chose; another is offered.

use lsp_types::MessageType;

use super::state_machine::Server;
use crate::lsp::comparison::Comparison;
use crate::lsp::questions::Offer;

impl Server {
    /// Begins to compare what is to be compared and is not yet; offers to where nobody said anything of
    /// it.
    pub(super) fn compare(&mut self) {
        // What is being read may be one of the sides.
        if !self.workspace.loading.is_empty() {
            return;
        }
        self.offer();
        let sides = self.workspace.sides();
        if self.comparing.is_some() && self.comparing == sides {
            return;
        }
        self.comparing = None;
        let workspace = &self.workspace;
        let (Some(sides), None) = (sides, workspace.comparison()) else { return };
        let (Some(base), Some(active)) = (workspace.base(), workspace.active()) else { return };
        self.comparing = Some(sides);
        let documents = [base, active].map(|place| workspace.profiles[place].document.clone());
        let metric = workspace.profiles[active].metric;
        Comparison::start(sides, documents, metric, self.reader.events());
    }

    /// Tells of a comparison from now on.
    pub(super) fn take_compared(&mut self, compared: Box<Comparison>, problem: Option<String>) {
        // Something else may be wanted meanwhile.
        if self.comparing != Some(compared.sides) {
            return;
        }
        self.comparing = None;
        let doubts = compared.doubts();
        if !doubts.is_empty() {
            self.out.tell(MessageType::WARNING, &format!("Hotframe: {}", doubts.join("; ")));
        }
        self.workspace.compared = Some(compared);
        if let Some(why) = problem.or_else(|| self.lacks_metric()) {
            self.out.tell(MessageType::WARNING, &format!("Hotframe compares nothing: {why}"));
        }
        self.refresh();
        self.answer_deferred();
    }

    /// Why nothing is told of a change in the metric of the active profile, if so.
    fn lacks_metric(&self) -> Option<String> {
        let workspace = &self.workspace;
        let active = &workspace.profiles[workspace.active()?];
        let base = &workspace.profiles[workspace.base()?];
        let changes = workspace.comparison()?.changes(active.metric);
        let metrics = active.document.metrics();
        let metric = &metrics[active.metric.index()].name;
        match changes {
            Ok(Some(_)) => None,
            Ok(None) => Some(format!("{} has no metric {metric}", base.document.title())),
            Err(error) => Some(format!("{error:#}")),
        }
    }

    /// Asks whether the active profile is to be compared with an older one of the same program.
    fn offer(&mut self) {
        let workspace = &self.workspace;
        let Some((base, active)) = workspace.offered().zip(workspace.active()) else { return };
        let [base, active] = [base, active].map(|place| &workspace.profiles[place]);
        let offer = Offer {
            titles: [base, active].map(|one| one.document.title().to_owned()),
            base: base.path.clone(),
            active: active.path.clone(),
        };
        if workspace.editor.ask_user {
            self.questions.offer(offer, &mut self.out);
        }
    }
}
