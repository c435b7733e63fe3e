"""Says what one part of the build ran, what failed or was left out, and what it took. Fails if it took too much.

Arguments: the name of the part; a file with its seconds as `real user sys`; and, where it has a limit, a file with the
limit of its processor time. The limit is so many times that of one class of tests in the same run: the processor time
of the same tests was 557 s on one day and 1,508 s on another, and that of this class changed with it.
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
    times_of_class, yardstick = open(limit[0]).read().split()
    most = float(times_of_class) * sum(float(seconds) for test, seconds in classes if test.strip() == yardstick)
    print(f"It may take {most:.0f} s, {times_of_class} times {yardstick.rpartition('.')[2]} ({limit[0]}).")
    if user + system > most:
        print("Failed: it takes too much processor time. CONTRIBUTING.md says what to do.")
        sys.exit(1)
