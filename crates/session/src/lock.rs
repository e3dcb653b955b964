//! Locks that a panic leaves usable.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex; what a panicking request left behind is only a cache.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
