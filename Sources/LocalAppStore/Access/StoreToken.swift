import Crypto
import Foundation
import Hummingbird
import PurchaseModel

/// The secret by which a store knows the people it belongs to; only its digest is kept.
struct StoreToken: Sendable {
    private let digest: SHA256.Digest
    /// What the cookie says: known only to who knew the token, and not the token.
    private let cookieValue: String

    init(_ token: String) {
        digest = SHA256.hash(data: Data(token.utf8))
        cookieValue = Hexadecimal.encode(SHA256.hash(data: Data("console:\(token)".utf8)))
    }

    /// Whether a request carries it: as `Authorization: Bearer`, or as the cookie that ``cookie(for:)`` set.
    func isShown(by request: Request) -> Bool {
        if let token = request.bearerToken { return matches(token) }
        guard let cookie = request.cookies[Self.cookieName(for: request)]?.value else { return false }
        // Digests are compared in constant time.
        return SHA256.hash(data: Data(cookie.utf8)) == SHA256.hash(data: Data(cookieValue.utf8))
    }

    /// Whether that is the token; takes as long for a wrong one as for the right one.
    func matches(_ presented: String) -> Bool {
        SHA256.hash(data: Data(presented.utf8)) == digest
    }

    /// What a browser is to show from now on: only to this host, never to a script, and not on the way from another site.
    func cookie(for request: Request) -> Cookie {
        Cookie(name: Self.cookieName(for: request), value: cookieValue, path: "/", httpOnly: true, sameSite: .strict)
    }

    /// Cookies belong to a host, whatever the port: two stores of one machine need two names.
    private static func cookieName(for request: Request) -> String {
        let port = request.head.authority?.split(separator: ":").last.flatMap { UInt16($0) }
        return "store-token-\(port ?? 0)"
    }
}
