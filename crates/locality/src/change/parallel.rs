//! Whether iterations of a loop may be done at the same time.

use rustc_hash::FxHashMap;

use super::Program;
use super::check::{Dependence, Instance, are_alike, class, run, watched};
use super::loops::path;
use crate::nest::Step;

/// Two accesses of different iterations of a loop that need their order, if there are any. The loop is told
/// by its variable, and every run of it counts.
pub fn is_parallel(program: &Program, variable: u32) -> Option<Dependence> {
    let nest = &program.nest;
    let mut paths = vec![vec![]; nest.references.len()];
    path(&nest.body, &mut vec![], &mut paths);
    let mut private = vec![];
    find(&nest.body, variable, &mut private);
    let watched = watched(program, &nest.body, &private);
    // By element: the run of the loop, the iteration, its class, and the access.
    type Last = (Vec<i64>, i64, u32, u32, Vec<i64>);
    let mut last: FxHashMap<(u32, i64), Vec<Last>> = FxHashMap::default();
    let mut found = None;
    run(&nest.body, &mut vec![0; nest.variables as usize], &mut |reference, values| {
        let path = &paths[reference as usize];
        let Some(at) = path.iter().position(|own| *own == variable).filter(|_| found.is_none())
        else {
            return;
        };
        let one = &nest.references[reference as usize];
        if !watched[one.container as usize] {
            return;
        }
        let around: Vec<i64> = path[..at].iter().map(|&one| values[one as usize]).collect();
        let iteration = values[variable as usize];
        let own = class(nest, reference);
        let element = one.element.value(values);
        let all = last.entry((one.container, element)).or_default();
        all.retain(|(old, ..)| *old == around);
        let differs = |(_, at, class, ..): &&Last| *at != iteration && !are_alike(*class, own);
        let values_of = |path: &[u32]| path.iter().map(|&one| values[one as usize]).collect();
        if let Some((.., other, theirs)) = all.iter().find(differs) {
            let instance = |reference: u32, at: &[i64]| Instance {
                reference,
                is_write: nest.references[reference as usize].is_write,
                iteration: paths[reference as usize]
                    .iter()
                    .zip(at)
                    .map(|(&variable, &value)| {
                        (program.variables[variable as usize].clone(), value)
                    })
                    .collect(),
            };
            let now: Vec<i64> = values_of(path);
            let indices = one.indices.as_ref();
            found = Some(Dependence {
                container: program.containers[one.container as usize].name.clone(),
                element,
                indices: indices.map(|all| all.iter().map(|index| index.value(values)).collect()),
                first: instance(*other, theirs),
                second: instance(reference, &now),
            });
            return;
        }
        // One of each class and of two iterations tells of all others.
        let alike = all.iter().filter(|(_, _, class, ..)| *class == own);
        let is_known = alike.clone().any(|(_, at, ..)| *at == iteration) || alike.count() > 1;
        if !is_known {
            all.push((around, iteration, own, reference, values_of(path)));
        }
    });
    found
}

/// What iterations of a loop have of their own.
fn find(steps: &[Step], variable: u32, private: &mut Vec<u32>) {
    for step in steps {
        let Step::Loop(one) = step else { continue };
        if one.variable == variable {
            private.clone_from(&one.private);
        }
        find(&one.body, variable, private);
    }
}
