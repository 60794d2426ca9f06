"""Checks of transactions, histories, orders and app transactions, with Apple's client."""

from client import *
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, ProductType
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest


@check
def a_transaction_is_signed_again_and_verifies():
    bought = buy("info", CREDITS, 2)
    again = verifier.verify_and_decode_signed_transaction(client.get_transaction_info(bought.transactionId).signedTransactionInfo)
    assert again.productId == CREDITS and again.quantity == 2 and again.price == 1980 and again.currency == "USD"
    assert again.transactionId == again.originalTransactionId == bought.transactionId
    assert again.signedDate >= bought.signedDate and again.appTransactionId


@check
def each_invalid_identifier_has_its_error():
    bought = buy("ids", CREDITS)
    refused(APIError.INVALID_TRANSACTION_ID, client.get_transaction_info, "x1")
    refused(APIError.INVALID_TRANSACTION_ID, client.get_transaction_info, "9" * 400)
    refused(APIError.TRANSACTION_ID_NOT_FOUND, client.get_transaction_info, "1234")
    refused(APIError.TRANSACTION_ID_NOT_FOUND, production.get_transaction_info, bought.transactionId)
    refused(APIError.APP_TRANSACTION_ID_NOT_SUPPORTED_ERROR, client.get_transaction_info, bought.appTransactionId)
    refused(APIError.APP_TRANSACTION_ID_NOT_SUPPORTED_ERROR, client.finish_transaction, bought.appTransactionId)


@check
def a_history_has_pages_of_twenty_and_lists_later_changes():
    ids = [buy("pages", CREDITS).transactionId for _ in range(45)]
    pages, revision = [], None
    for expected in (20, 20, 5):
        page = history(ids[0], revision)
        assert len(page.signedTransactions) == expected and page.hasMore == (expected == 20)
        assert page.bundleId == STORE["bundleID"] and page.environment == Environment.SANDBOX and page.appAppleId is None
        pages += [transaction.transactionId for transaction in decoded(page.signedTransactions)]
        revision = page.revision
    assert pages == ids
    assert history(ids[7], revision).signedTransactions == []
    control("refunds", {"transactionID": ids[3]})
    later = buy("pages", BOOK).transactionId
    found, _ = whole_history(ids[0], revision=revision)
    assert [element.transactionId for element in found] == [ids[3], later]
    assert found[0].revocationDate


@check
def changes_between_pages_are_listed():
    ids = [buy("between", CREDITS).transactionId for _ in range(25)]
    first = history(ids[0], None)
    control("refunds", {"transactionID": ids[1]})
    control("refunds", {"transactionID": ids[22]})
    found, _ = whole_history(ids[0], revision=first.revision)
    rest = [element.transactionId for element in found]
    assert rest == [ids[20], ids[21], ids[23], ids[24], ids[1], ids[22]], rest


@check
def a_revision_is_valid_for_its_query_only():
    bought = buy("revision", CREDITS)
    revision = history(bought.transactionId).revision
    refused(APIError.INVALID_REQUEST_REVISION, history, bought.transactionId, "x")
    refused(APIError.INVALID_REQUEST_REVISION, lambda: history(bought.transactionId, revision, sort=Order.DESCENDING))
    refused(APIError.INVALID_REQUEST_REVISION, history, buy("revision2", CREDITS).transactionId, revision)
    assert history(bought.appTransactionId, revision).hasMore is False


