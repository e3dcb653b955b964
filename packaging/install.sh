#!/bin/sh
# Installs hotframe below $HOTFRAME_PREFIX (~/.local): downloads the archive for this machine, compares its hash
# with the one that stands here, and puts the program, the tracer for Python, manual pages and completions in place.
#
#   curl -fsSL https://github.com/hotframe/hotframe/releases/latest/download/install.sh | sh
set -eu

version='@VERSION@'
source="${HOTFRAME_DOWNLOAD:-https://github.com/hotframe/hotframe/releases/download/v$version}"
prefix="${HOTFRAME_PREFIX:-$HOME/.local}"

fail() {
  echo "error: $1" >&2
  exit 1
}

download() {
  if command -v curl >/dev/null 2>&1; then
    curl -fsSL --retry 3 -o "$2" "$1"
  elif command -v wget >/dev/null 2>&1; then
    wget -q -O "$2" "$1"
  else
    fail 'curl or wget is needed'
  fi
}

sha256() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum "$1"
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 "$1"
  else
    fail 'sha256sum or shasum is needed to check the download'
  fi
}

# All of it is a function, so that half of a script that a broken connection leaves does nothing.
install() {
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64 | Linux-amd64)
      target=x86_64-unknown-linux-gnu
      wanted='@SHA256:x86_64-unknown-linux-gnu@'
      ;;
    Linux-aarch64 | Linux-arm64)
      target=aarch64-unknown-linux-gnu
      wanted='@SHA256:aarch64-unknown-linux-gnu@'
      ;;
    *) fail "there is no archive for $(uname -s) on $(uname -m); build it from source: https://github.com/hotframe/hotframe" ;;
  esac
  case "$wanted" in @*) fail "this release has no archive for $target" ;; esac
  name="hotframe-$version-$target"
  [ ! -d "$prefix/bin/hotframe" ] || fail "$prefix/bin/hotframe is a folder"
  # Below the prefix: programs may not run from everywhere.
  mkdir -p "$prefix/bin" "$prefix/lib" "$prefix/share" || fail "cannot write to $prefix; HOTFRAME_PREFIX names another folder"
  work="$(mktemp -d "$prefix/hotframe.XXXXXX")" || fail "cannot write to $prefix; HOTFRAME_PREFIX names another folder"
  trap 'rm -rf "$work"' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM

  download "$source/$name.tar.xz" "$work/$name.tar.xz" || fail "cannot download $source/$name.tar.xz"
  found="$(sha256 "$work/$name.tar.xz")" || exit 1
  found="${found%% *}"
  [ "$found" = "$wanted" ] || fail "$name.tar.xz is not what was released: its SHA-256 is $found, not $wanted"

  tar -xJf "$work/$name.tar.xz" -C "$work" || fail 'cannot unpack the archive: are tar and xz installed?'
  "$work/$name/bin/hotframe" --version >"$work/version" || fail 'the program does not run here; it needs glibc @GLIBC@ or later'
  cp -R "$work/$name/lib/." "$prefix/lib/"
  cp -R "$work/$name/share/." "$prefix/share/"
  # Last, and in one step: a program that runs is replaced, not written over.
  mv -f "$work/$name/bin/hotframe" "$prefix/bin/hotframe"
  echo "hotframe $version is in $prefix/bin"
  case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "Add it to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
  other="$(command -v hotframe || true)"
  case "$other" in
    '' | "$prefix/bin/hotframe") ;;
    *) echo "warning: your shell finds $other first" >&2 ;;
  esac
  echo "For completions in zsh: fpath+=(\"$prefix/share/zsh/vendor-completions\")"
}

install
