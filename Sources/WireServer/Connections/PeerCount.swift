import NIOCore
import Synchronization

/// How many connections each address has.
final class PeerCount: Sendable {
    private let limit: Int
    private let counts = Mutex<[String: Int]>([:])

    init(_ limit: Int) {
        self.limit = limit
    }

    /// Counts a connection; false when there are too many of that peer.
    func opened(by peer: String) -> Bool {
        counts.withLock { counts in
            let count = counts[peer, default: 0]
            guard count < limit else { return false }
            counts[peer] = count + 1
            return true
        }
    }

    /// Forgets a connection that was counted.
    func closed(by peer: String) {
        counts.withLock { counts in
            guard let count = counts[peer] else { return }
            counts[peer] = count > 1 ? count - 1 : nil
        }
    }

    /// What stands for a client: its address, or the first half of it with IPv6, of which every client has 2^64.
    static func name(of address: SocketAddress?) -> String {
        guard let address, let text = address.ipAddress else { return "" }
        // An address of IPv4 inside one of IPv6 is one client's.
        guard case .v6(let v6) = address, !text.hasPrefix("::ffff:") else { return text }
        // A `sockaddr_in6` is family, port and flow, in eight bytes, and then the address.
        return withUnsafeBytes(of: v6.address) { $0.dropFirst(8).prefix(8).map { String($0, radix: 16) }.joined(separator: ":") }
    }
}