@check
def filters_limit_the_history():
    credits, book, magazine = buy("filters", CREDITS), buy("filters", BOOK), buy("filters", MAGAZINE)
    control("refunds", {"transactionID": book.transactionId})

    def products(**filters):
        return [element.productId for element in whole_history(credits.transactionId, **filters)[0]]

    assert products() == [CREDITS, MAGAZINE, BOOK]
    assert products(sort=Order.DESCENDING) == [BOOK, MAGAZINE, CREDITS]
    assert products(productTypes=[ProductType.CONSUMABLE, ProductType.AUTO_RENEWABLE]) == [CREDITS, MAGAZINE]
    assert products(productIds=[BOOK, CREDITS]) == [CREDITS, BOOK]
    assert products(subscriptionGroupIdentifiers=[magazine.subscriptionGroupIdentifier]) == [MAGAZINE]
    assert products(revoked=True) == [BOOK] and products(revoked=False) == [CREDITS, MAGAZINE]
    assert products(inAppOwnershipType=InAppOwnershipType.FAMILY_SHARED) == []
    assert products(endDate=credits.purchaseDate) == []
    assert products(startDate=credits.purchaseDate, endDate=credits.purchaseDate + DAY * 1000) == [CREDITS, MAGAZINE, BOOK]
    refused(APIError.INVALID_START_DATE, lambda: products(startDate=2, endDate=1))


@check
def version_1_hides_finished_consumables():
    bought = buy("v1", CREDITS)
    assert len(whole_history(bought.transactionId, V1)[0]) == 1
    client.finish_transaction(bought.transactionId)
    client.finish_transaction(bought.transactionId)
    assert len(whole_history(bought.transactionId, V1)[0]) == 0
    assert len(whole_history(bought.transactionId, V2)[0]) == 1
    control("refunds", {"transactionID": bought.transactionId})
    assert len(whole_history(bought.transactionId, V1)[0]) == 1


@check
def the_app_account_token_can_be_set():
    bought, customer = buy("token", BOOK), "3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84"
    client.set_app_account_token(bought.originalTransactionId, UpdateAppAccountTokenRequest(customer))
    now = verifier.verify_and_decode_signed_transaction(client.get_transaction_info(bought.transactionId).signedTransactionInfo)
    assert now.appAccountToken == customer
    set_token = client.set_app_account_token
    refused(APIError.INVALID_APP_ACCOUNT_TOKEN_UUID_ERROR, set_token, bought.transactionId, UpdateAppAccountTokenRequest("ada"))
    good = UpdateAppAccountTokenRequest(customer)
    refused(APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND, set_token, "1234", good)
    refused(APIError.INVALID_TRANSACTION_ID, set_token, "x", good)
    refused(APIError.APP_TRANSACTION_ID_NOT_SUPPORTED_ERROR, set_token, bought.appTransactionId, good)


@check
def an_app_transaction_verifies():
    bought = buy("app", CREDITS)
    for identifier in (bought.transactionId, bought.appTransactionId):
        signed = client.get_app_transaction_info(identifier).signedAppTransactionInfo
        app = verifier.verify_and_decode_app_transaction(signed)
        assert app.bundleId == STORE["bundleID"] and app.appTransactionId == bought.appTransactionId
        assert app.receiptType == Environment.SANDBOX and app.appAppleId is None
    refused(APIError.TRANSACTION_ID_NOT_FOUND, client.get_app_transaction_info, "1")


@check
def production_has_orders_and_the_app_apple_id():
    control("accounts", {"account": "real", "password": "secret", "askToBuyEnabled": False})
    control("accounts/real", {"environment": "Production"})
    bought = buy("real", CREDITS, verify=production_verifier)
    page = history(bought.transactionId, api=production)
    assert page.environment == Environment.PRODUCTION and page.appAppleId == STORE["appAppleID"]
    refused(APIError.TRANSACTION_ID_NOT_FOUND, client.get_transaction_info, bought.transactionId)
    order = control("accounts/real/transactions")["summaries"][0]["orderID"]
    found = production.look_up_order_id(order)
    assert found.status == OrderLookupStatus.VALID
    assert [element.transactionId for element in decoded(found.signedTransactions, production_verifier)] == [bought.transactionId]
    unknown = production.look_up_order_id("MNOTTHERE")
    assert unknown.status == OrderLookupStatus.INVALID and unknown.signedTransactions is None
    app = production_verifier.verify_and_decode_app_transaction(
        production.get_app_transaction_info(bought.transactionId).signedAppTransactionInfo
    )
    assert app.appAppleId == STORE["appAppleID"]
    try:
        client.look_up_order_id(order)
        raise AssertionError("the sandbox has no orders")
    except APIException as exception:
        assert exception.http_status_code == 404


run()
