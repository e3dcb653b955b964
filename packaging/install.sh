#!/bin/sh
# Installs hotframe below $HOTFRAME_PREFIX (~/.local): downloads the archive for this machine, checks its hash,
# and puts the program, the tracer for Python, manual pages and completions in place.
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
    Linux-x86_64 | Linux-amd64) target=x86_64-unknown-linux-gnu ;;
    Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-gnu ;;
    *) fail "there is no archive for $(uname -s) on $(uname -m); build it from source: https://github.com/hotframe/hotframe" ;;
  esac
  name="hotframe-$version-$target"
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT INT TERM

  download "$source/$name.tar.xz" "$work/$name.tar.xz" || fail "cannot download $source/$name.tar.xz"
  download "$source/SHA256SUMS" "$work/SHA256SUMS" || fail "cannot download $source/SHA256SUMS"
  wanted="$(sed -n "s/^\([0-9a-f]\{64\}\)  $name\.tar\.xz\$/\1/p" "$work/SHA256SUMS")"
  [ -n "$wanted" ] || fail "SHA256SUMS does not list $name.tar.xz"
  found="$(sha256 "$work/$name.tar.xz" | cut -d ' ' -f 1)"
  [ "$found" = "$wanted" ] || fail "$name.tar.xz is not what was released: its SHA-256 is $found, not $wanted"

  tar -xJf "$work/$name.tar.xz" -C "$work" || fail 'cannot unpack the archive: are tar and xz installed?'
  "$work/$name/bin/hotframe" --version >/dev/null || fail 'the program does not run here (it needs glibc @GLIBC@ or later)'
  mkdir -p "$prefix/bin" "$prefix/lib" "$prefix/share"
  # A running program is replaced, not written over.
  cp "$work/$name/bin/hotframe" "$prefix/bin/.hotframe.new"
  mv -f "$prefix/bin/.hotframe.new" "$prefix/bin/hotframe"
  cp -R "$work/$name/lib/." "$prefix/lib/"
  cp -R "$work/$name/share/." "$prefix/share/"
  echo "hotframe $version is in $prefix/bin"
  case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "Add it to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
}

install
