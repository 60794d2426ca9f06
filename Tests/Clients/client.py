"""Shared code of the checks of a store: Apple's client and verifier, and clients of the store's control API and device API."""

import json
import os
import sys
import time
import uuid

import requests
from appstoreserverlibrary.api_client import APIError, APIException, AppStoreServerAPIClient, GetTransactionHistoryVersion
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.TransactionHistoryRequest import TransactionHistoryRequest
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from checks import STORE, check, run

V1, V2 = GetTransactionHistoryVersion.V1, GetTransactionHistoryVersion.V2
CREDITS, BOOK, SEASON = (f"com.example.monkeyshop.{name}" for name in ("credits5", "book", "season"))
MAGAZINE, WEEKLY = "com.example.monkeyshop.magazine", "com.example.monkeyshop.magazine.weekly"
DAY = 86_400


class Client(AppStoreServerAPIClient):
    """Apple's client with the URL of the store."""

    def __init__(self, environment=Environment.SANDBOX, key=None, **changes):
        parts = {name: changes.get(name, STORE[member]) for name, member in (("key_id", "keyID"), ("issuer_id", "issuerID"), ("bundle_id", "bundleID"))}
        key = (key or STORE["apiKey"]).encode()
        super().__init__(key, parts["key_id"], parts["issuer_id"], parts["bundle_id"], environment)
        self._base_url = STORE["url"] + ("/production" if environment == Environment.PRODUCTION else "")


client = Client()
production = Client(Environment.PRODUCTION)
root = x509.load_pem_x509_certificate(STORE["root"].encode()).public_bytes(Encoding.DER)
verifier = SignedDataVerifier([root], False, Environment.SANDBOX, STORE["bundleID"])
production_verifier = SignedDataVerifier([root], False, Environment.PRODUCTION, STORE["bundleID"], int(STORE["appAppleID"]))


def control(path, body=None):
    """Calls the control API of the store."""
    url = f"{STORE['url']}/control/v1/{path}"
    response = requests.get(url, timeout=30) if body is None else requests.post(url, json=body, timeout=30)
    assert response.status_code == 200, f"{path}: {response.status_code} {response.text}"
    return response.json()


def buy(account, product, quantity=1, verify=verifier):
    """Buys a product and returns the decoded transaction."""
    reply = control("purchases", {"account": account, "productID": product, "quantity": quantity})
    return verify.verify_and_decode_signed_transaction(reply["purchased"]["signedTransaction"])


class Phone:
    """A device with a signed-in account."""

    def __init__(self, account, environment=Environment.SANDBOX):
        control("accounts", {"account": account, "password": "secret", "askToBuyEnabled": False})
        if environment == Environment.PRODUCTION:
            control(f"accounts/{account}", {"environment": "Production"})
        device = str(uuid.uuid5(uuid.NAMESPACE_URL, account)).upper()
        request = {"account": account, "password": "secret", "device": device, "bundleID": STORE["bundleID"], "appVersion": "1.0"}
        self.token = None
        self.token = self.ask("sign-in", request)["token"]

    def ask(self, path, body=None):
        headers = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        response = requests.post(f"{STORE['url']}/device/v1/{path}", json=body or {}, headers=headers, timeout=30)
        assert response.status_code == 200, f"{path}: {response.status_code} {response.text}"
        return response.json()

    def pay(self, product, **more):
        """Sends a payment and returns the store's reply: a signed transaction or a refusal."""
        return self.ask("purchases", {"payment": str(uuid.uuid4()), "productID": product, "quantity": 1} | more)

    def buy(self, product, verify=verifier, **more):
        """Buys a product and returns the decoded transaction."""
        reply = self.pay(product, **more)
        assert "purchased" in reply, reply
        return verify.verify_and_decode_signed_transaction(reply["purchased"]["signedTransaction"])

    def receipt(self, **kind):
        """Returns the app receipt in base64."""
        return self.ask("receipt", {"expired": False} | kind)["receipt"]

    def transaction_receipt(self, transaction_id):
        """Returns the receipt of one transaction in the format of iOS 6, in base64."""
        return self.ask("transaction-receipt", {"transactionID": transaction_id})["receipt"]


def advance(seconds):
    control("clock/advance", {"seconds": seconds})


def store_time():
    return control("clock")["now"]


def refused(error, call, *arguments):
    """Calls a function and expects that the API refuses the call with an error, which is returned."""
    try:
        call(*arguments)
    except APIException as exception:
        assert exception.api_error == error, f"{exception.api_error} {exception.raw_api_error} {exception.error_message}"
        assert exception.http_status_code == error.value // 10_000, exception.http_status_code
        return exception
    raise AssertionError(f"{error.name} was expected")


def unauthorized(call, *arguments):
    """Calls a function and expects that the API refuses the call with status 401."""
    try:
        call(*arguments)
    except APIException as exception:
        assert exception.http_status_code == 401, exception.http_status_code
        assert exception.api_error is None and exception.raw_api_error is None
        return
    raise AssertionError("401 was expected")


def history(transaction_id, revision=None, version=V2, api=client, **filters):
    return api.get_transaction_history(transaction_id, revision, TransactionHistoryRequest(**filters), version)


def decoded(signed, verify=verifier):
    return [verify.verify_and_decode_signed_transaction(element) for element in signed]


def whole_history(transaction_id, version=V2, revision=None, **filters):
    """Requests all pages of a history, and returns the transactions and the last revision."""
    found = []
    while True:
        page = history(transaction_id, revision, version, **filters)
        assert len(page.signedTransactions) <= 20
        found += decoded(page.signedTransactions)
        revision = page.revision
        if not page.hasMore:
            return found, revision


def wait_for(condition, seconds=20):
    """Evaluates a condition until the value is true, and returns the value; fails after a number of seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = condition()
        if answer:
            return answer
        time.sleep(0.05)
    raise AssertionError(f"The condition was not met in {seconds} seconds.")
