"""Runs verifiers of other projects on the corpus of forgeries; scripts/compare-verifiers starts this program."""

import base64
import json
import re
import subprocess
import sys
import tempfile
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from apple_purchase_receipt_verifier import Config, Verifier
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "Tests/Forgeries"
DOCUMENT = ROOT / "docs/verification.md"
EXPLANATIONS = ROOT / "scripts/compare-verifiers.json"
BEGIN, END = "<!-- comparison: begin -->", "<!-- comparison: end -->"
# The verifiers, with their column titles in the document.
PEERS = {"apple": "Apple's library", "other": "other verifier", "openssl": "OpenSSL"}


def milliseconds(text):
    return int(datetime.fromisoformat(text).timestamp() * 1000)


class Peers:
    """Runs the other verifiers. Each returns `verified`, `refused`, or None for unsupported data, and the verifier's reason."""

    def __init__(self, manifest):
        self.made = manifest["made"]
        self.roots = {name: (CORPUS / root["file"]) for name, root in manifest["roots"].items()}

    def ders(self, case):
        return [x509.load_pem_x509_certificate(self.roots[name].read_bytes()).public_bytes(Encoding.DER) for name in case["verify"]["roots"]]

    def apple(self, case):
        if case["kind"] != "jws":
            return None, ""
        text = (CORPUS / case["file"]).read_bytes().decode("utf-8", "replace")
        found = []
        # An object of Apple's library accepts one environment, so there is one object for each accepted environment.
        for environment in case["verify"]["environments"]:
            verifier = SignedDataVerifier(
                self.ders(case), False, Environment(environment), case["verify"]["bundle_id"], case["verify"].get("app_apple_id")
            )
            try:
                self.decode(verifier, case["payload"], text)
                return "verified", ""
            except VerificationException as error:
                found.append(error.status.name)
            except Exception as error:
                found.append(type(error).__name__)
        return "refused", found[0]

    @staticmethod
    def decode(verifier, payload, text):
        if payload == "transaction":
            verifier.verify_and_decode_signed_transaction(text)
        elif payload == "renewal_info":
            verifier.verify_and_decode_renewal_info(text)
        elif payload == "app_transaction":
            verifier.verify_and_decode_app_transaction(text)
        else:
            decoded = verifier.verify_and_decode_notification(text)
            # The library's documentation requires separate calls for nested JWS.
            if decoded.data and decoded.data.signedTransactionInfo:
                verifier.verify_and_decode_signed_transaction(decoded.data.signedTransactionInfo)
            if decoded.data and decoded.data.signedRenewalInfo:
                verifier.verify_and_decode_renewal_info(decoded.data.signedRenewalInfo)

    def other(self, case):
        if case["kind"] == "transaction-receipt":
            return None, ""
        verifier = Verifier(Config(roots=self.ders(case), clock=lambda: milliseconds(case["verify"].get("time", self.made))))
        content = (CORPUS / case["file"]).read_bytes()
        if case["kind"] == "receipt":
            result = verifier.verify_receipt(base64.b64encode(content).decode())
        else:
            result = verifier.verify_signed_data(content.decode("utf-8", "replace"))
            if result.verified and case["payload"] == "notification":
                data = json.loads(result.payload.json).get("data") or {}
                for name in ("signedTransactionInfo", "signedRenewalInfo"):
                    if result.verified and name in data:
                        result = verifier.verify_signed_data(data[name])
        return ("verified", "") if result.verified else ("refused", result.failure.reason.name)

    def openssl(self, case):
        if case["kind"] != "receipt":
            return None, ""
        file = CORPUS / case["file"]
        # OpenSSL does not parse the receipt's creation date, so the date is passed as the time of verification.
        date = re.search(rb"\x02\x01\x0c\x02\x01\x01\x04.\x16.(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)", file.read_bytes(), re.DOTALL)
        try:
            time = milliseconds(date.group(1).decode() + "Z") // 1000
        except (AttributeError, ValueError, OverflowError):
            time = milliseconds(self.made) // 1000
        with tempfile.NamedTemporaryFile(suffix=".pem") as roots:
            roots.write(b"".join(self.roots[name].read_bytes() for name in case["verify"]["roots"]))
            roots.flush()
            command = [
                "openssl", "cms", "-verify", "-binary", "-inform", "DER", "-in", str(file), "-CAfile", roots.name,
                "-attime", str(time), "-out", "/dev/null",
            ]
            result = subprocess.run(command, capture_output=True, timeout=60)
        return ("verified", "") if result.returncode == 0 else ("refused", "")


