"""Checks of the authorization, with Apple's client and with tokens of another library."""

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import NoEncryption, PrivateFormat

from client import *

KEY = STORE["apiKey"].encode()


def other_key():
    pem = ec.generate_private_key(ec.SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return pem.decode()


def answer(token=None, path="/inApps/v1/transactions/1", **options):
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return requests.request(options.pop("method", "GET"), STORE["url"] + path, headers=headers, timeout=30, **options)


def token(key=KEY, algorithm="ES256", kid=None, **changes):
    now = int(time.time())
    claims = dict(iss=STORE["issuerID"], iat=now, exp=now + 3600, aud="appstoreconnect-v1", bid=STORE["bundleID"]) | changes
    claims = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode(claims, key, algorithm=algorithm, headers={"kid": kid or STORE["keyID"]})


@check
def apples_client_is_authorized_with_the_right_key_only():
    refused(APIError.TRANSACTION_ID_NOT_FOUND, client.get_transaction_info, "1")
    for other in (Client(key=other_key()), Client(key_id="OTHER12345"), Client(issuer_id="x"), Client(bundle_id="com.example.other")):
        unauthorized(other.get_transaction_info, "1")


@check
def a_token_of_one_hour_is_valid():
    assert answer(token()).json()["errorCode"] == 4040010
    assert answer(token(nonce="1")).status_code == 404
    assert answer(token(iat=None)).status_code == 404


@check
def fractions_of_a_second_are_valid_dates():
    now = time.time()
    assert answer(token(iat=now, exp=now + 3600)).json()["errorCode"] == 4040010
    assert answer(token(iat=now - 0.5, exp=now + 0.5 + 3600)).status_code == 401

    class Fractional(Client):
        """Apple's client with tokens in the format of Apple's Swift client."""

        def _generate_token(self):
            return token(iat=time.time(), exp=time.time() + 300)

    refused(APIError.TRANSACTION_ID_NOT_FOUND, Fractional().get_transaction_info, "1")


@check
def an_invalid_token_is_refused_with_a_reason_in_plain_text():
    now = int(time.time())
    bad = {
        "3600 seconds": token(exp=now + 3700),
        "expired": token(iat=now - 600, exp=now - 1),
        "future": token(iat=now + 600, exp=now + 700),
        "aud": token(aud="appstoreconnect-v2"),
        "iss": token(iss="x"),
        "bid": token(bid="com.example.other"),
        "OTHER12345": token(kid="OTHER12345"),
        "ES256": token(key="secret" * 10, algorithm="HS256"),
        "Another key": token(key=other_key()),
        "malformed": "hello",
        "exp": token(exp=None),
    }
    for word, text in bad.items():
        response = answer(text)
        assert response.status_code == 401, word
        assert word in response.text, response.text
        assert response.headers["content-type"].startswith("text/plain") and "errorCode" not in response.text
    assert answer().status_code == 401
    assert answer("").status_code == 401


@check
def an_unknown_endpoint_has_an_error_in_the_same_format():
    for response in (answer(token(), "/inApps/v3/history/1"), answer(token(), method="DELETE"), answer(None, "/inApps/v1/x")):
        assert response.status_code in (404, 405) and response.json()["errorCode"] // 10_000 == response.status_code
        assert response.headers["content-type"] == "application/json"


@check
def hostile_bodies_are_refused():
    path = "/inApps/v1/subscriptions/extend/mass"
    large = answer(token(), path, method="POST", data=b" " * (5 << 20))
    assert large.status_code == 413 and large.json()["errorCode"] == 4130000
    for body in (b"", b"\xff\xfe", b"[" * 100_000, b"null", b"<x/>"):
        response = answer(token(), path, method="POST", data=body)
        assert response.status_code == 400 and response.json()["errorCode"] == 4000000, response.text


run()
