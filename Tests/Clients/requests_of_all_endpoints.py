"""Calls each endpoint of the App Store Server API once with Apple's client, for a comparison of the requests.

The environment variable STORE describes the server and the key, as JSON. The server records the requests and answers with status 418,
so each call fails. Prints the names of the calls, one per line.
"""

import json
import os
import warnings

from appstoreserverlibrary.api_client import APIException, AppStoreServerAPIClient, GetTransactionHistoryVersion
from appstoreserverlibrary.models.AccountTenure import AccountTenure
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.ConsumptionStatus import ConsumptionStatus
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.DeliveryStatusV1 import DeliveryStatusV1
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.LifetimeDollarsPurchased import LifetimeDollarsPurchased
from appstoreserverlibrary.models.LifetimeDollarsRefunded import LifetimeDollarsRefunded
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.Platform import Platform
from appstoreserverlibrary.models.PlayTime import PlayTime
from appstoreserverlibrary.models.RefundPreference import RefundPreference
from appstoreserverlibrary.models.RefundPreferenceV1 import RefundPreferenceV1
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.Subtype import Subtype
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, ProductType, TransactionHistoryRequest
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest
from appstoreserverlibrary.models.UserStatus import UserStatus

warnings.simplefilter("ignore", DeprecationWarning)
STORE = json.loads(os.environ["STORE"])
client = AppStoreServerAPIClient(
    STORE["apiKey"].encode(), STORE["keyID"], STORE["issuerID"], STORE["bundleID"], Environment.LOCAL_TESTING
)
client._base_url = STORE["url"]

V1, V2 = GetTransactionHistoryVersion.V1, GetTransactionHistoryVersion.V2
REQUEST = "3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84"
ALL_FILTERS = TransactionHistoryRequest(
    startDate=1_700_000_000_000, endDate=1_800_000_000_001, productIds=["com.example.b", "com.example.a & ü"],
    productTypes=[ProductType.CONSUMABLE, ProductType.AUTO_RENEWABLE, ProductType.NON_RENEWABLE, ProductType.NON_CONSUMABLE],
    sort=Order.DESCENDING, subscriptionGroupIdentifiers=["21A2B3C4", "20000000"], inAppOwnershipType=InAppOwnershipType.FAMILY_SHARED,
    revoked=False,
)
CONSUMPTION_V1 = ConsumptionRequestV1(
    customerConsented=True, consumptionStatus=ConsumptionStatus.PARTIALLY_CONSUMED, platform=Platform.NON_APPLE,
    sampleContentProvided=True, deliveryStatus=DeliveryStatusV1.DID_NOT_DELIVER_DUE_TO_SERVER_OUTAGE, appAccountToken=REQUEST,
    accountTenure=AccountTenure.THIRTY_DAYS_TO_NINETY_DAYS, playTime=PlayTime.ONE_DAY_TO_FOUR_DAYS,
    lifetimeDollarsRefunded=LifetimeDollarsRefunded.ONE_THOUSAND_DOLLARS_TO_ONE_THOUSAND_NINE_HUNDRED_NINETY_NINE_DOLLARS_AND_NINETY_NINE_CENTS,
    lifetimeDollarsPurchased=LifetimeDollarsPurchased.TWO_THOUSAND_DOLLARS_OR_GREATER, userStatus=UserStatus.LIMITED_ACCESS,
    refundPreference=RefundPreferenceV1.NO_PREFERENCE,
)
CONSUMPTION = ConsumptionRequest(
    customerConsented=True, deliveryStatus=DeliveryStatus.DELIVERED, sampleContentProvided=False, consumptionPercentage=25_000,
    refundPreference=RefundPreference.GRANT_PRORATED,
)
SHORT_CONSUMPTION = ConsumptionRequest(
    customerConsented=True, deliveryStatus=DeliveryStatus.UNDELIVERED_SERVER_OUTAGE, sampleContentProvided=True
)
EXTENSION = ExtendRenewalDateRequest(
    extendByDays=45, extendReasonCode=ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE, requestIdentifier="outage / 7"
)


def mass(**more):
    values = dict(extendByDays=90, extendReasonCode=ExtendReasonCode.UNDECLARED, requestIdentifier=REQUEST, productId="com.example.a")
    return MassExtendRenewalDateRequest(**(values | more))


def notifications(**more):
    return NotificationHistoryRequest(**(dict(startDate=1_700_000_000_000, endDate=1_800_000_000_001) | more))


CALLS = [
    ("transactionInfo", client.get_transaction_info, "2000000000000001"),
    ("transactionHistory", client.get_transaction_history, "1", None, TransactionHistoryRequest(), V2),
    ("transactionHistory with filters", client.get_transaction_history, "1", "a/b+c=&?", ALL_FILTERS, V2),
    ("transactionHistoryV1", client.get_transaction_history, "1", "r", ALL_FILTERS, V1),
    ("subscriptionStatuses", client.get_all_subscription_statuses, "1", None),
    ("subscriptionStatuses with filters", client.get_all_subscription_statuses, "1", [Status.BILLING_RETRY, Status.ACTIVE]),
    ("sendConsumption", client.send_consumption_information, "1", CONSUMPTION),
    ("sendConsumption without options", client.send_consumption_information, "1", SHORT_CONSUMPTION),
    ("sendConsumptionV1", client.send_consumption_data, "1", CONSUMPTION_V1),
    ("setAppAccountToken", client.set_app_account_token, "1", UpdateAppAccountTokenRequest(appAccountToken=REQUEST)),
    ("finishTransaction", client.finish_transaction, "1"),
    ("appTransactionInfo", client.get_app_transaction_info, "1"),
    ("lookUpOrder", client.look_up_order_id, "MVS0000000"),
    ("refundHistory", client.get_refund_history, "1", None),
    ("refundHistory with a revision", client.get_refund_history, "1", "a b"),
    ("extendRenewalDate", client.extend_subscription_renewal_date, "1", EXTENSION),
    ("massExtendRenewalDates", client.extend_renewal_date_for_all_active_subscribers, mass()),
    ("massExtendRenewalDates with storefronts", client.extend_renewal_date_for_all_active_subscribers,
     mass(storefrontCountryCodes=["USA", "MEX"])),
    ("massExtensionStatus", client.get_status_of_subscription_renewal_date_extensions, REQUEST, "com.example.a"),
    ("requestTestNotification", client.request_test_notification),
    ("testNotificationStatus", client.get_test_notification_status, f"{REQUEST}_1700000000000"),
    ("notificationHistory", client.get_notification_history, None, notifications()),
    ("notificationHistory with a type", client.get_notification_history, "a/b=",
     notifications(notificationType=NotificationTypeV2.SUBSCRIBED, notificationSubtype=Subtype.INITIAL_BUY, onlyFailures=True)),
    ("notificationHistory with a transaction", client.get_notification_history, None, notifications(transactionId="999", onlyFailures=False)),
]

for name, call, *arguments in CALLS:
    try:
        call(*arguments)
    except APIException as exception:
        assert exception.http_status_code == 418, exception
    print(name, flush=True)
