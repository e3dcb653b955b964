//! What Python sees.

use std::ffi::CString;
use std::fs::OpenOptions;
use std::io;
use std::os::raw::{c_char, c_int};
use std::ptr::{addr_of, addr_of_mut, null_mut};
use std::thread::JoinHandle;

use calltrace::Facts;
use pyo3_ffi::*;

use crate::functions::string;
use crate::tracer::Output;
use crate::writer::Sink;
use crate::{clock, endings, functions, logging, memory, monitoring, profiling, tracer};

type Arguments = *const *mut PyObject;
type Fast = unsafe extern "C" fn(*mut PyObject, Arguments, Py_ssize_t) -> *mut PyObject;

/// Of arguments as an array; part of the stable interface since 3.10, and the same since 3.7.
const METH_FASTCALL: c_int = 0x80;

const fn method(name: &'static std::ffi::CStr, function: Fast) -> PyMethodDef {
    // SAFETY: the flags say what the function is.
    let function = unsafe { std::mem::transmute::<Fast, PyCFunction>(function) };
    PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: PyMethodDefPointer { PyCFunction: function },
        ml_flags: METH_FASTCALL,
        ml_doc: std::ptr::null::<c_char>(),
    }
}

static mut METHODS: [PyMethodDef; 24] = [
    method(c"start", start),
    method(c"stop", stop),
    method(c"start_memory", start_memory),
    method(c"stop_memory", stop_memory),
    method(c"forget", forget),
    method(c"pause", pause),
    method(c"inside", inside),
    method(c"has_failed", has_failed),
    method(c"name_thread", name_thread),
    method(c"set_disable", set_disable),
    method(c"set_teller", set_teller),
    method(c"prepare_profile", prepare_profile),
    method(c"watch_thread", watch_thread),
    method(c"watch_again", watch_again),
    method(c"py_start", monitoring::py_start),
    method(c"py_return", monitoring::py_return),
    method(c"py_yield", monitoring::py_yield),
    method(c"py_resume", monitoring::py_resume),
    method(c"py_throw", monitoring::py_throw),
    method(c"py_unwind", monitoring::py_unwind),
    method(c"call", monitoring::call),
    method(c"c_return", monitoring::c_return),
    method(c"c_raise", monitoring::c_raise),
    PyMethodDef::zeroed(),
];

static mut DEFINITION: PyModuleDef = PyModuleDef {
    m_base: PyModuleDef_HEAD_INIT,
    m_name: c"_native".as_ptr(),
    m_doc: c"The tracer of the package hotframe.".as_ptr(),
    // One trace a process: a second interpreter in it gets a clear refusal.
    m_size: -1,
    m_methods: null_mut(),
    m_slots: null_mut(),
    m_traverse: None,
    m_clear: None,
    m_free: None,
};

/// Makes the module.
///
/// # Safety
/// Called by the interpreter, which is held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PyInit__native() -> *mut PyObject {
    clock::choose();
    let methods = addr_of!(METHODS) as usize;
    functions::prepare(methods..methods + size_of::<[PyMethodDef; 24]>());
    let definition = addr_of_mut!(DEFINITION);
    (*definition).m_methods = addr_of_mut!(METHODS).cast();
    PyModule_Create(definition)
}

unsafe fn none() -> *mut PyObject {
    Py_IncRef(Py_None());
    Py_None()
}

unsafe fn refused(kind: *mut PyObject, message: &str) -> *mut PyObject {
    let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
    PyErr_SetString(kind, text.as_ptr());
    null_mut()
}

unsafe fn argument(arguments: Arguments, count: Py_ssize_t, at: usize) -> Option<*mut PyObject> {
    ((at as Py_ssize_t) < count).then(|| *arguments.add(at))
}

/// `start(path, the tracer's own files one a line, facts as JSON, whether calls are counted)`; without a path nothing is
/// written. Traces are appended to a file, counts are all of it.
unsafe extern "C" fn start(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    let texts = [0, 1, 2].map(|at| argument(arguments, count, at).and_then(|one| string(one)));
    let [Some(path), Some(own_files), Some(facts)] = texts else {
        return refused(PyExc_TypeError, "start(path, own_files, facts) takes three texts");
    };
    let facts = match begin(&facts) {
        Ok(facts) => facts,
        Err((kind, message)) => return refused(kind, &message),
    };
    let counts = argument(arguments, count, 3).is_some_and(|one| PyObject_IsTrue(one) == 1);
    let output = if path.is_empty() {
        Ok(Output::Measured)
    } else {
        let mut options = OpenOptions::new();
        let options = options.create(true).append(!counts).write(true).truncate(counts);
        let of = if counts { Output::Counted } else { Output::Traced };
        options.open(&path).map(|file| of(Box::new(file) as Sink))
    };
    match output.and_then(|output| tracer::start(output, own_files, facts)) {
        Ok(()) => none(),
        Err(error) => refused(PyExc_OSError, &format!("{path}: {error}")),
    }
}

/// What is known of the process, where nothing is recorded yet.
unsafe fn begin(facts: &str) -> Result<Facts, (*mut PyObject, String)> {
    if tracer::current().is_some() || memory::is_running() {
        return Err((
            PyExc_RuntimeError,
            "a recording runs already: one runs at a time".to_owned(),
        ));
    }
    let facts = Facts::of_json(facts).map_err(|error| (PyExc_ValueError, error))?;
    Ok(Facts { pid: std::process::id(), ..facts })
}

