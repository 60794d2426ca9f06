"""Checks of the purchase server's webhooks with the verifier of Standard Webhooks."""

import json
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import requests
from standardwebhooks import Webhook, WebhookVerificationError

from checks import STORE, check, run

messages = queue.Queue()
statuses = queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = 200 if statuses.empty() else statuses.get()
        if status == 200:
            messages.put((body.decode(), dict(self.headers)))
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


receiver = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()


def call(method, path, body=None, key="adminKey"):
    headers = {"Authorization": f"Bearer {STORE[key]}"}
    answer = requests.request(method, STORE["server"] + path, json=body, headers=headers, timeout=30)
    assert answer.status_code == 200, answer.text
    return answer.json()


def submit(number):
    answer = call("POST", "/v1/purchases", {"proofs": [{"signedTransaction": STORE[f"transaction{number}"]}]}, "secretKey")
    assert answer["results"][0]["status"] == "verified", answer


def message():
    return messages.get(timeout=60)


created = call("POST", "/v1/webhooks", {"url": f"http://127.0.0.1:{receiver.server_port}/hook", "types": ["purchase.recorded"]})
webhook = "/v1/webhooks/" + created["webhook"]["id"]


@check
def the_verifier_accepts_a_message_and_refuses_a_changed_one():
    submit(1)
    body, headers = message()
    event = Webhook(created["secret"]).verify(body, headers)
    assert event["type"] == "purchase.recorded" and event["id"] == headers["webhook-id"], event
    for changed in (body.replace("purchase", "Purchase"), body + " "):
        try:
            Webhook(created["secret"]).verify(changed, headers)
        except WebhookVerificationError:
            continue
        raise AssertionError("a changed body was accepted")


@check
def both_secrets_verify_after_a_rotation():
    rotated = call("POST", webhook + "/rotate", {"overlapSeconds": 3600})
    assert rotated["secret"] != created["secret"]
    submit(2)
    body, headers = message()
    for secret in (created["secret"], rotated["secret"]):
        Webhook(secret).verify(body, headers)


@check
def a_message_that_the_receiver_misses_arrives_later():
    statuses.put(503)
    submit(3)
    body, headers = message()
    assert json.loads(body)["originals"]["transactions"], body
    assert call("GET", "/v1/webhooks")["webhooks"][0]["deadLetters"] == 0


run()
