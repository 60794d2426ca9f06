"""Checks of subscription statuses and renewal date extensions, with Apple's client."""

from client import *
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.Subtype import Subtype
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest


def only_status(identifier, **filters):
    response = client.get_all_subscription_statuses(identifier, **filters)
    assert response.bundleId == STORE["bundleID"] and response.environment == Environment.SANDBOX
    (group,) = response.data
    (last,) = group.lastTransactions
    return last


def extension(days, name=None):
    return ExtendRenewalDateRequest(extendByDays=days, extendReasonCode=ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE, requestIdentifier=name or "x")


@check
def a_status_has_the_signed_transaction_and_renewal_info():
    bought = buy("status", MAGAZINE)
    last = only_status(bought.appTransactionId)
    assert last.status == Status.ACTIVE and last.originalTransactionId == bought.transactionId
    transaction = verifier.verify_and_decode_signed_transaction(last.signedTransactionInfo)
    renewal = verifier.verify_and_decode_renewal_info(last.signedRenewalInfo)
    assert transaction.transactionId == bought.transactionId
    assert renewal.autoRenewProductId == MAGAZINE and renewal.renewalDate == transaction.expiresDate and renewal.renewalPrice == 2990
    assert client.get_all_subscription_statuses(bought.transactionId, [Status.EXPIRED]).data == []
    assert only_status(bought.transactionId, status=[Status.EXPIRED, Status.ACTIVE]).status == Status.ACTIVE


@check
def a_renewal_is_the_newest_transaction():
    bought = buy("renews", WEEKLY)
    advance(8 * DAY)
    transaction = verifier.verify_and_decode_signed_transaction(only_status(bought.transactionId).signedTransactionInfo)
    assert transaction.originalTransactionId == bought.transactionId != transaction.transactionId
    token = "3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84"
    client.set_app_account_token(bought.transactionId, UpdateAppAccountTokenRequest(token))
    refused(
        APIError.TRANSACTION_ID_IS_NOT_ORIGINAL_TRANSACTION_ID_ERROR, client.set_app_account_token, transaction.transactionId,
        UpdateAppAccountTokenRequest(token)
    )
    advance(7 * DAY)
    found, _ = whole_history(bought.transactionId)
    assert [element.appAccountToken for element in found] == [None, token, token]


@check
def an_account_without_a_subscription_has_no_status():
    assert client.get_all_subscription_statuses(buy("none", CREDITS).transactionId).data == []
    refused(APIError.INVALID_TRANSACTION_ID, client.get_all_subscription_statuses, "x")
    refused(APIError.TRANSACTION_ID_NOT_FOUND, client.get_all_subscription_statuses, "1")


@check
def a_renewal_date_can_be_extended_twice():
    bought = buy("extended", MAGAZINE)
    answer = client.extend_subscription_renewal_date(bought.originalTransactionId, extension(90))
    assert answer.success and answer.originalTransactionId == bought.originalTransactionId
    assert answer.webOrderLineItemId == bought.webOrderLineItemId and answer.effectiveDate > bought.expiresDate + 85 * DAY * 1000
    last = only_status(bought.transactionId)
    assert verifier.verify_and_decode_signed_transaction(last.signedTransactionInfo).expiresDate == answer.effectiveDate
    client.extend_subscription_renewal_date(bought.originalTransactionId, extension(1))
    extend, identifier = client.extend_subscription_renewal_date, bought.originalTransactionId
    refused(APIError.SUBSCRIPTION_MAX_EXTENSION, extend, identifier, extension(1))
    refused(APIError.INVALID_EXTEND_BY_DAYS, extend, identifier, extension(91))
    refused(APIError.INVALID_REQUEST_IDENTIFIER, extend, identifier, extension(1, "x" * 129))
    refused(APIError.INVALID_ORIGINAL_TRANSACTION_ID, extend, "x", extension(1))
    refused(APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND, extend, "1", extension(1))
    refused(APIError.SUBSCRIPTION_EXTENSION_INELIGIBLE, extend, buy("extended", CREDITS).transactionId, extension(1))


@check
def the_renewal_dates_of_all_subscribers_can_be_extended():
    before = [buy(f"mass{number}", WEEKLY) for number in range(3)]
    for _ in range(2):
        client.extend_subscription_renewal_date(before[0].originalTransactionId, extension(1))
    name = str(uuid.uuid4())
    request = MassExtendRenewalDateRequest(
        extendByDays=2, extendReasonCode=ExtendReasonCode.OTHER, requestIdentifier=name, productId=WEEKLY, storefrontCountryCodes=["USA"]
    )
    for _ in range(2):
        assert client.extend_renewal_date_for_all_active_subscribers(request).requestIdentifier == name
    status = wait_for(lambda: (found := client.get_status_of_subscription_renewal_date_extensions(name, WEEKLY)).complete and found)
    # One of the three is the subscriber of an earlier check.
    assert (status.succeededCount, status.failedCount) == (3, 1), (status.succeededCount, status.failedCount)
    last = verifier.verify_and_decode_signed_transaction(only_status(before[1].transactionId).signedTransactionInfo)
    assert last.expiresDate == before[1].expiresDate + 2 * DAY * 1000
    now = store_time()
    notifications = client.get_notification_history(
        None, NotificationHistoryRequest(startDate=now - DAY * 1000, endDate=now + 1, notificationType=NotificationTypeV2.RENEWAL_EXTENSION)
    ).notificationHistory
    payloads = [verifier.verify_and_decode_notification(element.signedPayload) for element in notifications]
    assert sorted(element.subtype.value for element in payloads) == ["FAILURE", "SUMMARY"]
    (summary,) = (element.summary for element in payloads if element.subtype == Subtype.SUMMARY)
    assert summary.requestIdentifier == name and summary.productId == WEEKLY
    assert (summary.succeededCount, summary.failedCount, summary.storefrontCountryCodes) == (3, 1, ["USA"])


@check
def each_invalid_mass_extension_has_its_error():
    def mass(**changes):
        values = dict(
            extendByDays=2, extendReasonCode=ExtendReasonCode.OTHER, requestIdentifier=str(uuid.uuid4()), productId=WEEKLY
        )
        client.extend_renewal_date_for_all_active_subscribers(MassExtendRenewalDateRequest(**(values | changes)))

    refused(APIError.INVALID_EXTEND_BY_DAYS, lambda: mass(extendByDays=0))
    refused(APIError.INVALID_PRODUCT_ID, lambda: mass(productId="none"))
    refused(APIError.INVALID_PRODUCT_ID, lambda: mass(productId=CREDITS))
    refused(APIError.INVALID_REQUEST_IDENTIFIER, lambda: mass(requestIdentifier="x"))
    refused(APIError.INVALID_EMPTY_STOREFRONT_COUNTRY_CODE_LIST, lambda: mass(storefrontCountryCodes=[]))
    refused(APIError.INVALID_STOREFRONT_COUNTRY_CODE, lambda: mass(storefrontCountryCodes=["QQQ"]))
    status = client.get_status_of_subscription_renewal_date_extensions
    refused(APIError.STATUS_REQUEST_NOT_FOUND, status, str(uuid.uuid4()), WEEKLY)
    refused(APIError.INVALID_REQUEST_IDENTIFIER, status, "x", WEEKLY)


run()
