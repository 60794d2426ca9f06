import Crypto
import Foundation
import Hummingbird
import PurchaseModel

/// The secret that authenticates clients of the control API and the console; the store keeps only the token's digest.
struct StoreToken: Sendable {
    private let digest: SHA256.Digest
    /// The value of the cookie: derived from the token, so that only a client that had the token knows the value, and different from the
    /// token.
    private let cookieValue: String

    init(_ token: String) {
        digest = SHA256.hash(data: Data(token.utf8))
        cookieValue = Hexadecimal.encode(SHA256.hash(data: Data("console:\(token)".utf8)))
    }

    /// Whether a request carries the token, as `Authorization: Bearer` or as the cookie that ``cookie(for:)`` set.
    func isPresented(by request: Request) -> Bool {
        if let token = request.bearerToken { return matches(token) }
        guard let cookie = request.cookies[Self.cookieName(for: request)]?.value else { return false }
        // The comparison of digests takes constant time.
        return SHA256.hash(data: Data(cookie.utf8)) == SHA256.hash(data: Data(cookieValue.utf8))
    }

    /// Whether `presented` is the token; the comparison takes as long for a wrong token as for the right one.
    func matches(_ presented: String) -> Bool {
        SHA256.hash(data: Data(presented.utf8)) == digest
    }

    /// The cookie for a browser: limited to this host, hidden from scripts, and not sent with cross-site requests.
    func cookie(for request: Request) -> Cookie {
        Cookie(name: Self.cookieName(for: request), value: cookieValue, path: "/", httpOnly: true, sameSite: .strict)
    }

    /// The name of the cookie, which contains the port: a cookie belongs to a host regardless of the port, so two stores on one
    /// machine need two names.
    private static func cookieName(for request: Request) -> String {
        let port = request.head.authority?.split(separator: ":").last.flatMap { UInt16($0) }
        return "store-token-\(port ?? 0)"
    }
}
