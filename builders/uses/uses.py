"""Says the calls of uses.txt to the Python builder."""

import sys
import urllib.parse

import hotframe

WRONG_TYPE = {"frame": hotframe.Frame}


def text(value):
    if value == "null":
        return None
    return urllib.parse.unquote_to_bytes(value).decode("utf-8", "surrogateescape")


def number(value):
    if value == "text":
        return value
    return float(value) if "." in value else int(value)


def row(kind, value):
    if value is None:
        return None
    table, _, own = value.rpartition(":")
    return WRONG_TYPE.get(table, kind)(int(own))


def call(profile, what, given):
    def numbers(**names):
        return {name: number(given[key]) for name, key in names.items() if key in given}

    def texts(*names):
        return {name: text(given[name]) for name in names if name in given}

    if what == "metric":
        weight = row(hotframe.Metric, given.get("weight"))
        return profile.metric(
            **texts("name", "unit"), weight=weight, **numbers(decimals="decimals", over_contexts="contexts")
        )
    if what == "default":
        return profile.default_metric(row(hotframe.Metric, given["metric"]))
    if what == "duration":
        return profile.duration(**numbers(duration_ns="ns"))
    if what == "module":
        return profile.module(**texts("path"), **numbers(memory_start="start", memory_limit="limit"))
    if what == "frame":
        if "frame" in given or given["function"] == "null":
            return "unsayable"
        plain = {name: name for name in ("line", "column", "start_line", "address", "kind")}
        module = row(hotframe.Module, given.get("module"))
        own = texts("function", "file", "instruction", "system_name")
        return profile.frame(**own, module=module, **numbers(**plain))
    if what == "context":
        return profile.context(row(hotframe.Context, given["parent"]), row(hotframe.Frame, given["frame"]))
    if what == "process":
        return profile.process(text(given["id"]))
    if what == "thread":
        return profile.thread(text(given["id"]), process=row(hotframe.Process, given.get("process")))
    if what == "member":
        return profile.member(text(given["name"]), **numbers(time_ns="time"))
    if what == "point":
        if "point" in given or given["values"] in ("", "null"):
            return "unsayable"
        values = {hotframe.Metric(at): number(one) for at, one in enumerate(given["values"].split(","))}
        key, _, value = given.get("label", "").partition(":")
        role, _, linked = given.get("link", "").partition(":")
        return profile.point(
            row(hotframe.Context, given["context"]),
            values,
            {text(key): text(value)} if key else {},
            thread=row(hotframe.Thread, given.get("thread")),
            member=row(hotframe.Member, given.get("member")),
            links=[(text(role), hotframe.Context(int(linked)))] if role else [],
            **numbers(time_ns="time", cpu="cpu"),
        )
    if what == "note":
        if "note" in given:
            return "unsayable"
        context = row(hotframe.Context, given.get("context"))
        frame = row(hotframe.Frame, given.get("frame"))
        own = texts("title", "text", "link", "file")
        return profile.note(**own, context=context, frame=frame, **numbers(line="line"))
    if what == "flush":
        return profile.flush()
    return profile.close()


def main(folder):
    profile = None
    for line in sys.stdin:
        what, *arguments = line.split()
        if what == "case":
            profile = hotframe.Profile(f"{folder}/{arguments[0]}.hotframe")
            continue
        if what == "end":
            profile.close()
            continue
        try:
            said = call(profile, what, dict(one.split("=", 1) for one in arguments))
            print("unsayable" if said == "unsayable" else "ok")
        except (TypeError, ValueError):
            print("refused")


main(sys.argv[1])
