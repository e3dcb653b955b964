//! What every queue must do, asked of each of them.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests")]

mod cases;
mod folder;
mod folder_alone;
mod model;
mod queue;
#[cfg(feature = "nats")]
mod server;
#[cfg(feature = "nats")]
mod server_alone;

/// Each case for each kind of queue.
macro_rules! cases {
    ($($module:ident: $($case:ident)*;)*) => {
        mod in_a_folder {
            $($(#[test]
            fn $case() {
                crate::cases::$module::$case(&crate::folder::FolderQueue::new());
            })*)*
        }

        #[cfg(feature = "nats")]
        mod on_a_server {
            $($(#[test]
            fn $case() {
                if let Some(queue) = crate::server::ServerQueue::new() {
                    crate::cases::$module::$case(&queue);
                }
            })*)*
        }
    };
}

cases! {
    adding: added_jobs_are_there_once large_bodies_are_refused ten_thousand_jobs;
    claiming: jobs_come_in_order workers_get_what_they_can_do a_lease_ends_and_the_job_goes_on
        a_beat_makes_the_lease_longer late_writers_are_refused
        who_is_late_and_alone_may_finish nobody_tries_for_ever workers_are_seen many_workers_lose_nothing;
    ending: finishing_twice_is_finishing_once trouble_is_tried_again_later
        mistakes_of_users_are_final large_facts_are_refused ends_are_reported_once
        a_job_can_be_requested_again;
    cancelling: what_waits_ends_at_once reports_what_runs who_was_reported_and_died_is_cancelled
        a_batch_is_cancelled;
    keeping: blobs_come_back blobs_that_fail_leave_nothing logs_keep_their_end;
    processes: a_killed_worker_loses_its_job two_processes_share_the_jobs;
}

/// Not a test by itself: what other tests start as processes of their own.
#[test]
fn another_process() {
    cases::processes::another();
    folder_alone::on_a_small_disk();
}
