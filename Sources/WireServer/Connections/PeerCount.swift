import FoundationExtras
import HTTPTypes
public import Hummingbird
import NIOCore
import Synchronization

/// Counts the open connections of each client address, and limits their number.
final class PeerCount: Sendable {
    private let limit: Int
    // reason: the keys are IP addresses in the form of the operating system, so equal addresses have equal bytes.
    private let counts = Mutex<[String: Int]>([:])

    init(_ limit: Int) {
        self.limit = limit
    }

    /// Counts a connection of a client, or returns false when the client has too many open connections.
    func addConnection(by peer: String) -> Bool {
        counts.withLock { counts in
            let count = counts[peer, default: 0]
            guard count < limit else { return false }
            counts[peer] = count + 1
            return true
        }
    }

    /// Removes a counted connection of a client, after the connection closed.
    func removeConnection(by peer: String) {
        counts.withLock { counts in
            guard let count = counts[peer] else { return }
            counts[peer] = count > 1 ? count - 1 : nil
        }
    }

    /// Returns the name under which a client is counted: its IPv4 address, or the first half of its IPv6 address.
    ///
    /// One client can have 2^64 IPv6 addresses with the same first half.
    static func name(of address: SocketAddress?) -> String {
        guard let address, let text = address.ipAddress else { return "" }
        // An IPv4-mapped IPv6 address is counted as a whole, because it belongs to one client.
        guard case .v6(let v6) = address, !text.hasPrefix("::ffff:") else { return text }
        // In a `sockaddr_in6`, the address follows eight bytes with the family, the port and the flow information.
        return withUnsafeBytes(of: v6.address) { Hexadecimal.encode($0.dropFirst(8).prefix(8), separator: ":") }
    }
}

extension Request {
    /// The name under which the client of a proxy is counted, from the last address in `X-Forwarded-For`, which the proxy itself has added.
    ///
    /// The name is empty if no address is there, so that such clients count as one.
    public var forwardedPeer: String {
        let values = HTTPField.Name("X-Forwarded-For").map { headers[values: $0] } ?? []
        let address = values.last?.split(separator: ",").last?.filter { $0 != " " }
        return PeerCount.name(of: address.flatMap { try? SocketAddress(ipAddress: $0, port: 0) })
    }
}
