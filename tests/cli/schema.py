# SPDX-License-Identifier: GPL-3.0-or-later
"""schema.py SCHEMAS KIND=FILE...: validates documents against docs/schema; says what is wrong and where."""
import json
import os
import sys

import jsonschema


def main():
    folder = os.path.abspath(sys.argv[1])
    bad = 0
    for argument in sys.argv[2:]:
        kind, name = argument.split("=", 1)
        with open(f"{folder}/{kind}.schema.json", encoding="utf-8") as f:
            schema = json.load(f)
        with open(name, encoding="utf-8") as f:
            document = json.load(f)
        jsonschema.Draft202012Validator.check_schema(schema)
        resolver = jsonschema.RefResolver(f"file://{folder}/{kind}.schema.json", schema)
        errors = jsonschema.Draft202012Validator(schema, resolver=resolver).iter_errors(document)
        for error in sorted(errors, key=lambda e: list(map(str, e.absolute_path)))[:5]:
            best = jsonschema.exceptions.best_match([error])
            print(f"{name}: /{'/'.join(map(str, best.absolute_path))}: {best.message[-300:]}")
            bad = 1
    return bad


sys.exit(main())
