"""Checks that the store accepts offers with signatures of Apple's library."""

from client import *
from appstoreserverlibrary.jws_signature_creator import IntroductoryOfferEligibilitySignatureCreator, PromotionalOfferV2SignatureCreator
from appstoreserverlibrary.models.OfferDiscountType import OfferDiscountType
from appstoreserverlibrary.models.OfferType import OfferType
from appstoreserverlibrary.promotional_offer import PromotionalOfferSignatureCreator

KEY = STORE["apiKey"].encode()
promotional = PromotionalOfferSignatureCreator(KEY, STORE["keyID"], STORE["bundleID"])
promotional_v2 = PromotionalOfferV2SignatureCreator(KEY, STORE["keyID"], STORE["issuerID"], STORE["bundleID"])
introductory = IntroductoryOfferEligibilitySignatureCreator(KEY, STORE["keyID"], STORE["issuerID"], STORE["bundleID"])
INVALID_SIGNATURE, MISSING_PARAMETERS = 12, 13


def subscriber(name):
    """Returns a device with an expired subscription, and the transaction of the subscription."""
    phone = Phone(name)
    bought = phone.buy(MAGAZINE)
    assert bought.offerType == OfferType.INTRODUCTORY_OFFER and bought.offerDiscountType == OfferDiscountType.FREE_TRIAL
    control(f"subscriptions/{bought.originalTransactionId}", {"action": "expire"})
    return phone, bought


def refusal(phone, offer, **more):
    return phone.pay(MAGAZINE, offer=offer, **more)["refused"]["code"]


def signed(token=None, nonce=None, timestamp=None, offer="back", key_id=None):
    nonce, timestamp = nonce or str(uuid.uuid4()), timestamp or int(time.time() * 1000)
    signature = promotional.create_signature(MAGAZINE, offer, token or "", nonce, timestamp)
    return {"keyID": key_id or STORE["keyID"], "nonce": nonce, "timestamp": timestamp, "signature": signature}


def choice(signature, kind=2, offer="back"):
    return {"kind": kind, "id": offer, "signature": signature}


@check
def a_promotional_offer_of_version_1_is_accepted():
    phone, _ = subscriber("first")
    bought = phone.buy(MAGAZINE, offer=choice(signed()))
    assert bought.offerType == OfferType.PROMOTIONAL_OFFER and bought.offerIdentifier == "back" and bought.price == 990
    info = client.get_all_subscription_statuses(bought.transactionId).data[0].lastTransactions[0].signedRenewalInfo
    assert verifier.verify_and_decode_renewal_info(info).offerIdentifier == "back"


@check
def an_offer_with_an_app_account_token_is_valid_for_this_token_only():
    phone, _ = subscriber("token")
    customer = "3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84"
    offer = choice(signed(customer))
    assert refusal(phone, offer) == INVALID_SIGNATURE
    assert phone.buy(MAGAZINE, offer=offer, appAccountToken=customer).appAccountToken == customer


@check
def a_signature_is_valid_once_and_for_one_day():
    phone, bought = subscriber("once")
    now = int(time.time() * 1000)
    assert refusal(phone, choice(None)) == MISSING_PARAMETERS
    assert refusal(phone, choice(signed(timestamp=now - 25 * 3_600_000))) == INVALID_SIGNATURE
    assert refusal(phone, choice(signed(timestamp=now + 600_000))) == INVALID_SIGNATURE
    assert refusal(phone, choice(signed() | {"nonce": str(uuid.uuid4())})) == INVALID_SIGNATURE
    assert refusal(phone, choice(signed(key_id="OTHER12345"))) == INVALID_SIGNATURE
    offer = choice(signed())
    phone.buy(MAGAZINE, offer=offer)
    control(f"subscriptions/{bought.originalTransactionId}", {"action": "expire"})
    assert refusal(phone, offer) == INVALID_SIGNATURE


@check
def an_advanced_store_clock_does_not_expire_new_signatures():
    phone, _ = subscriber("moved")
    advance(40 * DAY)
    assert phone.buy(MAGAZINE, offer=choice(signed())).offerIdentifier == "back"


@check
def a_promotional_offer_of_version_2_is_accepted():
    for name, member in (("second", "transactionId"), ("third", "appTransactionId"), ("fourth", None)):
        phone, bought = subscriber(name)
        token = promotional_v2.create_signature(MAGAZINE, "back", member and getattr(bought, member))
        purchased = phone.buy(MAGAZINE, offer=choice({"compactJWS": token}))
        assert purchased.offerType == OfferType.PROMOTIONAL_OFFER and purchased.offerIdentifier == "back"


@check
def version_2_is_refused_for_another_product_offer_or_customer():
    phone, bought = subscriber("refused")
    other = buy("other", CREDITS)
    tokens = [
        promotional_v2.create_signature(WEEKLY, "back", None),
        promotional_v2.create_signature(MAGAZINE, "other", None),
        promotional_v2.create_signature(MAGAZINE, "back", other.transactionId),
        promotional_v2.create_signature(MAGAZINE, "back", "1"),
        introductory.create_signature(MAGAZINE, True, bought.transactionId),
        "a.b.c",
        "",
    ]
    for token in tokens:
        assert refusal(phone, choice({"compactJWS": token})) == INVALID_SIGNATURE, token


@check
def the_developers_server_decides_about_the_introductory_offer():
    phone, bought = subscriber("introductory")
    again = lambda allowed, identifier=bought.transactionId: choice(
        {"compactJWS": introductory.create_signature(MAGAZINE, allowed, identifier)}, kind=1, offer=None
    )
    other = buy("other", CREDITS)
    assert refusal(phone, again(True, other.transactionId)) == INVALID_SIGNATURE
    assert refusal(phone, choice({"compactJWS": "a.b.c"}, kind=1)) == INVALID_SIGNATURE
    second = phone.buy(MAGAZINE, offer=again(True, bought.appTransactionId))
    assert second.offerType == OfferType.INTRODUCTORY_OFFER and second.price == 0
    new = Phone("new")
    download = buy("new", CREDITS).appTransactionId
    first = new.buy(MAGAZINE, offer=again(False, download))
    assert first.offerType is None and first.price == 2990


run()
