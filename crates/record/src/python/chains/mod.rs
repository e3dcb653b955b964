//! Tasks of asyncio, read from outside where the interpreter tells where it keeps them (3.14 and later): which one a
//! thread runs, and who waits for it.
//!
//! ```text
//! physical    main  run  _run_once  _run                          fetch  parse
//! with tasks  main  run  _run_once  _run  [main  gather all]  [..] fetch  parse
//!                                         coroutines of the tasks that wait for the one that runs
//! ```

mod awaiting;
mod frames;
mod lines;

pub(super) use awaiting::{Chains, Running};
