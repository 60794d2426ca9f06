import Crypto
import Foundation
import FoundationExtras
import HTTPTypes
import Hummingbird

/// The secret token that authenticates clients of the control API and the console.
///
/// The store keeps only the token's SHA-256, and not the token.
struct StoreToken: Sendable {
    private let digest: SHA256.Digest
    /// The value of the cookie that replaces the token.
    ///
    /// The value is a hash of the token, so a client must know the token to compute the value, and the cookie does not reveal the token.
    private let cookieValue: String

    init(_ token: String) {
        digest = SHA256.hash(data: Data(token.utf8))
        cookieValue = Hexadecimal.encode(SHA256.hash(data: Data("console:\(token)".utf8)))
    }

    /// Returns whether a request has the token in its `Authorization: Bearer` header, or has the cookie that ``cookie(for:)`` creates.
    func isPresented(by request: Request) -> Bool {
        if let token = request.bearerToken { return matches(token) }
        guard let cookie = request.cookies[Self.cookieName(for: request)]?.value else { return false }
        // Equal digests are compared in constant time, so the duration reveals nothing about the cookie's value.
        return SHA256.hash(data: Data(cookie.utf8)) == SHA256.hash(data: Data(cookieValue.utf8))
    }

    /// Returns whether `presented` is the token, in constant time.
    func matches(_ presented: String) -> Bool {
        SHA256.hash(data: Data(presented.utf8)) == digest
    }

    /// Creates the cookie that authenticates a browser instead of the token.
    ///
    /// Browsers send the cookie to this host only, hide it from scripts, and do not send it with cross-site requests.
    func cookie(for request: Request) -> Cookie {
        Cookie(name: Self.cookieName(for: request), value: cookieValue, path: "/", httpOnly: true, sameSite: .strict)
    }

    /// Returns the name of the cookie for the host and port of a request.
    ///
    /// Browsers ignore the port when they send cookies, so the name contains the port to distinguish two stores on one machine.
    private static func cookieName(for request: Request) -> String {
        let port = request.head.authority?.split(separator: ":").last.flatMap { UInt16($0) }
        return "store-token-\(port ?? 0)"
    }
}

extension Request {
    /// The token in the request's `Authorization: Bearer` header (RFC 6750, section 2.1); nil if the request has no such header.
    var bearerToken: String? {
        guard let header = headers[.authorization], header.lowercased().hasPrefix("bearer ") else { return nil }
        return String(header.dropFirst("bearer ".count))
    }
}
