"""Checks of the store's signed data, with the online checks of Apple's verifier and Apple's receipt utility."""

from client import *
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.receipt_utility import ReceiptUtility
from appstoreserverlibrary.signed_data_verifier import VerificationException, VerificationStatus


def online(environment=Environment.SANDBOX):
    """Returns a new verifier with online checks, which has no cached OCSP responses."""
    return SignedDataVerifier([root], True, environment, STORE["bundleID"], STORE["appAppleID"])


def not_verified(status, call, signed):
    try:
        call(signed)
    except VerificationException as exception:
        assert exception.status == status, exception.status
        return
    raise AssertionError(f"{status.name} was expected")


@check
def all_signed_data_passes_the_online_checks():
    bought = buy("online", MAGAZINE, verify=online())
    last = client.get_all_subscription_statuses(bought.transactionId).data[0].lastTransactions[0]
    assert online().verify_and_decode_signed_transaction(last.signedTransactionInfo).transactionId == bought.transactionId
    assert online().verify_and_decode_renewal_info(last.signedRenewalInfo).originalTransactionId == bought.transactionId
    app = client.get_app_transaction_info(bought.transactionId).signedAppTransactionInfo
    assert online().verify_and_decode_app_transaction(app).appTransactionId == bought.appTransactionId
    now = store_time()
    history_request = NotificationHistoryRequest(startDate=now - DAY * 1000, endDate=now + 1, transactionId=bought.transactionId)
    for element in client.get_notification_history(None, history_request).notificationHistory:
        payload = online().verify_and_decode_notification(element.signedPayload)
        assert online().verify_and_decode_signed_transaction(payload.data.signedTransactionInfo).transactionId == bought.transactionId
        assert online().verify_and_decode_renewal_info(payload.data.signedRenewalInfo).environment == Environment.SANDBOX


@check
def production_data_is_signed_for_production():
    phone = Phone("signed", Environment.PRODUCTION)
    bought = phone.buy(CREDITS, verify=online(Environment.PRODUCTION))
    assert bought.environment == Environment.PRODUCTION
    signed = production.get_transaction_info(bought.transactionId).signedTransactionInfo
    not_verified(VerificationStatus.INVALID_ENVIRONMENT, verifier.verify_and_decode_signed_transaction, signed)
    app = production.get_app_transaction_info(bought.transactionId).signedAppTransactionInfo
    assert online(Environment.PRODUCTION).verify_and_decode_app_transaction(app).receiptType == Environment.PRODUCTION
    now = store_time()
    history_request = NotificationHistoryRequest(startDate=now - DAY * 1000, endDate=now + 1)
    (element,) = production.get_notification_history(None, history_request).notificationHistory
    payload = online(Environment.PRODUCTION).verify_and_decode_notification(element.signedPayload)
    assert payload.data.appAppleId == STORE["appAppleID"] and payload.data.environment == Environment.PRODUCTION


@check
def data_of_another_app_or_with_another_payload_is_not_verified():
    signed = client.get_transaction_info(buy("strange", CREDITS).transactionId).signedTransactionInfo
    other = SignedDataVerifier([root], False, Environment.SANDBOX, "com.example.other")
    not_verified(VerificationStatus.INVALID_APP_IDENTIFIER, other.verify_and_decode_signed_transaction, signed)
    header, payload, signature = signed.split(".")
    changed = ".".join([header, payload[:-4] + ("AAAA" if payload[-4:] != "AAAA" else "BBBB"), signature])
    not_verified(VerificationStatus.VERIFICATION_FAILURE, verifier.verify_and_decode_signed_transaction, changed)


@check
def the_verifier_refuses_data_with_signing_faults():
    bought = buy("faulty", CREDITS)
    ask = lambda: client.get_transaction_info(bought.transactionId).signedTransactionInfo
    for fault in (
        "expiredIntermediate", "leafWithoutMarker", "intermediateWithoutMarker", "wrongRoot", "swappedChain", "changedPayload", "wrongKey",
        "noX5C", "algNone"
    ):
        control("faults", {"kind": {"signing": {"fault": fault}}, "count": 1})
        signed = ask()
        for each in (verifier, online()):
            not_verified(VerificationStatus.VERIFICATION_FAILURE, each.verify_and_decode_signed_transaction, signed)
    control("faults", {"kind": {"signing": {"fault": "revokedLeaf"}}, "count": 1})
    signed = ask()
    verifier.verify_and_decode_signed_transaction(signed)
    not_verified(VerificationStatus.VERIFICATION_FAILURE, online().verify_and_decode_signed_transaction, signed)
    online().verify_and_decode_signed_transaction(ask())


@check
def old_data_verifies_after_years_of_store_time():
    bought = buy("years", CREDITS)
    signed = client.get_transaction_info(bought.transactionId).signedTransactionInfo
    advance(3 * 365 * DAY)
    later = client.get_transaction_info(bought.transactionId).signedTransactionInfo
    for each in (verifier, online()):
        assert each.verify_and_decode_signed_transaction(signed).transactionId == bought.transactionId
        assert each.verify_and_decode_signed_transaction(later).signedDate > bought.signedDate + 2 * 365 * DAY * 1000


@check
def apples_utility_extracts_transaction_ids_from_receipts():
    phone, utility = Phone("receipts"), ReceiptUtility()
    assert utility.extract_transaction_id_from_app_receipt(phone.receipt()) is None
    bought = phone.buy(BOOK)
    assert utility.extract_transaction_id_from_app_receipt(phone.receipt()) == bought.transactionId
    second = phone.buy(MAGAZINE)
    assert utility.extract_transaction_id_from_app_receipt(phone.receipt()) in (bought.transactionId, second.transactionId)
    found = utility.extract_transaction_id_from_transaction_receipt(phone.transaction_receipt(second.transactionId))
    assert found == second.transactionId
    assert client.get_transaction_info(found).signedTransactionInfo


run()
