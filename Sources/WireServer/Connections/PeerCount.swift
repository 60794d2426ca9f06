import NIOCore
import Synchronization

/// The number of connections of each address.
final class PeerCount: Sendable {
    private let limit: Int
    private let counts = Mutex<[String: Int]>([:])

    init(_ limit: Int) {
        self.limit = limit
    }

    /// Counts a connection; false if the peer has too many.
    func addConnection(by peer: String) -> Bool {
        counts.withLock { counts in
            let count = counts[peer, default: 0]
            guard count < limit else { return false }
            counts[peer] = count + 1
            return true
        }
    }

    /// Removes a counted connection.
    func removeConnection(by peer: String) {
        counts.withLock { counts in
            guard let count = counts[peer] else { return }
            counts[peer] = count > 1 ? count - 1 : nil
        }
    }

    /// The identity of a client: its IPv4 address, or the first half of its IPv6 address, because a client has 2^64 IPv6 addresses.
    static func name(of address: SocketAddress?) -> String {
        guard let address, let text = address.ipAddress else { return "" }
        // An IPv4-mapped IPv6 address belongs to one client.
        guard case .v6(let v6) = address, !text.hasPrefix("::ffff:") else { return text }
        // A `sockaddr_in6` begins with family, port and flow info in eight bytes, and the address follows.
        return withUnsafeBytes(of: v6.address) { $0.dropFirst(8).prefix(8).map { String($0, radix: 16) }.joined(separator: ":") }
    }
}
