# SPDX-License-Identifier: GPL-2.0
# One TAP stream from several programs: renumbered, one plan at the end.
#
# Of each program come its own lines, then "# ended STATUS NAME". One that ends badly, or
# short of its plan, without a test that says so (the sanitizers' way to fail, before the
# first test or after the last) is a failed test of its own.

function result(line)
{
	n++
	if (line ~ /^not/)
		bad = here = 1
	sub(/ok [0-9]*/, "ok " n, line)
	print line
}

function ended(status, name)
{
	if (seen < want)
		result("not ok 0 - " name " ended after " seen " of " want " tests")
	else if (!seen)
		result("not ok 0 - " name " printed no test")
	if (status && !here)
		result("not ok 0 - " name " ended with status " status)
	seen = want = here = 0
}

/^1\.\./ { want = substr($0, 4) + 0; next }
/^TAP version/ { next }
/^(not )?ok / { seen++; result($0); fflush(); next }
/^# ended [0-9]+ / { ended($3 + 0, $4); next }
{ print; fflush() }
END {
	print "1.." n
	exit bad
}
