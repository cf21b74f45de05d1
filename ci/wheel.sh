#!/usr/bin/env bash
# Builds sdist and wheel into dist/, then installs each into an empty environment away from
# the checkout and scores a pair with it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pip_install=(-m pip install -qq --no-input --disable-pip-version-check)

echo "== building sdist and wheel into dist"
"${PYTHON:-python3}" -m venv "$work/builder"
"$work/builder/bin/python" "${pip_install[@]}" build
rm -rf dist
# The wheel is built from the sdist, in a folder of its own: what the sdist lacks shows here.
"$work/builder/bin/python" -m build --outdir dist . >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
}

sdist=$(echo "$root"/dist/*.tar.gz)
if tar tzf "$sdist" | grep -E '\.(cpp|so|pyd|pyc)$'; then
    echo "error: the sdist holds the generated files above; see MANIFEST.in" >&2
    exit 1
fi

for built in "$sdist" "$root"/dist/*.whl; do
    echo "== trying ${built##*/} in an empty environment"
    "${PYTHON:-python3}" -m venv --clear "$work/empty"
    "$work/empty/bin/python" "${pip_install[@]}" "$built"
    (cd "$work" && empty/bin/python "$root/ci/smoke.py")
done
