"""Fixtures of pytest: one `tillroll store up` process for all tests, and a store with its own clock, accounts and keys for each test.

Copy this file into the tests of your backend. The variable TILLROLL is the path of the command, if it is not in the PATH.
"""

import json
import os
import pathlib
import subprocess
import urllib.error
import urllib.request

import pytest

TILLROLL = os.environ.get("TILLROLL", "tillroll")
STOREKIT = pathlib.Path(__file__).parent.parent / "Shop.storekit"
BUNDLE_ID = "com.example.shop"


def request(method, url, body=None):
    """Sends a request, and returns the JSON object of the response."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data=data, method=method), timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{method} {url}: {error.code} {error.read().decode()}") from None


class Store:
    """A local store, and the part of its control API that the tests use; docs/openapi/control.yaml describes all of it."""

    def __init__(self, description):
        self.url = description["url"]
        self.description = description

    def control(self, path, body=None):
        return request("GET" if body is None else "POST", f"{self.url}/control/v1/{path}", body)

    def buy(self, product, account="jane"):
        """Buys a product, and returns the signed transaction that the app would send to its backend."""
        reply = self.control("purchases", {"account": account, "productID": product})
        return reply["purchased"]["signedTransaction"]

    def refund(self, transaction_id):
        self.control("refunds", {"transactionID": transaction_id})

    def advance(self, days):
        self.control("clock/advance", {"seconds": days * 86_400})

    def now(self):
        """The store's time, in milliseconds since 1970."""
        return self.control("clock")["now"]

    def notify(self, url):
        """Sets the URL for notifications. A change of the store returns when each resulting notification was sent once."""
        self.control(f"apps/{self.description['bundleID']}", {"sandboxURL": url})

    def run(self, *arguments):
        """Runs a `tillroll` command on this store, and returns its output."""
        command = [TILLROLL, *arguments, "--store", self.url]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


@pytest.fixture(scope="session")
def store_host():
    """The address of the process, which ends after the last test."""
    process = subprocess.Popen([TILLROLL, "store", "up", "--port", "0", "--json"], stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        assert line, f"{TILLROLL} store up ended with exit code {process.wait()}"
        yield json.loads(line)["url"]
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
def make_store(store_host):
    """Creates stores that the end of the test removes; each takes a few milliseconds."""
    stores = []

    def make():
        description = request("POST", f"{store_host}/stores?bundleID={BUNDLE_ID}", STOREKIT.read_bytes())
        stores.append(Store(description))
        return stores[-1]

    yield make
    for store in stores:
        request("DELETE", store.url)


@pytest.fixture
def store(make_store):
    return make_store()
