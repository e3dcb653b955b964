//! Callbacks of `sys.monitoring` (PEP 669), from Python 3.12 on.
//!
//! Each is called with the code object and the offset in it, and some with what was called. One that returns
//! `DISABLE` is not called again from that place.

use std::sync::atomic::{AtomicPtr, Ordering};

use calltrace::Happened;
use pyo3_ffi::*;

use crate::functions::{Subject, c_key};
use crate::logging::log;
use crate::tracer::{Goes, current};

static DISABLE: AtomicPtr<PyObject> = AtomicPtr::new(std::ptr::null_mut());

/// Takes `sys.monitoring.DISABLE`, which is kept.
///
/// # Safety
/// It is an object, and the interpreter is held.
pub(crate) unsafe fn set_disable(object: *mut PyObject) {
    Py_IncRef(object);
    DISABLE.store(object, Ordering::Relaxed);
}

#[inline]
unsafe fn answer(goes: Goes) -> *mut PyObject {
    let disable = DISABLE.load(Ordering::Relaxed);
    if goes == Goes::Off && !disable.is_null() {
        Py_IncRef(disable);
        return disable;
    }
    // It lives for ever in the versions that have this interface.
    Py_None()
}

type Arguments = *const *mut PyObject;

#[inline]
unsafe fn happened(arguments: Arguments, count: Py_ssize_t, happened: Happened) -> *mut PyObject {
    if count < 2 {
        return Py_None();
    }
    let Some(tracer) = current() else { return answer(Goes::Off) };
    let code = *arguments;
    let function = tracer.function(code as usize, Subject::Code(code));
    let goes = match happened {
        Happened::Call => tracer.call(function),
        happened => tracer.goes(happened, function),
    };
    if happened != Happened::Resume && tracer.is_logged(function) {
        let value = if count > 2 { *arguments.add(2) } else { std::ptr::null_mut() };
        log(function, happened, value);
    }
    answer(goes)
}

/// As [`happened`], for events that cannot be switched off by place.
#[inline]
unsafe fn happened_anywhere(
    arguments: Arguments,
    count: Py_ssize_t,
    what: Happened,
) -> *mut PyObject {
    happened(arguments, count, what);
    Py_None()
}

pub(crate) unsafe extern "C" fn py_start(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    happened(arguments, count, Happened::Call)
}

pub(crate) unsafe extern "C" fn py_return(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    happened(arguments, count, Happened::Return)
}

pub(crate) unsafe extern "C" fn py_yield(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    happened(arguments, count, Happened::Suspend)
}

pub(crate) unsafe extern "C" fn py_resume(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    happened(arguments, count, Happened::Resume)
}

pub(crate) unsafe extern "C" fn py_throw(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    happened_anywhere(arguments, count, Happened::Resume)
}

pub(crate) unsafe extern "C" fn py_unwind(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    happened_anywhere(arguments, count, Happened::Unwind)
}

#[inline]
unsafe fn of_c(arguments: Arguments, count: Py_ssize_t, what: Happened) -> *mut PyObject {
    if count < 3 {
        return Py_None();
    }
    let callable = *arguments.add(2);
    let Some(tracer) = current() else { return answer(Goes::Off) };
    let Some(key) = c_key(callable) else {
        if what != Happened::Call {
            return Py_None();
        }
        let (code, offset) = (*arguments as usize, PyLong_AsLong(*arguments.add(1)) as usize);
        return answer(tracer.calls_other(code, offset));
    };
    let function = tracer.function(key, Subject::Callable(callable));
    if what == Happened::Call {
        let goes = tracer.call(function);
        if goes == Goes::Off {
            tracer.switched_off();
        }
        return answer(goes);
    }
    tracer.goes(what, function);
    Py_None()
}

pub(crate) unsafe extern "C" fn call(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    of_c(arguments, count, Happened::Call)
}

pub(crate) unsafe extern "C" fn c_return(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    of_c(arguments, count, Happened::Return)
}

pub(crate) unsafe extern "C" fn c_raise(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    of_c(arguments, count, Happened::Unwind)
}
