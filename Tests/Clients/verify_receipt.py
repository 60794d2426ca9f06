"""Checks of receipts, with inapppy at both URLs of verifyReceipt."""

import base64

from inapppy import AppStoreValidator, InAppPyValidationError

from client import *

SECRET = "0123456789abcdef0123456789abcdef"


class Validator(AppStoreValidator):
    """inapppy with the URLs of the store, between which inapppy chooses."""

    def _change_url_by_sandbox(self):
        self.url = f"{STORE['url']}/{'sandbox' if self.sandbox else 'production'}/verifyReceipt"


def validate(receipt, sandbox=True, retry=False, **more):
    return Validator(sandbox=sandbox, auto_retry_wrong_env_request=retry).validate(receipt, **more)


def refused(status, receipt, sandbox=True, **more):
    """Validates a receipt, expects a refusal with a status, and returns the response."""
    try:
        validate(receipt, sandbox, **more)
    except InAppPyValidationError as error:
        assert error.raw_response["status"] == status, error.raw_response
        return error.raw_response
    raise AssertionError(f"{status} was expected")


@check
def a_sandbox_receipt_is_valid_in_the_sandbox():
    phone = Phone("inapppy")
    bought = phone.buy(CREDITS, quantity=3)
    answer = validate(phone.receipt())
    assert answer["status"] == 0 and answer["environment"] == "Sandbox"
    assert answer["receipt"]["receipt_type"] == "ProductionSandbox" and answer["receipt"]["bundle_id"] == STORE["bundleID"]
    (purchase,) = answer["receipt"]["in_app"]
    assert (purchase["transaction_id"], purchase["product_id"], purchase["quantity"]) == (bought.transactionId, CREDITS, "3")
    assert purchase["purchase_date_ms"] == str(bought.purchaseDate) and purchase["in_app_ownership_type"] == "PURCHASED"
    # The app has auto-renewable subscriptions, so latest_receipt_info lists all transactions except finished consumables.
    assert [element["transaction_id"] for element in answer["latest_receipt_info"]] == [bought.transactionId]
    assert answer["pending_renewal_info"] == []


@check
def a_retry_finds_the_right_environment():
    for name, environment in (("here", Environment.SANDBOX), ("there", Environment.PRODUCTION)):
        is_sandbox = environment == Environment.SANDBOX
        phone = Phone(name, environment)
        bought = phone.buy(BOOK, verify=verifier if is_sandbox else production_verifier)
        receipt, status = phone.receipt(), 21007 if is_sandbox else 21008
        assert refused(status, receipt, sandbox=not is_sandbox) == {"status": status}
        for first in (True, False):
            answer = validate(receipt, sandbox=first, retry=True)
            assert answer["environment"] == environment.value
            assert [element["transaction_id"] for element in answer["receipt"]["in_app"]] == [bought.transactionId]
    assert answer["receipt"]["receipt_type"] == "Production" and answer["receipt"]["adam_id"] == STORE["appAppleID"]


@check
def malformed_data_is_refused():
    receipt = Phone("bad").receipt()
    middle = len(receipt) // 2
    broken = receipt[:middle] + "\n" + receipt[middle:]
    for bad in ("", "nonsense", "AAAA", receipt[:middle], broken, receipt.replace("+", "-").replace("/", "_")):
        assert refused(21002, bad) == {"status": 21002}
        assert refused(21002, bad, sandbox=False) == {"status": 21002}


@check
def a_changed_receipt_is_not_authenticated():
    phone = Phone("changed")
    phone.buy(BOOK)
    receipt = base64.b64decode(phone.receipt())
    changed = receipt.replace(BOOK.encode(), BOOK[:-1].encode() + b"x")
    assert changed != receipt
    refused(21003, base64.b64encode(changed).decode())


@check
def a_subscription_has_its_renewals():
    phone = Phone("subscription")
    bought = phone.buy(MAGAZINE)
    receipt = phone.receipt()
    advance(70 * DAY)
    answer = validate(receipt)
    assert [element["transaction_id"] for element in answer["receipt"]["in_app"]] == [bought.transactionId]
    periods = sorted(answer["latest_receipt_info"], key=lambda element: int(element["expires_date_ms"]))
    assert len(periods) == 3 and {element["original_transaction_id"] for element in periods} == {bought.transactionId}
    assert all(before["expires_date_ms"] == after["purchase_date_ms"] for before, after in zip(periods, periods[1:]))
    assert len({element["web_order_line_item_id"] for element in periods}) == 3
    (newest,) = validate(receipt, exclude_old_transactions=True)["latest_receipt_info"]
    assert newest == periods[-1]
    (renewal,) = answer["pending_renewal_info"]
    assert renewal["auto_renew_product_id"] == renewal["product_id"] == MAGAZINE and renewal["auto_renew_status"] == "1"
    assert renewal["original_transaction_id"] == bought.transactionId
    fresh = validate(answer["latest_receipt"])
    assert len(fresh["receipt"]["in_app"]) == 3 and fresh["receipt"]["request_date_ms"] >= answer["receipt"]["request_date_ms"]


@check
def an_old_receipt_shows_a_later_refund():
    phone = Phone("refund")
    bought = phone.buy(BOOK)
    receipt = phone.receipt()
    control("refunds", {"transactionID": bought.transactionId, "reason": 1})
    (purchase,) = validate(receipt)["receipt"]["in_app"]
    assert purchase["cancellation_reason"] == "1" and int(purchase["cancellation_date_ms"]) >= bought.purchaseDate


@check
def transaction_receipts_are_valid():
    phone = Phone("old")
    book, weekly = phone.buy(BOOK), phone.buy(WEEKLY)
    answer = validate(phone.transaction_receipt(book.transactionId))
    assert answer["receipt"]["product_id"] == BOOK and "latest_receipt_info" not in answer
    answer = validate(phone.transaction_receipt(weekly.transactionId))
    assert answer["latest_receipt_info"]["transaction_id"] == weekly.transactionId and answer["auto_renew_status"] == 1
    control(f"subscriptions/{weekly.transactionId}", {"action": "expire"})
    answer = refused(21006, phone.transaction_receipt(weekly.transactionId))
    assert answer["latest_expired_receipt_info"]["original_transaction_id"] == weekly.transactionId
    assert answer["receipt"]["product_id"] == WEEKLY and answer["auto_renew_status"] == 0
    refused(21007, phone.transaction_receipt(weekly.transactionId), sandbox=False)


@check
def the_shared_secret_must_match():
    receipt = Phone("secret").receipt()
    control(f"apps/{STORE['bundleID']}", {"sharedSecret": SECRET})
    for wrong in (None, "0" * 32, SECRET.upper()):
        answer = refused(21004, receipt, shared_secret=wrong)
        assert answer["environment"] == "Sandbox" and "receipt" not in answer
    assert validate(receipt, shared_secret=SECRET)["status"] == 0


@check
def faults_set_the_status():
    receipt = Phone("faults").receipt()
    control(f"apps/{STORE['bundleID']}", {"sharedSecret": ""})
    for status in (21000, 21002, 21003, 21005, 21009, 21010):
        control("faults", {"kind": {"verifyReceiptStatus": {"code": status}}, "count": 1})
        refused(status, receipt)
        assert validate(receipt)["status"] == 0
    control("faults", {"kind": {"verifyReceiptOutage": {}}, "count": 1})
    try:
        validate(receipt)
        raise AssertionError("an outage must be an error")
    except InAppPyValidationError as error:
        assert "HTTP error" in str(error), error


run()