/// `start_memory(path, the recorder's own files one a line, facts as JSON, bytes between samples or 0 for all)`; the file is appended to.
unsafe extern "C" fn start_memory(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    let texts = [0, 1, 2].map(|at| argument(arguments, count, at).and_then(|one| string(one)));
    let [Some(path), Some(own_files), Some(facts)] = texts else {
        return refused(
            PyExc_TypeError,
            "start_memory(path, own_files, facts, mean) takes three texts and a number",
        );
    };
    let mean = argument(arguments, count, 3).map_or(0, |one| PyLong_AsLongLong(one));
    PyErr_Clear();
    let facts = match begin(&facts) {
        Ok(facts) => facts,
        Err((kind, message)) => return refused(kind, &message),
    };
    let file = OpenOptions::new().create(true).append(true).open(&path);
    let mean = u64::try_from(mean).unwrap_or(0);
    match file.and_then(|file| memory::start(Box::new(file), own_files, facts, mean)) {
        Ok(()) => none(),
        Err(error) => refused(PyExc_OSError, &format!("{path}: {error}")),
    }
}

/// `stop_memory(reason)` gives the number of samples, none where nothing was recorded.
unsafe extern "C" fn stop_memory(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    let reason = argument(arguments, count, 0).and_then(|one| string(one)).unwrap_or_default();
    ended(memory::stop(&reason))
}

/// `stop(reason)` gives the number of events, none where no trace ran.
unsafe extern "C" fn stop(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    let reason = argument(arguments, count, 0).and_then(|one| string(one)).unwrap_or_default();
    ended(tracer::stop(&reason))
}

/// Waits for a writer.
unsafe fn ended(writer: Option<JoinHandle<io::Result<u64>>>) -> *mut PyObject {
    let Some(writer) = writer else { return none() };
    let state = PyEval_SaveThread();
    let written = writer.join();
    endings::unwatch();
    PyEval_RestoreThread(state);
    match written {
        Ok(Ok(events)) => PyLong_FromUnsignedLongLong(events),
        Ok(Err(error)) => refused(PyExc_OSError, &format!("the trace is not complete: {error}")),
        Err(_) => refused(PyExc_RuntimeError, "the trace is not complete: its writer broke off"),
    }
}

unsafe extern "C" fn forget(_: *mut PyObject, _: Arguments, _: Py_ssize_t) -> *mut PyObject {
    tracer::forget();
    memory::forget();
    none()
}

/// `pause(whether)`.
unsafe extern "C" fn pause(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    let is_paused = argument(arguments, count, 0).is_some_and(|one| PyObject_IsTrue(one) == 1);
    match tracer::current() {
        Some(tracer) => tracer.pause(is_paused),
        None => memory::pause(is_paused),
    }
    none()
}

/// `inside()`: picoseconds.
unsafe extern "C" fn inside(_: *mut PyObject, _: Arguments, _: Py_ssize_t) -> *mut PyObject {
    PyLong_FromUnsignedLongLong(tracer::current().map_or(0, |tracer| tracer.inside()))
}

unsafe extern "C" fn has_failed(_: *mut PyObject, _: Arguments, _: Py_ssize_t) -> *mut PyObject {
    let failed = tracer::current().is_some_and(|tracer| tracer.has_failed());
    PyBool_FromLong(failed.into())
}

/// `name_thread(the system's number, name)`.
unsafe extern "C" fn name_thread(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    if let (Some(id), Some(name)) = (argument(arguments, count, 0), argument(arguments, count, 1))
        && let Some(name) = string(name)
    {
        let id = PyLong_AsUnsignedLongLong(id);
        PyErr_Clear();
        match tracer::current() {
            Some(tracer) => tracer.name_thread(id, name),
            None => memory::name_thread(id, name),
        }
    }
    none()
}

unsafe extern "C" fn set_disable(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    if let Some(object) = argument(arguments, count, 0) {
        monitoring::set_disable(object);
    }
    none()
}

/// `set_teller(function)`, see [`logging`].
unsafe extern "C" fn set_teller(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    if let Some(object) = argument(arguments, count, 0) {
        logging::set_teller(object);
    }
    none()
}

/// `prepare_profile(minor version, whether with functions of C, watch_again)`.
unsafe extern "C" fn prepare_profile(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    let number = |at| argument(arguments, count, at).map_or(0, |one| PyLong_AsLong(one));
    let (minor, with_c) = (number(0), number(1));
    PyErr_Clear();
    if let Some(again) = argument(arguments, count, 2) {
        profiling::set_sign(again);
    }
    PyBool_FromLong(profiling::prepare(minor as u32, with_c != 0).into())
}

unsafe extern "C" fn watch_thread(
    _: *mut PyObject,
    arguments: Arguments,
    count: Py_ssize_t,
) -> *mut PyObject {
    let is_on = argument(arguments, count, 0).is_some_and(|one| PyObject_IsTrue(one) == 1);
    profiling::watch(is_on);
    none()
}

/// What `sys.getprofile()` gives where a thread is watched. A program that puts it back where another profiler was
/// meanwhile, as it should, has it called here: the thread is watched again.
unsafe extern "C" fn watch_again(_: *mut PyObject, _: Arguments, _: Py_ssize_t) -> *mut PyObject {
    profiling::watch(tracer::current().is_some());
    none()
}
