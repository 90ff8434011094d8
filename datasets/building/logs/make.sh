#!/usr/bin/env bash
# Writes the logs in tests/statistics/logs, each by the program itself. Give a folder to work in; it
# needs pip and its registry.
set -euo pipefail
work=$(realpath "$1") here=$(dirname "$(realpath "$0")")
logs=$here/../../../tests/statistics/logs
cp "$here"/{*.py,*.yaml} "$work"
cd "$work"
python3 -m venv harness-env && harness-env/bin/pip install --quiet lm_eval==0.4.13
python3 -m venv inspect-env && inspect-env/bin/pip install --quiet inspect_ai==0.3.285

python3 items.py
for model in alpha,share=0.9 beta,share=0.5; do
    HF_HUB_OFFLINE=1 harness-env/bin/python harness.py run --model knows \
        --model_args "pretrained=$model" --tasks sums_choice,sums_written --include_path . \
        --log_samples --output_path harness
done
inspect-env/bin/python inspect_sums.py

rm -rf "$logs"/{harness,inspect}
gzip --best --no-name --recursive harness inspect/json
cp -r harness inspect "$logs"
rm "$logs"/harness/*/results_*
