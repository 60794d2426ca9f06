import Crypto
import Foundation
import FoundationExtras
import PurchaseModel

/// Signs requests with AWS Signature Version 4.
///
/// Source: [Authenticating requests](https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html).
struct SignatureV4: Sendable {
    /// The value in the place of a digest for bytes that the signature does not cover.
    static let unsignedPayload = "UNSIGNED-PAYLOAD"
    /// The maximum time for which a presigned URL is valid, in seconds: seven days.
    static let maximumExpiry: Int64 = 604_800

    private static let algorithm = "AWS4-HMAC-SHA256"

    let credentials: S3Credentials
    let region: String
    var service = "s3"

    /// The parts of a request that a signature covers.
    struct Subject: Sendable {
        var method: String
        /// The percent-encoded path.
        var path: String
        var query = S3Query()
        /// The headers by their names in lower case, with `host`.
        var headers: [String: String]
    }

    /// Returns the headers of a signed request: those of the subject, and the date, the payload's digest, the token and the signature.
    ///
    /// - Parameters:
    ///   - payload: The SHA-256 of the body in lower-case hexadecimal, or ``unsignedPayload``.
    ///   - now: The time of the request.
    func headers(of subject: Subject, payload: String, at now: Timestamp) -> [String: String] {
        let date = Self.date(now)
        var subject = subject
        subject.headers["x-amz-date"] = date
        subject.headers["x-amz-content-sha256"] = payload
        subject.headers["x-amz-security-token"] = credentials.sessionToken
        let signature = signature(of: subject, payload: payload, date: date)
        var headers = subject.headers
        headers["authorization"] =
            "\(Self.algorithm) Credential=\(credentials.accessKeyID)/\(scope(date)),SignedHeaders=\(Self.names(subject)),"
            + "Signature=\(signature)"
        return headers
    }

    /// Returns the query of a presigned URL, which authorizes its bearer until it expires.
    ///
    /// - Parameter seconds: The time for which the URL is valid, limited to the range from 1 to ``maximumExpiry``.
    func presignedQuery(of subject: Subject, expiresIn seconds: Int64, at now: Timestamp) -> String {
        let date = Self.date(now)
        var subject = subject
        subject.query.add("X-Amz-Algorithm", Self.algorithm)
        subject.query.add("X-Amz-Credential", "\(credentials.accessKeyID)/\(scope(date))")
        subject.query.add("X-Amz-Date", date)
        subject.query.add("X-Amz-Expires", "\(min(max(seconds, 1), Self.maximumExpiry))")
        subject.query.add("X-Amz-Security-Token", credentials.sessionToken)
        subject.query.add("X-Amz-SignedHeaders", Self.names(subject))
        return "\(subject.query.text)&X-Amz-Signature=\(signature(of: subject, payload: Self.unsignedPayload, date: date))"
    }

    /// Returns the SHA-256 of a body in memory.
    static func digest(of bytes: some DataProtocol) -> String {
        Hexadecimal.encode(SHA256.hash(data: bytes))
    }

    private func signature(of subject: Subject, payload: String, date: String) -> String {
        // Task 1: the canonical request.
        let headers = subject.headers.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)\n" }.joined()
        let request = [subject.method, subject.path, subject.query.text, headers, Self.names(subject), payload].joined(separator: "\n")
        // Task 2: the string to sign.
        let text = [Self.algorithm, date, scope(date), Self.digest(of: Data(request.utf8))].joined(separator: "\n")
        // Task 3: the signature, with a key for the day, the region and the service.
        var key = SymmetricKey(data: Data("AWS4\(credentials.secretAccessKey)".utf8))
        for part in [String(date.prefix(8)), region, service, "aws4_request"] {
            key = SymmetricKey(data: Data(HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: key)))
        }
        return Hexadecimal.encode(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }

    private func scope(_ date: String) -> String { "\(date.prefix(8))/\(region)/\(service)/aws4_request" }

    private static func names(_ subject: Subject) -> String { subject.headers.keys.sorted().joined(separator: ";") }

    /// Returns a time as `20130524T000000Z`.
    private static func date(_ time: Timestamp) -> String {
        time.description.filter { $0 != "-" && $0 != ":" }
    }
}
