"""Checks of notifications and their history, with Apple's client and a Python server."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from client import *
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.Subtype import Subtype

received = []
answers = {"status": 200}


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        received.append(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["signedPayload"])
        self.send_response(answers["status"])
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()


def request(**changes):
    now = store_time()
    return NotificationHistoryRequest(**(dict(startDate=now - DAY * 1000, endDate=now + 60_000) | changes))


def whole(**changes):
    filters, token, found = request(**changes), None, []
    while True:
        page = client.get_notification_history(token, filters)
        assert len(page.notificationHistory) <= 20
        found += page.notificationHistory
        token = page.paginationToken
        if not page.hasMore:
            return found


@check
def a_test_notification_needs_a_url():
    refused(APIError.SERVER_NOTIFICATION_URL_NOT_FOUND, client.request_test_notification)


@check
def a_test_notification_is_sent_and_has_a_status():
    control(f"apps/{STORE['bundleID']}", {"sandboxURL": f"http://127.0.0.1:{server.server_port}/notifications"})
    refused(APIError.SERVER_NOTIFICATION_URL_NOT_FOUND, production.request_test_notification)
    token = client.request_test_notification().testNotificationToken

    def status():
        try:
            return client.get_test_notification_status(token)
        except APIException as exception:
            assert exception.api_error == APIError.TEST_NOTIFICATION_NOT_FOUND
            return None

    answer = wait_for(status)
    assert [attempt.sendAttemptResult for attempt in answer.sendAttempts] == [SendAttemptResult.SUCCESS]
    assert received == [answer.signedPayload]
    payload = verifier.verify_and_decode_notification(answer.signedPayload)
    assert payload.notificationType == NotificationTypeV2.TEST and payload.data.bundleId == STORE["bundleID"]
    assert payload.data.signedTransactionInfo is None and payload.version == "2.0"
    refused(APIError.INVALID_TEST_NOTIFICATION_TOKEN, client.get_test_notification_status, "x")
    refused(APIError.TEST_NOTIFICATION_NOT_FOUND, client.get_test_notification_status, f"{uuid.uuid4()}_1")


@check
def the_notification_of_a_purchase_has_the_transaction_and_renewal_info():
    received.clear()
    bought = buy("told", MAGAZINE)
    (signed,) = wait_for(lambda: list(received))
    payload = verifier.verify_and_decode_notification(signed)
    assert payload.notificationType == NotificationTypeV2.SUBSCRIBED and payload.subtype == Subtype.INITIAL_BUY
    assert verifier.verify_and_decode_signed_transaction(payload.data.signedTransactionInfo).transactionId == bought.transactionId
    assert verifier.verify_and_decode_renewal_info(payload.data.signedRenewalInfo).productId == MAGAZINE


@check
def a_history_has_pages_and_filters():
    for _ in range(42):
        bought = buy("history", CREDITS)
    charges = whole(notificationType=NotificationTypeV2.ONE_TIME_CHARGE)
    payloads = [verifier.verify_and_decode_notification(element.signedPayload) for element in charges]
    assert len({element.notificationUUID for element in payloads}) == 42
    newest = verifier.verify_and_decode_signed_transaction(payloads[0].data.signedTransactionInfo)
    assert newest.transactionId == bought.transactionId
    assert len(whole(transactionId=bought.appTransactionId)) == 42
    assert len(whole(notificationType=NotificationTypeV2.SUBSCRIBED, notificationSubtype=Subtype.INITIAL_BUY)) == 1
    assert len(whole(notificationType=NotificationTypeV2.SUBSCRIBED, notificationSubtype=Subtype.RESUBSCRIBE)) == 0
    assert len(whole()) == 44
    assert whole(endDate=store_time() - 3600 * 1000) == []


@check
def the_history_can_be_limited_to_failures():
    answers["status"] = 503
    bought = buy("failing", CREDITS)
    (failed,) = wait_for(lambda: whole(onlyFailures=True))
    answers["status"] = 200
    assert [attempt.sendAttemptResult for attempt in failed.sendAttempts] == [SendAttemptResult.UNSUCCESSFUL_HTTP_RESPONSE_CODE]
    payload = verifier.verify_and_decode_notification(failed.signedPayload)
    assert verifier.verify_and_decode_signed_transaction(payload.data.signedTransactionInfo).transactionId == bought.transactionId


@check
def each_invalid_history_request_has_its_error():
    ask = lambda token=None, **changes: client.get_notification_history(token, request(**changes))
    now = store_time()
    refused(APIError.START_DATE_TOO_FAR_IN_PAST, lambda: ask(startDate=now - 181 * DAY * 1000))
    refused(APIError.START_DATE_AFTER_END_DATE, lambda: ask(startDate=now, endDate=now))
    refused(APIError.MULTIPLE_FILTERS_SUPPLIED, lambda: ask(transactionId="1", notificationType=NotificationTypeV2.TEST))
    refused(
        APIError.INVALID_NOTIFICATION_TYPE, lambda: ask(notificationType=NotificationTypeV2.TEST, notificationSubtype=Subtype.UPGRADE)
    )
    refused(APIError.TRANSACTION_ID_NOT_FOUND, lambda: ask(transactionId="1"))
    refused(APIError.INVALID_TRANSACTION_ID, lambda: ask(transactionId="x"))
    refused(APIError.INVALID_PAGINATION_TOKEN, lambda: ask("x"))
    refused(APIError.INVALID_START_DATE, lambda: ask(startDate=None))
    refused(APIError.INVALID_END_DATE, lambda: ask(endDate=-1))


run()
