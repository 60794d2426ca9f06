"""The frame of the checks.

A file of checks has functions with the decorator `check`, which run in order. Each check prints one line of JSON: the check's name,
whether the check passed, and the failure. The environment variable STORE describes what is checked, as JSON.
"""

import json
import os
import traceback

STORE = json.loads(os.environ["STORE"])

checks = []


def check(function):
    checks.append(function)
    return function


def run():
    for function in checks:
        detail = None
        try:
            function()
        except Exception:
            detail = traceback.format_exc(limit=-3)
        print(json.dumps({"check": function.__name__, "ok": detail is None, "detail": detail}), flush=True)
