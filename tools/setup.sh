#!/bin/sh
# Makes .venv: exactly the packages of requirements.lock, and this project in place; or, as
# `tools/setup.sh FOLDER LOCK`, an environment of exactly the packages of another lock.  In .venv,
# tools/run.lock is the part of requirements.lock that `make run` needs.
# `make` calls it when .venv is missing or older than the lock; it needs no make itself.
# PYTHON=/path/to/python chooses the interpreter.
set -eu
cd "$(dirname "$0")/.."
venv=${1:-.venv}
lock=${2:-requirements.lock}
stamp=.set-up
[ "$lock" != tools/run.lock ] || stamp=.set-up-to-run

fail() {
    printf '%s\n' "$@" >&2
    exit 1
}

# Python 3.11 to 3.14 find wheels for everything in the lock; a later one may have to compile.
is_supported() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
has_wheels() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null; }

find_python() {
    for check in has_wheels is_supported; do
        for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
            if $check "$candidate"; then
                echo "$candidate"
                return
            fi
        done
    done
}

if [ -n "${PYTHON:-}" ]; then
    is_supported "$PYTHON" || fail "PYTHON=$PYTHON is not Python 3.11 or newer."
    python=$PYTHON
else
    python=$(find_python)
fi
uv=$(command -v uv || true)

# An environment whose interpreter has gone, or is too old, is made again.
if ! is_supported "$venv/bin/python"; then
    rm -rf "$venv"
    if [ -n "$uv" ]; then
        "$uv" venv --quiet --python "${python:->=3.11,<3.15}" "$venv"
    else
        [ -n "$python" ] || fail \
            "mtsig_nb needs Python 3.11 or newer; found: $(python3 --version 2>/dev/null || echo none)." \
            "Debian 12, Ubuntu 24.04 or later:  sudo apt-get install python3 python3-venv" \
            "macOS:                             brew install python" \
            "Another place:                     make PYTHON=/path/to/python3 ..."
        "$python" -c 'import ensurepip, venv' 2>/dev/null || fail \
            "$python cannot make virtual environments: its venv module is missing." \
            "Debian, Ubuntu:  sudo apt-get install python3-venv"
        "$python" -m venv "$venv"
    fi
fi

if [ -n "$uv" ]; then
    echo "Installing $lock into $venv with uv …"
    "$uv" pip install --quiet --python "$venv" --require-hashes -r "$lock"
    [ "$venv" != .venv ] || "$uv" pip install --quiet --python "$venv" --no-deps --no-build-isolation -e .
else
    echo "Installing $lock into $venv with pip: a minute or two, once …"
    "$venv/bin/python" -m pip --version >/dev/null 2>&1 || "$venv/bin/python" -m ensurepip >/dev/null
    # Every line of the lock carries its hashes; nothing else is fetched, not even a build backend.
    # Modules are compiled when they are first imported: to compile all takes half of an install.
    "$venv/bin/python" -m pip install --quiet --no-compile --disable-pip-version-check --no-input \
        --require-hashes -r "$lock"
    [ "$venv" != .venv ] || "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
        --no-deps --no-build-isolation -e .
fi
# nbgrader is there for its library: whoever reads needs no grader's menus in JupyterLab, nor four
# more extensions of the server that take seconds to start.
(cd "$venv" && rm -rf etc/jupyter/jupyter_server_config.d/nbgrader.json \
    share/jupyter/labextensions/@jupyter/nbgrader share/jupyter/labextensions/@jupyter-notebook)
[ "$venv" != .venv ] || "$venv/bin/python" -c 'import mtsig_nb'
touch "$venv/$stamp"
