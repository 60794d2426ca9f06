"""Runs the command line of Schemathesis, which sends random requests that an OpenAPI document describes."""

import schemathesis
from schemathesis.cli import schemathesis as command


@schemathesis.hook
def map_query(context, query):
    # A long poll of a feed without events waits, and can wait longer than the timeout of a request.
    if query and isinstance(query.get("wait"), int) and query["wait"] > 0:
        query["wait"] = 0
    return query


command()
