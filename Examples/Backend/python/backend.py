"""A backend for an app with in-app purchases, with Apple's library for Python and without a web framework.

The backend verifies the transactions that the app sends, requests the customer's history from the App Store, and receives notifications.
A test passes the settings of a local store instead of Apple's; all other code is the code of production.
"""

import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from appstoreserverlibrary.api_client import AppStoreServerAPIClient, GetTransactionHistoryVersion
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.TransactionHistoryRequest import TransactionHistoryRequest
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException


@dataclass
class Settings:
    """The app, its key from App Store Connect, and the root certificates in DER to which signed data must chain."""

    bundle_id: str
    app_apple_id: int
    issuer_id: str
    key_id: str
    private_key: bytes
    root_certificates: list[bytes]
    environment: Environment = Environment.SANDBOX
    # The address of a local store; None for Apple's.
    base_url: str | None = None


class Backend:
    """The purchases that the backend knows, and the calls that change them."""

    def __init__(self, settings):
        app = settings.bundle_id
        self.verifier = SignedDataVerifier(
            settings.root_certificates, settings.base_url is None, settings.environment, app, settings.app_apple_id
        )
        self.client = AppStoreServerAPIClient(settings.private_key, settings.key_id, settings.issuer_id, app, settings.environment)
        if settings.base_url is not None:
            # The library derives the address from the environment, and has no parameter for another one.
            self.client._base_url = settings.base_url
        self.purchases = {}
        self.notifications = set()
        self.lock = threading.Lock()

    def record(self, signed_transaction):
        """Verifies a transaction and keeps its newest revision; raises VerificationException for data that is not genuine."""
        transaction = self.verifier.verify_and_decode_signed_transaction(signed_transaction)
        with self.lock:
            known = self.purchases.get(transaction.transactionId)
            if known is None or known.signedDate <= transaction.signedDate:
                self.purchases[transaction.transactionId] = transaction
        return transaction

    def record_history(self, transaction_id):
        """Records all transactions of the customer who made a purchase, page by page."""
        revision, count = None, 0
        while True:
            page = self.client.get_transaction_history(
                transaction_id, revision, TransactionHistoryRequest(), GetTransactionHistoryVersion.V2
            )
            for signed in page.signedTransactions:
                self.record(signed)
            count += len(page.signedTransactions)
            if not page.hasMore:
                return count
            revision = page.revision

    def receive(self, signed_payload):
        """Records the transaction of a notification; a repeated notification has no effect."""
        notification = self.verifier.verify_and_decode_notification(signed_payload)
        with self.lock:
            if notification.notificationUUID in self.notifications:
                return
        if notification.data is not None and notification.data.signedTransactionInfo is not None:
            self.record(notification.data.signedTransactionInfo)
        with self.lock:
            self.notifications.add(notification.notificationUUID)

    def is_entitled(self, original_transaction_id, product_id, date):
        """Whether a purchase is in effect at a date, in milliseconds since 1970."""
        with self.lock:
            return any(
                purchase.originalTransactionId == original_transaction_id
                and purchase.productId == product_id
                and purchase.revocationDate is None
                and (purchase.expiresDate is None or purchase.expiresDate > date)
                for purchase in self.purchases.values()
            )


def make_server(backend):
    """Returns an HTTP server on a free port: `POST /purchases` for the app, and `POST /notifications` for the App Store."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            try:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.path == "/purchases":
                    self.respond(200, {"productId": backend.record(body["signedTransaction"]).productId})
                elif self.path == "/notifications":
                    backend.receive(body["signedPayload"])
                    self.respond(200, {})
                else:
                    self.respond(404, {"error": "not found"})
            except VerificationException as exception:
                self.respond(403, {"error": exception.status.name})
            except (KeyError, TypeError, ValueError):
                self.respond(400, {"error": "malformed request"})

        def respond(self, status, answer):
            body = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    return ThreadingHTTPServer(("127.0.0.1", 0), Handler)