def explained(manifest, answers):
    """Returns the groups of explanations, the group's number for each verifier and case, and the errors of the explanations."""
    groups = json.loads(EXPLANATIONS.read_text())
    wrong = []
    marks = {}
    for number, group in enumerate(groups, 1):
        for peer, identifiers in group["cases"].items():
            for identifier in identifiers:
                if (peer, identifier) in marks:
                    wrong.append(f"{identifier}: compare-verifiers.json has two explanations for {peer}. Remove one")
                marks[peer, identifier] = number
    results = {case["id"]: case["result"] for case in manifest["cases"]}
    for (peer, identifier), (result, detail) in answers.items():
        differs = result is not None and result != results[identifier]
        if differs and (peer, identifier) not in marks:
            wrong.append(f"{identifier}: {results[identifier]} expected, {peer} returns {result} {detail}. Explain it in compare-verifiers.json")
        if not differs and (peer, identifier) in marks:
            wrong.append(f"{identifier}: {peer} returns Tillroll's result. Remove the explanation from compare-verifiers.json")
    for peer, identifier in marks:
        if (peer, identifier) not in answers:
            wrong.append(f"{identifier}: no such case for {peer}. Remove the explanation from compare-verifiers.json")
    return groups, marks, wrong


def table(manifest, answers, groups, marks):
    lines = []
    cases = manifest["cases"]

    lines += ["### In numbers", "", "| verifier | cases | same result | accepted, not by ours | refused, not by ours |", "|---|--:|--:|--:|--:|"]
    names = {
        "apple": f"app-store-server-library {version('app-store-server-library')} (Apple's, Python), without online checks",
        "other": f"apple-purchase-receipt-verifier {version('apple-purchase-receipt-verifier')} (PyPI)",
        "openssl": "`openssl cms -verify` of OpenSSL 3, with the creation date as `-attime`",
    }
    for peer, name in names.items():
        asked = [(case, answers[peer, case["id"]][0]) for case in cases if answers[peer, case["id"]][0] is not None]
        same = sum(case["result"] == result for case, result in asked)
        more = sum(case["result"] != "verified" and result == "verified" for case, result in asked)
        less = sum(case["result"] == "verified" and result == "refused" for case, result in asked)
        none = len(asked) - same - more - less
        assert none == sum(case["result"] == "indeterminate" and result == "refused" for case, result in asked)
        lines.append(f"| {name} | {len(asked)} | {same} | {more} | {less} |")

    lines += ["", "### The differences, explained", ""]
    for number, group in enumerate(groups, 1):
        who = ", ".join(PEERS[peer] for peer in group["cases"])
        lines.append(f"{number}. **{group['title']}** ({who}) {group['text']}")

    titles = {"receipt": "App receipts", "jws": "JWS"}
    for kind, title in titles.items():
        peers = [peer for peer in PEERS if any(answers[peer, case["id"]][0] for case in cases if case["kind"] == kind)]
        lines += ["", f"### {title} with different results", ""]
        lines.append("| cases | " + " | ".join(["ours"] + [PEERS[peer] for peer in peers]) + " |")
        lines.append("|---" * (2 + len(peers)) + "|")
        # The cases with equal results share a row.
        rows = {}
        for case in cases:
            # The manifest states our result for every case, so a case without a difference tells nothing new.
            if case["kind"] != kind or not any((peer, case["id"]) in marks for peer in peers):
                continue
            ours = case["result"] if case["result"] == "verified" else f"{case['result']}: `{case['reason']}`"
            cells = [ours]
            for peer in peers:
                result, detail = answers[peer, case["id"]]
                mark = marks.get((peer, case["id"]))
                same = f"{result}{f': {detail}' if detail else ''}"
                cells.append(f"**{same}** ({mark})" if mark else same)
            rows.setdefault(" | ".join(cells), []).append(case["id"].removeprefix(kind + "-"))
        lines += [f"| {', '.join(identifiers)} | {cells} |" for cells, identifiers in rows.items()]
    return "\n".join(lines)


def main():
    manifest = json.loads((CORPUS / "manifest.json").read_text())
    peers = Peers(manifest)
    answers = {(peer, case["id"]): getattr(peers, peer)(case) for case in manifest["cases"] for peer in PEERS}
    groups, marks, wrong = explained(manifest, answers)
    for line in wrong:
        print(line, file=sys.stderr)
    if wrong:
        sys.exit(1)
    document = DOCUMENT.read_text()
    before, rest = document.split(BEGIN)
    after = rest.split(END)[1]
    new = f"{before}{BEGIN}\n\n{table(manifest, answers, groups, marks)}\n\n{END}{after}"
    if "--check" in sys.argv[1:]:
        if new != document:
            print("docs/verification.md is out of date. Run scripts/compare-verifiers", file=sys.stderr)
            sys.exit(1)
    else:
        DOCUMENT.write_text(new)


main()
