//! What lists are made of, kept for the next request.

use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::sync::Arc;

use analysis::{Filter, Filtered};
use protocol::ProtocolError;

use super::super::{ProfileDocument, ViewOptions, convert};
use crate::kept::Question;
use crate::kinds::profile::document::view::RoleOptions;
use crate::kinds::profile::trees::views::filtered_by;

/// A `T`, by what decides which points it is made of.
struct Made<T> {
    filters: Vec<Filter>,
    drop_frames: bool,
    role: Option<RoleOptions>,
    of: PhantomData<fn() -> T>,
}

impl<T> Made<T> {
    fn key(&self) -> (&[Filter], bool, Option<&RoleOptions>) {
        (&self.filters, self.drop_frames, self.role.as_ref())
    }
}

impl<T> PartialEq for Made<T> {
    fn eq(&self, other: &Made<T>) -> bool {
        self.key() == other.key()
    }
}

impl<T> Eq for Made<T> {}

impl<T> Hash for Made<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl<T: Send + Sync + 'static> Question for Made<T> {
    type Answer = T;
    const KEPT: usize = 4;
}

/// What `make` makes of what the filters of a view keep.
///
/// # Errors
/// Those of `make`, and filters that cannot be understood.
pub(super) fn made<T: Send + Sync + 'static>(
    document: &ProfileDocument,
    view: &ViewOptions,
    make: impl FnOnce(&Filtered) -> Result<T, ProtocolError>,
) -> Result<Arc<T>, ProtocolError> {
    let ViewOptions { filters, drop_frames, role, .. } = view.clone();
    document.kept().answer(Made { filters, drop_frames, role, of: PhantomData }, || {
        make(&*filtered_by(document, view).map_err(convert::filter_error)?)
    })
}
