#!/bin/sh
# `make grade-in-container FILE=...`: grades a filled-in lab, or a folder of them, in a container that has no
# network and can write nothing but build/marks.  Options of tools.labs.grade may follow: --timeout 120.
#
# The image is the students', from Containerfile; it holds no solutions, so these and what grades are
# mounted, read-only.  ENGINE=docker chooses the engine; ENGINE=echo shows what it would be asked.
set -eu

fail() {
    printf '%s\n' "$@" >&2
    exit 1
}

# absolute PATH: where it is, by its full name.
absolute() { (cd "$(dirname "$1")" && printf '%s/%s' "$(pwd -P)" "$(basename "$1")"); }

[ -e "${1:-}" ] || fail "There is no ${1:-file}: make grade-in-container FILE=filled_in.ipynb, or a folder."
# The engine would follow it, to any file of whoever runs this.
if [ -L "$1" ] && [ ! -d "$1" ]; then fail "$1 is a link. Hand in the .ipynb file itself."; fi
handed_in=$(absolute "$1")
shift
inside=/submissions
[ -d "$handed_in" ] || inside="/submissions/$(basename "$handed_in")"

engine=${ENGINE:-$(command -v podman || command -v docker || echo podman)}
command -v "$engine" >/dev/null || fail "There is no $engine here: install podman or docker, or name one, ENGINE=..."
[ "$(id -u)" != 0 ] || fail "Not as root: whoever runs this is who submissions run as in the container."
# Without it, podman's users are not those whose files are mounted.
case $engine in *podman) same_user=--userns=keep-id ;; *) same_user= ;; esac

cd "$(dirname "$0")/.."
mkdir -p build/marks
here=$(pwd -P)
there=/home/student/mtsig_nb

"$engine" build --quiet --file Containerfile --tag mtsig_nb .
# label=disable: SELinux would otherwise keep mounts that it has not relabelled from being read.
# Memory: 2 GB for a submission, and the grader's own; tmpfs counts.
# shellcheck disable=SC2086
"$engine" run --rm --network none --read-only --user "$(id -u):$(id -g)" $same_user \
    --cap-drop ALL --security-opt no-new-privileges --security-opt label=disable \
    --memory 3g --memory-swap 3g --cpus 1 --pids-limit 256 --tmpfs /tmp:rw,nosuid,nodev,size=512m \
    --env HOME=/tmp --env PYTHONDONTWRITEBYTECODE=1 --workdir "$there" \
    --volume "$here/tools:$there/tools:ro" \
    --volume "$here/notebooks/labs:$there/notebooks/labs:ro" \
    --volume "$handed_in:$inside:ro" \
    --volume "$here/build/marks:/marks" \
    mtsig_nb sh -c 'exec python -m tools.labs.grade /submissions --csv /marks/marks.csv "$@"' sh "$@"
