#!/usr/bin/env bash
# dependencies.sh oldest|newest : the tests, with the oldest versions that pyproject.toml allows of
# what summeval needs, or with the newest there are, pre-releases included. The environment,
# .venv-oldest or .venv-newest, is made anew.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
which=${1:?oldest or newest}
shift
venv=.venv-$which
"${PYTHON:-python3}" ci/check_python.py
"${PYTHON:-python3}" -m venv --clear "$venv"
pip_install=("$venv/bin/python" -m pip install -qq --no-input --disable-pip-version-check)

echo "== building summeval and installing it into $venv with its $which dependencies"
case $which in
oldest)
    # Only what the core and the extra `arrow` need: the other extras ask for newer versions.
    "${pip_install[@]}" $("$venv/bin/python" ci/lower_bounds.py dependencies arrow) \
        pytest hypothesis rouge-score pyrouge
    "${pip_install[@]}" .
    ;;
newest)
    "${pip_install[@]}" '.[nlp]'
    "${pip_install[@]}" --upgrade --upgrade-strategy eager --pre numpy scipy highspy pyarrow \
        pandas polars duckdb pytest hypothesis rouge-score pyrouge
    ;;
*)
    echo "error: $which is neither oldest nor newest" >&2
    exit 2
    ;;
esac
"$venv/bin/python" -m pip list --disable-pip-version-check

echo "== running the test suite: pytest"
"$venv/bin/python" -m pytest "$@"
