#!/bin/sh
# Builds the wheel, installs it into a fresh folder, runs its tests against the service at PURSER with the
# administrator's key KEY, and executes the study in examples. Ends with a status other than 0 if anything fails, and
# names what it leaves out because it is not installed.
#
#     journey.sh [folder]   what it makes is put into this folder, by default a temporary one
set -eu
: "${PURSER:?must be the address of a running service, such as http://127.0.0.1:8080}"
: "${KEY:?must be the key of an administrator of that service}"
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$(mktemp -d)}
rm -rf "$out/wheel" "$out/site" "$out/study"
mkdir -p "$out/wheel" "$out/site" "$out/study"
out=$(cd "$out" && pwd)

# Nothing is written to the source tree or to the home folder of the user.
export PURSER KEY PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
export PYDEVD_DISABLE_FILE_VALIDATION=1
export MPLCONFIGDIR="$out/settings" IPYTHONDIR="$out/settings" JUPYTER_CONFIG_DIR="$out/settings"
export JUPYTER_DATA_DIR="$out/settings" JUPYTER_RUNTIME_DIR="$out/settings" PICTURES="$out/study"

has() { # interpreter, modules
    "$1" -c 'import importlib.util as u, sys; sys.exit(not all(u.find_spec(name) for name in sys.argv[1:]))' $2
}
left_out() {
    echo "Left out: $1"
}

# Jupyter belongs to one interpreter: the one on the path, or that of the system.
study="nbconvert ipykernel pandas matplotlib"
python=python3
if ! has python3 "$study" && [ -x /usr/bin/python3 ] && has /usr/bin/python3 "$study"; then
    python=/usr/bin/python3
fi

if has "$python" pip; then
    "$python" -m pip wheel --quiet --no-index --no-deps --no-build-isolation --wheel-dir "$out/wheel" "$here"
    "$python" -m pip install --quiet --no-index --no-deps --target "$out/site" "$out"/wheel/purser-*.whl
else
    left_out "the installation by pip, which is missing; the wheel is unpacked instead"
    "$python" "$here/backend.py" "$out/wheel"
    "$python" -m zipfile -e "$out"/wheel/purser-*.whl "$out/site"
fi

cd "$out"
export PYTHONPATH="$out/site"
"$python" -c 'import purser, sys; print("Testing", purser.__file__, "with Python", sys.version.split()[0])'
for library in pandas matplotlib pyarrow; do
    has "$python" "$library" || left_out "the tests that need $library, which is missing"
done
"$python" -m unittest discover --start-directory "$here/tests"

if has "$python" "$study"; then
    "$python" -m nbconvert --log-level WARN --to notebook --execute --output-dir "$out/study" \
        "$here/../../examples/study.ipynb"
    ls "$out/study"
else
    left_out "the study, which needs $study"
fi
