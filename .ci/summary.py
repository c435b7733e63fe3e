"""Says what one part of the build ran, what failed or was left out, and what it took. Fails if it took too much.

Arguments: the name of the part; a file with its seconds as `real user sys`; and, where it has a limit, a file with the
limit of its processor seconds. Processor time hardly depends on what else the machine does.
"""

import glob
import sys
import xml.etree.ElementTree as xml

LONG = 3

name, times, *limit = sys.argv[1:]
passed, failed, skipped = 0, [], []
for report in sorted(glob.glob("target/surefire-reports/TEST-*.xml") + glob.glob("target/failsafe-reports/TEST-*.xml")):
    for case in xml.parse(report).getroot().iter("testcase"):
        test = ".".join(part for part in (case.get("classname"), case.get("name")) if part)
        bad = next((node for node in case if node.tag in ("failure", "error")), None)
        if bad is not None:
            failed.append((test, bad.get("message") or bad.get("type") or ""))
        elif (left_out := case.find("skipped")) is not None:
            skipped.append((test, left_out.get("message") or "no reason given"))
        else:
            passed += 1
print()
for title, cases in (("Failed", failed), ("Skipped", skipped)):
    if cases:
        print(f"{title}:")
    for test, reason in cases:
        print(f"  {test}: {' '.join(reason.split())[:300]}")

classes = [line.split("\t") for file in glob.glob("target/processor-times/*.tsv") for line in open(file)]
slow = sorted(((float(seconds), test) for test, seconds in classes if float(seconds) > LONG), reverse=True)
print(f"Classes above {LONG} s of processor time: " + ", ".join(
    f"{test.removeprefix('dev.purser.')} {seconds:.0f}" for seconds, test in slow))
real, user, system = (float(part) for part in open(times).read().split()[-3:])
print(f"{name}: {passed} passed, {len(failed)} failed, {len(skipped)} skipped,"
      f" {real / 60:.1f} minutes, {user + system:.0f} s of processor time")
if limit:
    most = float(open(limit[0]).read())
    if user + system > most:
        print(f"Failed: it may take {most:.0f} s of processor time ({limit[0]}). CONTRIBUTING.md says what to do.")
        sys.exit(1)
