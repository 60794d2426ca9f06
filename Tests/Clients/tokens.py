"""Who is let in, by Apple's client and by tokens of another library."""

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import NoEncryption, PrivateFormat

from client import *

KEY = STORE["api_key"].encode()


def other_key():
    pem = ec.generate_private_key(ec.SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return pem.decode()


def answer(token=None, path="/inApps/v1/transactions/1", **options):
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return requests.request(options.pop("method", "GET"), STORE["url"] + path, headers=headers, timeout=30, **options)


def token(key=KEY, algorithm="ES256", kid=None, **changes):
    now = int(time.time())
    claims = dict(iss=STORE["issuer_id"], iat=now, exp=now + 3600, aud="appstoreconnect-v1", bid=STORE["bundle_id"]) | changes
    claims = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode(claims, key, algorithm=algorithm, headers={"kid": kid or STORE["key_id"]})


@check
def apples_client_is_let_in_with_the_right_key_only():
    refused(APIError.TRANSACTION_ID_NOT_FOUND, client.get_transaction_info, "1")
    for stranger in (Client(key=other_key()), Client(key_id="OTHER12345"), Client(issuer_id="x"), Client(bundle_id="com.example.other")):
        unauthorized(stranger.get_transaction_info, "1")


@check
def a_token_of_an_hour_is_good():
    assert answer(token()).json()["errorCode"] == 4040010
    assert answer(token(nonce="1")).status_code == 404
    assert answer(token(iat=None)).status_code == 404


@check
def fractions_of_a_second_are_dates_too():
    now = time.time()
    assert answer(token(iat=now, exp=now + 3600)).json()["errorCode"] == 4040010
    assert answer(token(iat=now - 0.5, exp=now + 0.5 + 3600)).status_code == 401

    class Fractional(Client):
        """Apple's client with the token that Apple's client in Swift makes."""

        def _generate_token(self):
            return token(iat=time.time(), exp=time.time() + 300)

    refused(APIError.TRANSACTION_ID_NOT_FOUND, Fractional().get_transaction_info, "1")


@check
def a_bad_token_is_told_why_in_plain_text():
    now = int(time.time())
    bad = {
        "an hour": token(exp=now + 3700),
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
def what_is_no_endpoint_has_the_form_of_an_error():
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
