"""A server with the protocol of Amazon S3 on a free port of 127.0.0.1: moto, with the checks of a request that moto omits.

Prints one line of JSON with the port and the credentials of two users, and ends when standard input ends.
moto verifies signatures in headers with botocore. The functions below verify presigned URLs with botocore, and check the time of requests
and the digests of bodies.
"""

import hashlib
import io
import json
import sys
import threading
import traceback
from datetime import datetime, timedelta, timezone
from urllib.parse import parse_qsl, urlencode

from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from moto import settings
from moto.iam.models import iam_backends
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from moto.sts.models import sts_backends
from werkzeug.serving import WSGIRequestHandler, make_server

ACCOUNT = "123456789012"
POLICY = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]})


def permanent_credentials():
    """Creates a user who may do everything in S3."""
    iam = iam_backends[ACCOUNT]["aws"]
    iam.create_user(region_name="us-east-1", user_name="uploader")
    iam.put_user_policy("uploader", "everything", POLICY)
    key = iam.create_access_key("uploader")
    return {"accessKeyID": key.access_key_id, "secretAccessKey": key.secret_access_key}


def temporary_credentials():
    """Creates a session of a role that may do everything in S3."""
    iam = iam_backends[ACCOUNT]["aws"]
    trust = json.dumps({"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}})
    role = iam.create_role("uploading", trust, "/", None, "", [], 3600)
    iam.put_role_policy("uploading", "everything", POLICY)
    session = sts_backends[ACCOUNT]["aws"].assume_role(
        region_name="us-east-1", role_session_name="test", role_arn=role.arn, policy=None, duration=3600, external_id=None
    )
    return {
        "accessKeyID": session.access_key_id,
        "secretAccessKey": session.secret_access_key,
        "sessionToken": session.session_token,
    }


class Refused(Exception):
    """An error response."""

    def __init__(self, status, code, message):
        self.status, self.code, self.message = status, code, message


def parse_date(text):
    return datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc)


def check_headers(environ):
    """Checks the time and the digest of a request that is authorized by headers."""
    if abs(datetime.now(timezone.utc) - parse_date(environ["HTTP_X_AMZ_DATE"])) > timedelta(minutes=15):
        raise Refused("403 Forbidden", "RequestTimeTooSkewed", "The difference between the request time and the current time is too large.")
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    environ["wsgi.input"] = io.BytesIO(body)
    digest = environ["HTTP_X_AMZ_CONTENT_SHA256"]
    if digest not in ("UNSIGNED-PAYLOAD", hashlib.sha256(body).hexdigest()):
        raise Refused("400 Bad Request", "XAmzContentSHA256Mismatch", "The provided header does not match what was computed.")


def check_presigned(environ, credentials):
    """Checks a presigned URL, and replaces its signature by headers, because moto checks headers only."""
    path, _, query = environ["RAW_URI"].partition("?")
    host, method = environ["HTTP_HOST"], environ["REQUEST_METHOD"]
    parameters = dict(parse_qsl(query, keep_blank_values=True))
    signature = parameters.pop("X-Amz-Signature")
    scope = parameters["X-Amz-Credential"].split("/")
    if datetime.now(timezone.utc) > parse_date(parameters["X-Amz-Date"]) + timedelta(seconds=int(parameters["X-Amz-Expires"])):
        raise Refused("403 Forbidden", "AccessDenied", "Request has expired")
    known = next((known for known in credentials if known["accessKeyID"] == scope[0]), None)
    if known is None:
        raise Refused("403 Forbidden", "InvalidAccessKeyId", "The access key is unknown.")
    user = Credentials(known["accessKeyID"], known["secretAccessKey"], known.get("sessionToken"))
    request = AWSRequest(method, f"http://{host}{path}?{urlencode(parameters)}", headers={"host": host})
    request.context["timestamp"] = parameters["X-Amz-Date"]
    signer = S3SigV4QueryAuth(user, "s3", scope[2])
    if signer.signature(signer.string_to_sign(request, signer.canonical_request(request)), request) != signature:
        raise Refused("403 Forbidden", "SignatureDoesNotMatch", "The signature does not match.")
    replaced = AWSRequest(method, f"http://{host}{path}", headers={"host": host})
    S3SigV4Auth(user, "s3", scope[2]).add_auth(replaced)
    for name, value in replaced.headers.items():
        environ["HTTP_" + name.upper().replace("-", "_")] = value
    environ["QUERY_STRING"] = ""
    environ["RAW_URI"] = environ["REQUEST_URI"] = path


def checked(application, credentials):
    """Returns a WSGI application that checks each request before `application`."""

    def run(environ, start_response):
        try:
            if "X-Amz-Signature=" in environ["QUERY_STRING"]:
                check_presigned(environ, credentials)
            else:
                check_headers(environ)
        except Refused as refused:
            start_response(refused.status, [("Content-Type", "application/xml")])
            return [f"<Error><Code>{refused.code}</Code><Message>{refused.message}</Message></Error>".encode()]
        return application(environ, start_response)

    return run


class QuietHandler(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, *arguments):
        pass


def main():
    credentials = [permanent_credentials(), temporary_credentials()]
    settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
    application = checked(DomainDispatcherApplication(create_backend_app), credentials)
    server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=QuietHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"port": server.port, "permanent": credentials[0], "temporary": credentials[1]}), flush=True)
    sys.stdin.read()


try:
    main()
except Exception:
    print(json.dumps({"error": traceback.format_exc()}), flush=True)
    sys.exit(1)
