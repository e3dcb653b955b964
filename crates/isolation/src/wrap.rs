//! From a command to one that is isolated.

#![allow(
    clippy::disallowed_methods,
    reason = "the run's own folder, which the program does not see, and folders of the system"
)]

use std::collections::BTreeMap;
use std::ffi::OsString;

use crate::here::{Machine, machine};
use crate::launch::{INNER, OUTER};
use crate::room::{INSIDE, Inside, LAUNCHER, PLAN, Plan, Room, SEEN};
use crate::{Error, Guard, Isolation, Launcher, Wrapped, bubblewrap, copy, measures, room};

/// What stands in the environment unless it is told.
const VARIABLES: [(&str, &str); 4] = [
    ("HOME", "/work"),
    ("LANG", "C.UTF-8"),
    ("PATH", "/usr/local/bin:/usr/bin:/bin"),
    ("TMPDIR", "/tmp"),
];

impl Isolation {
    /// Makes of a command one that runs it isolated. The program is looked for inside, in `PATH`,
    /// and starts in `/work`. For each run anew: what it leaves is brought out once.
    pub fn wrap(&self, launcher: &Launcher, command: &[String]) -> Result<Wrapped, Error> {
        let machine = machine(launcher)?;
        self.wrap_on(&machine, launcher, command)
    }

    pub(crate) fn wrap_on(
        &self,
        machine: &Machine,
        launcher: &Launcher,
        command: &[String],
    ) -> Result<Wrapped, Error> {
        if command.is_empty() {
            return Err(Error::Asked("there is no program to isolate".to_owned()));
        }
        if !launcher.program.is_absolute() || !launcher.program.is_file() {
            let program = launcher.program.display();
            return Err(Error::Asked(format!("{program}: no absolute path of a program")));
        }
        if let Some(bring) = &self.folder.bring {
            copy::patterns(bring)?;
        }
        let variables = self.variables()?;
        let limits = self.limits.possible();
        let room = Room::make(self.network)?;
        let mut arguments = bubblewrap::arguments(self, launcher, room.path())?;
        arguments.push(format!("{SEEN}/{LAUNCHER}"));
        arguments.extend(launcher.arguments.iter().cloned());
        arguments.push(INNER.to_owned());
        let inside = Inside {
            command: command.to_vec(),
            variables,
            limits: limits.clone(),
            network: self.network,
            exchange: self.exchange.clone(),
            has_source: self.folder.source.is_some(),
            bring: self.folder.bring.clone(),
            limits_addresses: machine.place.of_memory().is_none(),
            counts_processes: machine.counts_processes(),
            landlock: machine.landlock,
        };
        room::write(&room.path().join(INSIDE).join(PLAN), &inside)?;
        let plan = Plan {
            bubblewrap: machine.bubblewrap.clone(),
            arguments,
            place: machine.place.clone(),
            limits,
            passed: self.passed.clone(),
        };
        room::write(&room.path().join(PLAN), &plan)?;
        let mut command = vec![OsString::from(&launcher.program)];
        command.extend(launcher.arguments.iter().map(OsString::from));
        command.extend([OsString::from(OUTER), room.path().into()]);
        let in_force = measures::of(self, machine);
        let guard = Guard::hold(room, machine.place.clone())?;
        Ok(Wrapped { command, in_force, guard })
    }

    fn variables(&self) -> Result<BTreeMap<String, String>, Error> {
        let wrong = |(name, value): &(&String, &String)| {
            name.is_empty() || name.contains(['=', '\0']) || value.contains('\0')
        };
        if let Some((name, _)) = self.variables.iter().find(wrong) {
            return Err(Error::Asked(format!("`{name}` is not a variable of an environment")));
        }
        let own = VARIABLES.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let mut variables = BTreeMap::from(own);
        variables.extend(self.variables.clone());
        Ok(variables)
    }
}
