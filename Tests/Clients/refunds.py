"""Checks of refunds and consumption information, with Apple's client."""

from client import *
from appstoreserverlibrary.models.AccountTenure import AccountTenure
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.ConsumptionStatus import ConsumptionStatus
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.DeliveryStatusV1 import DeliveryStatusV1
from appstoreserverlibrary.models.LifetimeDollarsPurchased import LifetimeDollarsPurchased
from appstoreserverlibrary.models.LifetimeDollarsRefunded import LifetimeDollarsRefunded
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.Platform import Platform
from appstoreserverlibrary.models.PlayTime import PlayTime
from appstoreserverlibrary.models.RefundPreference import RefundPreference
from appstoreserverlibrary.models.RefundPreferenceV1 import RefundPreferenceV1
from appstoreserverlibrary.models.UserStatus import UserStatus


def consumption(**changes):
    values = dict(customerConsented=True, deliveryStatus=DeliveryStatus.DELIVERED, sampleContentProvided=False)
    return ConsumptionRequest(**(values | changes))


def consumption_v1(**changes):
    values = dict(
        customerConsented=True, consumptionStatus=ConsumptionStatus.FULLY_CONSUMED, platform=Platform.APPLE, sampleContentProvided=False,
        deliveryStatus=DeliveryStatusV1.DELIVERED_AND_WORKING_PROPERLY, appAccountToken="", accountTenure=AccountTenure.UNDECLARED,
        playTime=PlayTime.UNDECLARED, lifetimeDollarsRefunded=LifetimeDollarsRefunded.UNDECLARED,
        lifetimeDollarsPurchased=LifetimeDollarsPurchased.UNDECLARED, userStatus=UserStatus.ACTIVE
    )
    return ConsumptionRequestV1(**(values | changes))


def request_refund(account, product=CREDITS):
    bought = buy(account, product)
    request = control("refund-requests", {"transactionID": bought.transactionId})
    return bought, request["id"]


def request_of(identifier):
    return next(element for element in control("refund-requests")["requests"] if element["id"] == identifier)


@check
def a_prorated_refund_follows_the_servers_preference():
    bought, request = request_refund("part")
    client.send_consumption_information(
        bought.transactionId, consumption(consumptionPercentage=25_000, refundPreference=RefundPreference.GRANT_PRORATED)
    )
    assert request_of(request)["consumption"]["consumptionPercentage"] == 25_000
    advance(13 * 3600)
    now = verifier.verify_and_decode_signed_transaction(client.get_transaction_info(bought.transactionId).signedTransactionInfo)
    assert now.revocationDate and now.rawRevocationType == "REFUND_PRORATED" and now.revocationPercentage == 75_000


@check
def a_refund_is_declined_by_the_servers_preference_in_both_versions():
    first, second = request_refund("declined")[0], request_refund("declined")[0]
    client.send_consumption_information(first.transactionId, consumption(refundPreference=RefundPreference.DECLINE))
    client.send_consumption_data(second.transactionId, consumption_v1(refundPreference=RefundPreferenceV1.PREFER_DECLINE))
    advance(13 * 3600)
    assert [element.revocationDate for element in whole_history(first.transactionId)[0]] == [None, None]
    now = store_time()
    found = client.get_notification_history(
        None, NotificationHistoryRequest(startDate=now - DAY * 1000, endDate=now + 1, notificationType=NotificationTypeV2.REFUND_DECLINED)
    )
    assert len(found.notificationHistory) == 2


@check
def each_invalid_consumption_request_has_its_error():
    bought, _ = request_refund("bad")
    send = lambda **changes: client.send_consumption_information(bought.transactionId, consumption(**changes))
    refused(APIError.INVALID_CUSTOMER_CONSENTED, lambda: send(customerConsented=False))
    refused(APIError.INVALID_SAMPLE_CONTENT_PROVIDED, lambda: send(sampleContentProvided="yes"))
    refused(APIError.TRANSACTION_ID_NOT_FOUND, client.send_consumption_information, "1", consumption())
    refused(APIError.INVALID_TRANSACTION_ID, client.send_consumption_information, "x", consumption())
    refused(APIError.APP_TRANSACTION_ID_NOT_SUPPORTED_ERROR, client.send_consumption_information, bought.appTransactionId, consumption())
    old = lambda **changes: client.send_consumption_data(bought.transactionId, consumption_v1(**changes))
    refused(APIError.INVALID_CUSTOMER_CONSENTED, lambda: old(customerConsented=False))
    refused(APIError.INVALID_APP_ACCOUNT_TOKEN, lambda: old(appAccountToken="ada"))
    season = buy("bad", SEASON)
    refused(APIError.INVALID_TRANSACTION_TYPE_NOT_SUPPORTED, client.send_consumption_data, season.transactionId, consumption_v1())
    client.send_consumption_information(season.transactionId, consumption())


@check
def the_refund_history_has_pages_in_the_order_of_the_refunds():
    ids = [buy("refunds", CREDITS).transactionId for _ in range(23)]
    for identifier in reversed(ids):
        control("refunds", {"transactionID": identifier})
    first = client.get_refund_history(ids[0], None)
    second = client.get_refund_history(ids[5], first.revision)
    assert first.hasMore and not second.hasMore and len(first.signedTransactions) == 20
    found = [element.transactionId for element in decoded(first.signedTransactions + second.signedTransactions)]
    assert found == ids[::-1]
    control("refunds", {"transactionID": buy("refunds", BOOK).transactionId})
    assert [element.productId for element in decoded(client.get_refund_history(ids[0], second.revision).signedTransactions)] == [BOOK]
    refused(APIError.INVALID_REQUEST_REVISION, client.get_refund_history, ids[0], "x")
    assert client.get_refund_history(buy("norefunds", CREDITS).transactionId, None).signedTransactions == []


@check
def version_1_lists_the_newest_refunds():
    bought = buy("lookup", CREDITS)
    control("refunds", {"transactionID": bought.transactionId})

    def look_up(identifier):
        headers = client._get_headers()
        return requests.get(f"{STORE['url']}/inApps/v1/refund/lookup/{identifier}", headers=headers, timeout=30)

    (found,) = decoded(look_up(bought.originalTransactionId).json()["signedTransactions"])
    assert found.transactionId == bought.transactionId
    assert look_up("x").json()["errorCode"] == APIError.INVALID_ORIGINAL_TRANSACTION_ID.value
    assert look_up("1").json()["errorCode"] == APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND.value


run()
