"""Tests of the backend with a local App Store."""

import threading

import pytest
from appstoreserverlibrary.signed_data_verifier import VerificationException
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from backend import Backend, Settings, make_server
from conftest import request

COINS, PRO = "com.example.shop.coins", "com.example.shop.pro"


@pytest.fixture
def backend(store):
    found = store.description
    root = x509.load_pem_x509_certificate(found["rootCertificate"].encode()).public_bytes(Encoding.DER)
    key = found["apiKey"].encode()
    return Backend(
        Settings(found["bundleID"], found["appAppleID"], found["issuerID"], found["keyID"], key, [root], base_url=found["serverAPI"])
    )


@pytest.fixture
def address(backend):
    server = make_server(backend)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_transaction_of_the_app_is_verified(store, address):
    assert request("POST", f"{address}/purchases", {"signedTransaction": store.buy(COINS)}) == {"productId": COINS}


def test_a_transaction_of_another_store_is_refused(make_store, backend):
    with pytest.raises(VerificationException):
        backend.record(make_store().buy(COINS))
    assert backend.purchases == {}


def test_the_history_is_read_page_by_page(store, backend):
    for _ in range(25):
        signed = store.buy(COINS)
    store.buy(COINS, account="ada")
    newest = backend.record(signed)
    assert backend.record_history(newest.transactionId) == 25
    assert len(backend.purchases) == 25


def test_notifications_renew_and_end_a_subscription(store, backend, address):
    store.notify(f"{address}/notifications")
    bought = backend.verifier.verify_and_decode_signed_transaction(store.buy(PRO))
    is_entitled = lambda: backend.is_entitled(bought.originalTransactionId, PRO, store.now())
    assert is_entitled()

    store.advance(days=45)
    assert len(backend.purchases) == 2 and is_entitled()

    latest = max(backend.purchases.values(), key=lambda purchase: purchase.purchaseDate)
    store.refund(latest.transactionId)
    assert not is_entitled()


def test_a_repeated_notification_has_no_effect(store, backend, address):
    store.control("faults", {"kind": {"notificationDuplicated": {}}})
    store.notify(f"{address}/notifications")
    store.buy(COINS)
    assert len(backend.notifications) == 1 and len(backend.purchases) == 1


def test_a_forged_notification_is_refused(store, backend, address):
    store.control("faults", {"kind": {"signing": {"fault": "wrongRoot"}}, "count": 10})
    store.notify(f"{address}/notifications")
    store.buy(COINS)
    assert backend.purchases == {} and backend.notifications == set()
    (delivery,) = store.control("notifications")["deliveries"]
    (attempt,) = store.control(f"notifications/{delivery['notificationUUID']}")["sendAttempts"]
    assert attempt["sendAttemptResult"] == "UNSUCCESSFUL_HTTP_RESPONSE_CODE"


def test_a_command_reaches_the_same_store(store):
    store.buy(COINS)
    assert COINS in store.run("store", "transactions", "jane")
