//! Values of functions that were asked for by name.
//!
//! What they look like is told by a function of Python, which runs inside of the hook: nothing that it calls is
//! traced, because interpreters let no hook run inside of another one.

use std::sync::atomic::{AtomicPtr, Ordering};

use calltrace::{Facts, Function, FunctionKind, Happened};
use pyo3_ffi::*;

use crate::functions::{Kept, string};
use crate::tracer::current;

/// Called with whether a function is left, how, and what it gives; returns JSON. Kept for ever.
static TELLER: AtomicPtr<PyObject> = AtomicPtr::new(std::ptr::null_mut());

/// Takes who tells values.
///
/// # Safety
/// It is an object that can be called, and the interpreter is held.
pub(crate) unsafe fn set_teller(object: *mut PyObject) {
    Py_IncRef(object);
    TELLER.store(object, Ordering::Relaxed);
}

/// What is made of functions.
pub(crate) struct Choice {
    /// Files of the tracer's own functions, one a line.
    own_files: String,
    facts: Facts,
}

impl Choice {
    pub(crate) fn new(own_files: String, facts: Facts) -> Choice {
        Choice { own_files, facts }
    }

    pub(crate) fn of(&self, function: &Function) -> Kept {
        let is_own = self.own_files.lines().any(|own| own == function.file);
        let is_python = function.kind != FunctionKind::C;
        let is_asked = |asked: &String| self.facts.is_logged(asked, &function.name);
        Kept { is_own, is_logged: !is_own && is_python && self.facts.log.iter().any(is_asked) }
    }
}

/// Tells values of a function that is called, or left with a value or an exception.
///
/// # Safety
/// The interpreter is held, its innermost frame is of the function, and the value an object or null.
#[cold]
pub(crate) unsafe fn log(function: u32, happened: Happened, value: *mut PyObject) {
    let teller = TELLER.load(Ordering::Relaxed);
    if teller.is_null() {
        return;
    }
    let value = if value.is_null() { Py_None() } else { value };
    let how = PyLong_FromLong(happened as std::os::raw::c_long);
    let told = PyObject_CallFunctionObjArgs(teller, how, value, std::ptr::null_mut::<PyObject>());
    Py_DecRef(how);
    if told.is_null() {
        PyErr_Clear();
        return;
    }
    // What it told may have let the trace end.
    if let (Some(values), Some(tracer)) = (string(told), current()) {
        tracer.logged(function, happened.leaves(), values);
    }
    Py_DecRef(told);
}
