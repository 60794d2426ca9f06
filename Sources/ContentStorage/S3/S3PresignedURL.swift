import Foundation
public import PurchaseModel

/// A URL that authorizes its bearer to read one object until it expires.
///
/// The description omits the query, because the query is a credential.
public struct S3PresignedURL: Hashable, Sendable {
    /// The complete URL.
    public let text: String
    /// The time after which the bucket refuses the URL.
    public let expires: Timestamp
}

extension S3PresignedURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL without its query.
    public var description: String { "\(text.prefix { $0 != "?" })?…" }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// The URL without its query, and the expiration date.
    public var customMirror: Mirror { Mirror(self, children: ["text": description, "expires": expires]) }
}

extension S3Storage {
    /// Returns a URL with which anyone can read an object until it expires, without a request to the bucket.
    ///
    /// Requests for a byte range are possible. A URL that is signed with temporary credentials expires with them at the latest. A deleted
    /// user's URLs are refused at once.
    ///
    /// Source: [Presigned URLs](https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html).
    ///
    /// - Parameters:
    ///   - key: The key of the object, which need not exist.
    ///   - lifetime: The time for which the URL is valid, limited to the range from one second to seven days; fractions of a second are
    ///     omitted.
    public func presignedURL(for key: ContentKey, expiresIn lifetime: Duration) -> S3PresignedURL {
        let now = client.clock.now.wholeSeconds
        let seconds = min(max(lifetime.components.seconds, 1), SignatureV4.maximumExpiry)
        let address = configuration.address
        let subject = SignatureV4.Subject(method: "GET", path: address.path(of: key), headers: ["host": address.host])
        let query = client.signature.presignedQuery(of: subject, expiresIn: seconds, at: now)
        return S3PresignedURL(text: "\(address.origin)\(subject.path)?\(query)", expires: now.adding(seconds: seconds))
    }
}
