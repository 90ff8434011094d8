#!/bin/sh
# Describes what is in dist/, for the page of the release: build/release/ gets an SBOM (CycloneDX) of
# the wheels and of all that pip installs with them today, and the hashes of all files.
# `python` and `cyclonedx-py` are those of an environment with packaging/release.lock.
set -eu
cd "$(dirname "$0")/.."
output=build/release
rm -rf "$output"
mkdir -p "$output"
version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' mtsig_nb/__init__.py)

python -m venv --without-pip "$output/environment"
python -m pip --python "$output/environment" install --quiet --disable-pip-version-check dist/*.whl
# The version stands in the package, where cyclonedx-py does not look for it.
sed "s/^dynamic = .*/version = \"$version\"/" pyproject.toml >"$output/pyproject.toml"
cyclonedx-py environment --pyproject "$output/pyproject.toml" --mc-type library \
    --output-reproducible -o "$output/sbom.json" "$output/environment"
# Not where the files lay on this machine.
sed "s|file://$PWD/dist/||" "$output/sbom.json" >"$output/mtsig_nb-$version.cdx.json"
rm -r "$output/environment" "$output/pyproject.toml" "$output/sbom.json"

(cd dist && sha256sum -- *) >"$output/SHA256SUMS"
ls "$output"
