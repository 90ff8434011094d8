#!/usr/bin/env bash
# Writes the logs in tests/scores/logs, each by the program itself. Give a folder to work in; it
# needs pip, npm, a registry for each, and Python 3.12 for Pearmut.
set -euo pipefail
work=$(realpath "$1") here=$(dirname "$(realpath "$0")")
logs=$here/../../../tests/scores/logs
cp "$here"/{*.py,*.yaml,knows.js} "$work"
cd "$work"
python3 -m venv harness-env && harness-env/bin/pip install --quiet lm_eval==0.4.13
python3 -m venv inspect-env && inspect-env/bin/pip install --quiet inspect_ai==0.3.285
python3.12 -m venv pearmut-env && pearmut-env/bin/pip install --quiet pearmut==1.1.6
npm install --silent promptfoo@0.121.20

python3 items.py
for model in alpha,share=0.9 beta,share=0.5; do
    HF_HUB_OFFLINE=1 harness-env/bin/python harness.py run --model knows \
        --model_args "pretrained=$model" --tasks sums_choice,sums_written --include_path . \
        --log_samples --output_path harness
done
inspect-env/bin/python inspect_sums.py
PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_CONFIG_DIR=$work npx promptfoo eval \
    -c promptfoo.json -o promptfoo/results.json --no-cache --repeat 2 -j 1 --no-table || true
pearmut-env/bin/python judge_with_pearmut.py pearmut-env/bin

rm -rf "$logs"/{harness,inspect,promptfoo,pearmut}
gzip --best --no-name --recursive harness inspect/json promptfoo pearmut
cp -r harness inspect promptfoo pearmut "$logs"
rm "$logs"/harness/*/results_*
