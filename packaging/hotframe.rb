# A formula for Homebrew on Linux.
class Hotframe < Formula
  desc "Viewer for profiles and traces: in the browser, the terminal and the editor"
  homepage "https://github.com/hotframe/hotframe"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_linux do
    on_intel do
      url "https://github.com/hotframe/hotframe/releases/download/v@VERSION@/hotframe-@VERSION@-x86_64-unknown-linux-gnu.tar.xz"
      sha256 "@SHA256:x86_64-unknown-linux-gnu@"
    end
    on_arm do
      url "https://github.com/hotframe/hotframe/releases/download/v@VERSION@/hotframe-@VERSION@-aarch64-unknown-linux-gnu.tar.xz"
      sha256 "@SHA256:aarch64-unknown-linux-gnu@"
    end
  end

  depends_on :linux

  def install
    bin.install "bin/hotframe"
    (lib/"hotframe").install "lib/hotframe/_native.abi3.so"
    man1.install Dir["share/man/man1/*.1"]
    bash_completion.install "share/bash-completion/completions/hotframe"
    zsh_completion.install "share/zsh/vendor-completions/_hotframe"
    fish_completion.install "share/fish/vendor_completions.d/hotframe.fish"
    doc.install Dir["share/doc/hotframe/*"]
  end

  test do
    (testpath/"a.folded").write("main;work 3\n")
    assert_match "work", shell_output("#{bin}/hotframe show a.folded")
  end
end
