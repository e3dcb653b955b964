# SPDX-License-Identifier: MIT OR Apache-2.0
# Copyright (c) 2026 The Hotframe authors
"""Profiles in notebooks: the live page where anywidget is installed, and a picture elsewhere."""

import functools
import importlib
import importlib.util
from typing import TYPE_CHECKING, Any, Dict, List, Mapping

from . import _engine, _frames

if TYPE_CHECKING:
    from .document import Document

# Pixels of what stands below a cell.
WIDTH = 1000
HEIGHT = 560

# What a page may not ask for by its widget: the notebook's own code opens files.
_REFUSED = ("open_files",)

_ESM = """
const fromPage = ['connect', 'frame'];
export default {
  render({ model, el }) {
    const frame = document.createElement('iframe');
    frame.title = model.get('title');
    frame.sandbox = 'allow-scripts allow-downloads';
    frame.style.cssText = `width: 100%; height: ${model.get('height')}px; border: 1px solid #8884`;
    const page = () => frame.contentWindow;
    const light = document.body.dataset.jpThemeLight;
    const dark = light === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : light === 'false';
    const told = ({ source, data }) => {
      if (source !== page() || !fromPage.includes(data?.kind)) return;
      const buffers = data.kind === 'frame' ? [data.bytes] : [];
      model.send({ kind: data.kind }, undefined, buffers);
    };
    const answered = (message, buffers) => {
      if (message.kind === 'page') {
        frame.srcdoc = message.text.replace('<html', `<html data-theme="${dark ? 'dark' : 'light'}"`);
        return;
      }
      const [view] = buffers ?? [];
      const bytes = view && view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
      page()?.postMessage(bytes ? { ...message, bytes } : message, '*');
    };
    addEventListener('message', told);
    model.on('msg:custom', answered);
    el.append(frame);
    model.send({ kind: 'page' });
    return () => {
      removeEventListener('message', told);
      model.off('msg:custom', answered);
    };
  },
};
"""


def svg(document: "Document", width: float, view: Mapping[str, Any], theme: str = "light") -> str:
    """The flame graph of a view as a picture."""
    result, _ = document.ask_view(
        "export_svg",
        view,
        instance=None,
        root=0,
        width=width,
        theme=theme,
        colour="module",
        search="",
        labels="function",
    )
    return str(result["text"])


def mimebundle(document: "Document") -> Any:
    """What a notebook shows of a profile: the widget, and a picture for whoever has no kernel."""
    picture = svg(document, WIDTH, document.view())
    bundle: Dict[str, Any] = {"text/plain": repr(document), "image/svg+xml": picture}
    if importlib.util.find_spec("anywidget") is None:
        return bundle
    told = widget(document)._repr_mimebundle_()
    data, metadata = told if isinstance(told, tuple) else (told, {})
    return {**(data or {}), **bundle}, metadata


def widget(document: "Document", height: int = HEIGHT) -> Any:
    """The live page of a profile, as a widget of anywidget."""
    return _class()(document, height)


@functools.lru_cache(maxsize=None)
def _class() -> Any:
    anywidget: Any = importlib.import_module("anywidget")
    traitlets: Any = importlib.import_module("traitlets")

    class FlameGraph(anywidget.AnyWidget):  # type: ignore[misc]
        """Relays frames between a page and the engine."""

        _esm = _ESM
        title = traitlets.Unicode().tag(sync=True)
        height = traitlets.Int().tag(sync=True)

        def __init__(self, document: "Document", height: int) -> None:
            super().__init__(title=document.title, height=height)
            self._document = document
            self.on_msg(self._take)

        def _take(self, _: Any, message: Dict[str, Any], buffers: List[Any]) -> None:
            kind = message.get("kind")
            if kind == "page":
                self.send({"kind": "page", "text": _engine.page()})
            elif kind == "connect":
                self.send({"kind": "opened", "document": self._document.number})
            elif kind == "frame" and buffers:
                for frame in relayed(self._document.engine, bytes(buffers[0])):
                    self.send({"kind": "frame"}, [frame])

    return FlameGraph


def relayed(engine: _engine.Engine, frame: bytes) -> List[bytes]:
    """What the engine answers to the frame of a page."""
    header, _ = _frames.decode(frame)
    # An answer is on its way before a page can say that it does not want it.
    if header.get("kind") != "request":
        return []
    method = header["request"].get("method")
    if method in _REFUSED:
        error = {"code": "not_allowed", "message": f"a page may not ask for {method}", "hint": ""}
        return [_frames.encode({"kind": "error", "id": header["id"], "error": error}, {})]
    return engine.relay(frame)
