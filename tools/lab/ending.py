# SPDX-License-Identifier: GPL-2.0
"""How the programs of tools/ end when something is in their way: in a line, without a traceback.

A program imports this before all that takes long to load: from here on Ctrl-C is quiet.
"""

import errno
import io
import os
import signal
import sys

EXIT_INTERRUPTED = 130          # as lablib.errors has it, which takes long to load
# What a write can end by; such an error does not say which file it was.
WRITE_ERRORS = (errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC)


def _uncaught(kind, error, trace):
    """Python's answer to what nobody caught, but for Ctrl-C, also between two imports."""
    if issubclass(kind, KeyboardInterrupt):
        sys.exit(EXIT_INTERRUPTED)
    sys.__excepthook__(kind, error, trace)


sys.excepthook = _uncaught


def _told_to_end(number, _frame):
    """What was begun is cleaned up, as after Ctrl-C: guests, half of a file."""
    raise SystemExit(128 + number)


def _end_cleanly():
    """Unless somebody said that such a signal is not to matter (nohup)."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _told_to_end)


_end_cleanly()
if isinstance(sys.stdout, io.TextIOWrapper):    # a terminal may lack a title's letters
    sys.stdout.reconfigure(errors="backslashreplace")


def run(name, main, refusals=(), failed=1):
    """The exit code of main(), None being 0, or of what ended it.

    @refusals: exceptions whose message is all the user needs
    @failed: the code for these, and for a standard output that cannot be written
    """
    if sys.stdout is None:
        print(f"{name}: standard output: it is closed", file=sys.stderr)
        return failed
    code = 0
    try:
        try:
            code = main()
            return code
        finally:                # also of argparse's help, which ends by an exception
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read has seen enough.
        _drop_output()
        return code
    except (OSError, *refusals) as error:
        if _output_fails(error):
            _drop_output()
            print(f"{name}: standard output: cannot be written: {error.strerror}",
                  file=sys.stderr)
        elif isinstance(error, refusals):
            print(f"{name}: {error}", file=sys.stderr)
        else:
            raise
        return failed


def _output_fails(error):
    """Is it the standard output that cannot be written? Then it cannot still."""
    if getattr(error, "errno", None) not in WRITE_ERRORS or error.filename is not None:
        return False
    try:
        print(flush=True)
    except OSError:
        return True
    return False


def _drop_output():
    """Python would flush the standard output once more at the end, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
