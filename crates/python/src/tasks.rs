//! What asyncio is at.

use pyo3_ffi::*;

use crate::functions::string;

/// The name of the task that runs on this thread.
///
/// # Safety
/// The interpreter is held.
pub(crate) unsafe fn name_of_current() -> Option<String> {
    // Only where the program has it: nothing is imported for it.
    let module = PyDict_GetItemString(PyImport_GetModuleDict(), c"_asyncio".as_ptr());
    if module.is_null() {
        return None;
    }
    let run_loop = call(module, c"_get_running_loop", std::ptr::null_mut())?;
    let task = if run_loop == Py_None() { None } else { current(module, run_loop) };
    Py_DecRef(run_loop);
    let task = task?;
    let name =
        if is_named_by_c(task) { call(task, c"get_name", std::ptr::null_mut()) } else { None };
    Py_DecRef(task);
    let name = name?;
    let text = string(name);
    Py_DecRef(name);
    text
}

/// Whether asking for the name runs nothing that is written in Python.
unsafe fn is_named_by_c(task: *mut PyObject) -> bool {
    let method = PyObject_GetAttrString(Py_TYPE(task).cast(), c"get_name".as_ptr());
    if method.is_null() {
        PyErr_Clear();
        return false;
    }
    let is_of_c = Py_TYPE(method) == &raw mut PyMethodDescr_Type;
    Py_DecRef(method);
    is_of_c
}

/// The task of a loop, as a reference of our own.
unsafe fn current(module: *mut PyObject, run_loop: *mut PyObject) -> Option<*mut PyObject> {
    if let Some(task) = call(module, c"current_task", run_loop) {
        return Some(task);
    }
    // Before 3.12 there is but the table that the function of Python looks into.
    let tasks = PyObject_GetAttrString(module, c"_current_tasks".as_ptr());
    if tasks.is_null() {
        PyErr_Clear();
        return None;
    }
    let task = PyDict_GetItem(tasks, run_loop);
    if !task.is_null() {
        Py_IncRef(task);
    }
    Py_DecRef(tasks);
    (!task.is_null()).then_some(task)
}

/// What a function of an object returns; none, and no exception, where it fails or is missing.
unsafe fn call(
    object: *mut PyObject,
    name: &std::ffi::CStr,
    argument: *mut PyObject,
) -> Option<*mut PyObject> {
    let function = PyObject_GetAttrString(object, name.as_ptr());
    if function.is_null() {
        PyErr_Clear();
        return None;
    }
    let result = PyObject_CallFunctionObjArgs(function, argument, std::ptr::null_mut::<PyObject>());
    Py_DecRef(function);
    if result.is_null() {
        PyErr_Clear();
        return None;
    }
    Some(result)
}
