import Crypto
import Foundation
import Hummingbird

/// Who may use what is for people and tests: the control API, the stores of a host, and the console.
///
/// The protocols of devices and of the App Store have proofs of their own, and stay open to all.
enum ControlAccess: Sendable {
    /// Who runs on this machine; the store listens to nobody else.
    case loopback
    /// Who knows the token.
    case token(StoreToken)
    /// Nobody: the store listens to other machines and was given no token.
    case closed

    /// What a store that listens on `hostname` demands.
    init(token: String?, hostname: String) {
        self =
            if let token { .token(StoreToken(token)) } else if Self.isLoopback(hostname) { .loopback } else { .closed }
    }

    /// Throws what is wrong with a request.
    func check(_ request: Request) throws(AccessRefusal) {
        try checkPlace(request)
        if case .token(let token) = self, !token.isShown(by: request) { throw .tokenMissing }
    }

    /// Throws what is wrong with where a request comes from and what it asks for, whoever sends it.
    func checkPlace(_ request: Request) throws(AccessRefusal) {
        // A page of another address may send requests, though not read the answers; a browser says where they come from.
        if let origin = request.headers[.origin], Self.authority(of: origin) != request.head.authority?.lowercased() {
            throw .foreignOrigin
        }
        switch self {
        case .token:
            break
        case .loopback:
            // A name that somebody else's name server points at this machine makes their page one of the same origin.
            if let host = request.head.authority, !Self.isLoopback(Self.name(of: host)) { throw .foreignHost }
        case .closed:
            throw .closed
        }
    }

    /// Whether a name or address means this machine, whatever a name server says.
    static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers.first == 127 && !numbers.contains(nil)
    }

    /// The name or address of `host:port`.
    private static func name(of authority: String) -> String {
        guard let colon = authority.lastIndex(of: ":"), authority[colon...].dropFirst().allSatisfy(\.isNumber) else { return authority }
        return String(authority[..<colon])
    }

    /// `host:port` of `http://host:port`; nil of anything else, such as `null`.
    private static func authority(of origin: String) -> String? {
        for scheme in ["http://", "https://"] where origin.lowercased().hasPrefix(scheme) {
            return String(origin.lowercased().dropFirst(scheme.count))
        }
        return nil
    }
}
