"""Checks of the purchase server's verifyReceipt with inapppy, in which only the URL is changed."""

from inapppy import AppStoreValidator, InAppPyValidationError

from client import *

SECRET, CUSTOMER = STORE["secret"], STORE["customer"]


class Validator(AppStoreValidator):
    """inapppy with the URLs of the server."""

    def _change_url_by_sandbox(self):
        self.url = f"{STORE['server']}{'/sandbox' if self.sandbox else ''}/verifyReceipt"


def validate(receipt, secret=SECRET, sandbox=False, **more):
    return Validator(sandbox=sandbox, auto_retry_wrong_env_request=True).validate(receipt, shared_secret=secret, **more)


def refused(status, receipt, secret=SECRET):
    try:
        validate(receipt, secret)
    except InAppPyValidationError as error:
        assert error.raw_response["status"] == status, error.raw_response
        return
    raise AssertionError(f"{status} was expected")


@check
def a_receipt_is_valid_at_both_urls():
    phone = Phone("python")
    bought = phone.buy(BOOK, appAccountToken=CUSTOMER)
    for sandbox in (True, False):
        answer = validate(phone.receipt(), sandbox=sandbox)
        assert answer["status"] == 0 and answer["environment"] == "Sandbox"
        assert answer["receipt"]["bundle_id"] == STORE["bundleID"]
        assert [element["transaction_id"] for element in answer["receipt"]["in_app"]] == [bought.transactionId]


@check
def an_old_receipt_shows_renewals():
    phone = Phone("renewals")
    bought = phone.buy(MAGAZINE, appAccountToken=CUSTOMER)
    receipt = phone.receipt()
    advance(70 * DAY)
    answer = wait_for(lambda: (found := validate(receipt)) and len(found["latest_receipt_info"]) == 3 and found)
    periods = sorted(answer["latest_receipt_info"], key=lambda element: int(element["expires_date_ms"]))
    assert {element["original_transaction_id"] for element in periods} == {bought.transactionId}
    assert all(before["expires_date_ms"] == after["purchase_date_ms"] for before, after in zip(periods, periods[1:]))
    (newest,) = validate(receipt, exclude_old_transactions=True)["latest_receipt_info"]
    assert newest == periods[-1]
    (renewal,) = answer["pending_renewal_info"]
    assert renewal["auto_renew_product_id"] == MAGAZINE and renewal["auto_renew_status"] == "1"


@check
def an_old_receipt_shows_a_refund():
    phone = Phone("refund")
    bought = phone.buy(BOOK, appAccountToken=CUSTOMER)
    receipt = phone.receipt()
    control("refunds", {"transactionID": bought.transactionId, "reason": 1})
    wait_for(lambda: validate(receipt)["receipt"]["in_app"][0].get("cancellation_reason") == "1")


@check
def other_receipts_and_secrets_are_refused():
    receipt = Phone("bad").receipt()
    refused(21004, receipt, secret="0" * 32)
    refused(21002, receipt[: len(receipt) // 2])
    refused(21002, "nonsense")


run()
