# Ends with whoever ran it: `hotframe run` that is killed leaves no Python behind.
import ctypes
import os
import signal
import shutil
import sys
import tempfile
import time

if sys.platform.startswith("linux"):
    told = ctypes.c_int()
    assert ctypes.CDLL(None).prctl(2, ctypes.byref(told), 0, 0, 0) == 0 and told.value == signal.SIGTERM, told.value
    folder = tempfile.mkdtemp()
    read, write = os.pipe()
    runs = os.fork()
    if not runs:
        # Stands for `hotframe run`: it starts the script and is killed.
        script = "import os, time; os.write(%d, str(os.getpid()).encode()); time.sleep(60)" % write
        name = os.path.join(folder, "sleeps.py")
        with open(name, "w") as file:
            file.write(script)
        os.set_inheritable(write, True)
        os.spawnv(os.P_NOWAIT, sys.executable, [sys.executable, "-m", "hotframe._run", os.devnull, name, sys.argv[1]])
        time.sleep(60)
        os._exit(0)
    script = int(os.read(read, 20))
    os.kill(runs, signal.SIGKILL)
    os.waitpid(runs, 0)
    for _ in range(100):
        try:
            with open(f"/proc/{script}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    break
        except OSError:
            break
        time.sleep(0.1)
    else:
        os.kill(script, signal.SIGKILL)
        raise AssertionError("the script goes on")
    shutil.rmtree(folder)
print("the script has ended")
