"""A year of events in a store, created with the store's control API, for the checks of the console."""

import http.server
import json
import threading
import urllib.error
import urllib.request

DAY = 86_400
SHOP = "com.example.garden."


class Store:
    """The control API of one store."""

    def __init__(self, base):
        self.base = base.rstrip("/")

    def call(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.base}/{path}", data, {"content-type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: {error.code} {error.read().decode()}") from None

    def control(self, path, body=None):
        return self.call(f"control/v1/{path}", body)

    def open(self, account, **change):
        self.control("accounts", {"account": account, "password": "secret", "askToBuyEnabled": False})
        if change:
            self.control(f"accounts/{account}", change)

    def buy(self, account, product, **more):
        return self.control("purchases", {"account": account, "productID": SHOP + product, **more})

    def advance(self, days):
        return self.control("clock/advance", {"seconds": int(days * DAY)})

    def transactions(self, account):
        return [each["payload"] for each in self.control(f"accounts/{account}/transactions")["summaries"]]

    def last(self, account, product):
        return [each for each in self.transactions(account) if each["productId"] == SHOP + product][-1]

    def subscription(self, account, product, action, **more):
        original = self.last(account, product)["originalTransactionId"]
        return self.control(f"subscriptions/{original}", {"action": action, **more})


class Receiver:
    """A developer's server that accepts a notification unless `refuses` returns true for the notification's number."""

    def __init__(self, refuses=lambda number: False):
        self.received = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                outer.received.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                self.send_response(500 if refuses(len(outer.received)) else 200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/notifications"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def year(store):
    """Creates accounts and a year of events: a free trial, renewals, a billing issue with recovery, an upgrade and a refund."""
    store.open("ada@example.com")
    store.open("grace@example.com", storefront="GBR")
    store.open("linus@example.com")
    store.open("mira@example.com", family="moss")
    store.open("noa@example.com", family="moss")
    store.open("tove@example.com", askToBuyEnabled=True, family="moss")
    store.open("kurt@example.com", storefront="DEU")

    store.buy("ada@example.com", "almanac.monthly")
    store.buy("mira@example.com", "almanac.yearly")
    store.advance(9)
    store.buy("ada@example.com", "seeds5", quantity=3)
    store.buy("grace@example.com", "weather.weekly")
    store.advance(31)
    store.buy("linus@example.com", "almanac.plus")
    store.buy("ada@example.com", "shed")
    store.advance(25)
    store.buy("linus@example.com", "seeds50")
    # Ada's payment method declines a renewal: grace period, then billing retry, then recovery.
    store.control("accounts/ada@example.com", {"hasValidPaymentMethod": False})
    store.advance(43)
    store.control("accounts/ada@example.com", {"hasValidPaymentMethod": True})
    store.advance(20)
    store.buy("ada@example.com", "seeds50")
    store.control("refunds", {"transactionID": store.last("ada@example.com", "seeds50")["transactionId"], "reason": 1})
    store.advance(34)
    store.buy("ada@example.com", "almanac.plus")
    store.advance(12)
    store.subscription("linus@example.com", "almanac.plus", "disable-auto-renew")
    store.advance(30)
    store.buy("kurt@example.com", "season.summer")
    store.buy("ada@example.com", "weather.weekly")
    store.advance(25)
    store.subscription("ada@example.com", "weather.weekly", "disable-auto-renew")
    store.advance(40)
    refunded = store.last("ada@example.com", "almanac.plus")["transactionId"]
    store.control("refunds", {"transactionID": refunded})
    store.advance(6)
    store.buy("ada@example.com", "almanac.yearly")
    store.buy("kurt@example.com", "almanac.monthly")
    store.advance(20)
    store.control("accounts/kurt@example.com", {"hasValidPaymentMethod": False})
    store.advance(25)


def waiting(store):
    """Creates a pending Ask to Buy purchase, an interrupted purchase and a refund request."""
    store.buy("tove@example.com", "greenhouse")
    store.open("ines@example.com", interruptedPurchasesEnabled=True)
    try:
        store.buy("ines@example.com", "seeds50")
    except RuntimeError:
        pass
    store.control("refund-requests", {"transactionID": store.last("linus@example.com", "seeds50")["transactionId"], "reason": "UNSATISFIED_WITH_PURCHASE"})
