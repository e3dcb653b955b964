//! The set-up for Neovim that docs/editors.md gives, in a Neovim that nobody looks at.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests fail by panicking")]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::Value;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Waits for the lenses, shows a hover, and writes down what stands on the screen.
const LOOK: &str = r#"
local function virtual_text()
  local lines = {}
  for _, namespace in pairs(vim.api.nvim_get_namespaces()) do
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
      for _, chunk in ipairs(mark[4].virt_text or {}) do
        local line = tostring(mark[2] + 1)
        lines[line] = (lines[line] or '') .. chunk[1]
      end
    end
  end
  return lines
end

local function hover()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      local buffer = vim.api.nvim_win_get_buf(window)
      return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
    end
  end
end

vim.wait(20000, function()
  -- Nobody moves the cursor here, so nothing asks again once the profile is read.
  vim.cmd('doautocmd CursorHold')
  return next(virtual_text()) ~= nil
end, 200)
vim.api.nvim_win_set_cursor(0, { 21, 5 })
vim.lsp.buf.hover()
vim.wait(20000, function() return hover() ~= nil end, 50)
local seen = vim.fn.json_encode({ lenses = virtual_text(), hover = hover() })
vim.fn.writefile({ seen }, 'seen.json')
vim.cmd('qall!')
"#;

#[test]
fn the_documented_setup_shows_lenses_and_hovers() {
    let Some(neovim) = neovim() else {
        eprintln!("notice: no Neovim here (HOTFRAME_NVIM): its set-up is not tested");
        return;
    };
    let folder = project();
    let setup = documented("### 0.7 to 0.10").replace("cpu.pb.gz", "orders.prof");
    fs::write(folder.path().join("setup.lua"), setup).unwrap();
    fs::write(folder.path().join("look.lua"), LOOK).unwrap();
    let status = Command::new(neovim)
        .args(["--headless", "-n", "-i", "NONE", "-u", "setup.lua"])
        .args(["orders/pricing.py", "-S", "look.lua"])
        .current_dir(&folder)
        .env("PATH", path_with_hotframe())
        .env("HOME", folder.path())
        .env("XDG_STATE_HOME", folder.path().join("state"))
        .status()
        .unwrap();
    assert!(status.success());

    let seen = fs::read_to_string(folder.path().join("seen.json")).unwrap();
    let seen: Value = serde_json::from_str(&seen).unwrap();
    // pstats says of list_price 0.570 s and 0.665 s, and of price 0.668 s and 1.455 s, of 4.128 s.
    assert_eq!(seen["lenses"]["21"], "self 13.8 % (570 ms) · total 16.1 % (665 ms)");
    assert_eq!(seen["lenses"]["13"], "self 16.2 % (668 ms) · total 35.2 % (1.46 s)");
    let hover = seen["hover"].as_str().unwrap();
    for part in ["list_price", "13.8 % (570 ms)", "16.1 % (665 ms)", "Callers", "price"] {
        assert!(hover.contains(part), "{part}: {hover}");
    }
}

fn neovim() -> Option<PathBuf> {
    let named = std::env::var_os("HOTFRAME_NVIM").map(PathBuf::from);
    named.or_else(|| {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|folder| folder.join("nvim")).find(|file| file.is_file())
    })
}

/// The Python project, older than its profile.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(REPOSITORY).join("testdata/editor/python");
    fs::create_dir(folder.path().join("orders")).unwrap();
    for name in ["orders/pricing.py", "orders.prof"] {
        fs::copy(from.join(name), folder.path().join(name)).unwrap();
    }
    let source = fs::File::options().write(true).open(folder.path().join("orders/pricing.py"));
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    source.unwrap().set_modified(long_ago).unwrap();
    folder
}

/// The first block of code below a heading of the page about editors.
fn documented(heading: &str) -> String {
    let page = fs::read_to_string(Path::new(REPOSITORY).join("docs/editors.md")).unwrap();
    let (_, below) = page.split_once(heading).unwrap();
    let (_, block) = below.split_once("```lua\n").unwrap();
    block.split_once("```").unwrap().0.to_owned()
}

/// The PATH on which the tested `hotframe` is the first.
fn path_with_hotframe() -> OsString {
    let own = Path::new(env!("CARGO_BIN_EXE_hotframe")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&path))).unwrap()
}
