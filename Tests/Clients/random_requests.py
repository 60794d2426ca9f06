"""Runs the command line of Schemathesis, which sends random requests that an OpenAPI document describes."""

from schemathesis.cli import schemathesis

schemathesis()
