"""Measures other libraries with the samples of Tillroll's benchmark.

    peers.py SAMPLES

Prints measurements in the format of `benchmark one-core`: verifications per second, by name, for each library. A library that is
not installed or refuses a sample is not measured, and has a note with the reason.
"""

import base64
import json
import statistics
import sys
import time
from importlib import metadata
from pathlib import Path

ROUNDS = 5
SLICE = 0.15  # seconds
PURCHASES = [1, 10, 100, 1000, 10_000]
BUNDLE = "com.example.monkeyshop"


def rate(call, elements):
    """Returns the calls per second of processor time, as the median of several rounds."""
    call(elements[0])  # Warms up, and raises if the library refuses the sample.
    rates = []
    for _ in range(ROUNDS):
        count, start = 0, time.process_time()
        while time.process_time() - start < SLICE:
            call(elements[count % len(elements)])
            count += 1
        rates.append(count / (time.process_time() - start))
    return statistics.median(rates)


class Samples:
    def __init__(self, folder):
        self.transactions = (folder / "transactions.jws").read_text().split()
        self.notifications = (folder / "notifications.jws").read_text().split()
        self.receipts = {
            count: base64.b64encode((folder / f"receipt-{count}.der").read_bytes()).decode()
            for count in PURCHASES
        }
        blocks = (folder / "roots.pem").read_text().split("-----END CERTIFICATE-----")
        self.roots = [base64.b64decode(block.split("-----")[-1]) for block in blocks if "BEGIN" in block]


def apple(samples):
    """Measures Apple's library, which offline verifies the chain of each JWS again, and does not verify receipts."""
    from appstoreserverlibrary.models.Environment import Environment
    from appstoreserverlibrary.receipt_utility import ReceiptUtility
    from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

    verifier = SignedDataVerifier(samples.roots, False, Environment.SANDBOX, BUNDLE)

    def notification(text):
        payload = verifier.verify_and_decode_notification(text)
        verifier.verify_and_decode_signed_transaction(payload.data.signedTransactionInfo)
        verifier.verify_and_decode_renewal_info(payload.data.signedRenewalInfo)

    transactions = rate(verifier.verify_and_decode_signed_transaction, samples.transactions)
    values = {
        "jws.cached": transactions,
        "jws.uncached": transactions,
        "notification.cached": rate(notification, samples.notifications),
    }
    extract = ReceiptUtility().extract_transaction_id_from_app_receipt
    for count in [100, 1000]:
        values[f"extract.{count}"] = rate(extract, [samples.receipts[count]])
    version = metadata.version("app-store-server-library")
    note = (
        f"app-store-server-library {version}, offline, with the samples' roots. It does not verify receipts. It finds one transaction id in "
        f"an unverified receipt of 100 purchases {values['extract.100']:,.0f} times a second, of 1,000 {values['extract.1000']:,.0f} times."
    )
    return values, note


def other(samples):
    """Measures a third-party verifier of JWS and receipts."""
    from apple_purchase_receipt_verifier import Config, Verifier

    verifier = Verifier(Config(roots=samples.roots))

    def proven(result):
        if not result.verified:
            raise ValueError(f"{result.failure.reason}: {result.failure.message}")
        return result.payload

    def notification(text):
        data = json.loads(proven(verifier.verify_signed_data(text)).json)["data"]
        proven(verifier.verify_signed_data(data["signedTransactionInfo"]))
        proven(verifier.verify_signed_data(data["signedRenewalInfo"]))

    def receipt(text):
        return proven(verifier.verify_receipt(text)).in_app

    transactions = rate(lambda text: proven(verifier.verify_signed_data(text)), samples.transactions)
    values = {
        "jws.cached": transactions,
        "jws.uncached": transactions,
        "notification.cached": rate(notification, samples.notifications),
    }
    refused = []
    for count in PURCHASES:
        try:
            values[f"receipt.{count}"] = rate(receipt, [samples.receipts[count]])
        except ValueError as error:
            refused.append(f"It refuses the receipt of {count:,} purchases: {error}.")
    version = metadata.version("apple-purchase-receipt-verifier")
    return values, " ".join([f"apple-purchase-receipt-verifier {version}, with the samples' roots."] + refused)


def main():
    samples = Samples(Path(sys.argv[1]))
    measurements = {"values": {}, "notes": {}}
    for name, measure in [("apple", apple), ("other", other)]:
        try:
            measurements["values"][name], measurements["notes"][name] = measure(samples)
        except Exception as error:  # A failure of a third-party library becomes a note.
            measurements["notes"][name] = f"not measured: {type(error).__name__}: {error}"
    json.dump(measurements, sys.stdout, indent=2)
    print()


main()
