import HTTPTypes

/// The reverse proxies whose `X-Forwarded-For` header the server trusts.
public struct TrustedProxies: Hashable, Sendable {
    /// The maximum length of `X-Forwarded-For` in bytes; the server ignores a longer header.
    private static let headerLimit = 4_096
    /// The maximum number of proxies between the server and a client; the server ignores further addresses of `X-Forwarded-For`.
    private static let hopLimit = 32

    private let networks: [IPNetwork]

    /// Creates a list without trusted proxies.
    public init() { networks = [] }

    /// Reads a list of addresses and ranges with commas between them, such as `127.0.0.1, 10.0.0.0/8, fd00::/8`.
    ///
    /// - Throws: ``ConfigurationError/trustedProxy(_:)`` for an element that is neither an address nor a range.
    public init(_ list: String) throws(ConfigurationError) {
        var networks: [IPNetwork] = []
        for element in list.split(separator: ",", omittingEmptySubsequences: false) {
            let text = Self.trimmed(element)
            guard let network = IPNetwork(text) else { throw .trustedProxy(String(text.prefix(100))) }
            networks.append(network)
        }
        self.networks = networks
    }

    /// Returns the name under which the rate limiter counts the client of a request.
    ///
    /// The client is the peer of the connection, unless the peer is a trusted proxy. Behind trusted proxies, the client is the last address
    /// in `X-Forwarded-For` that is not a trusted proxy: each proxy appends the address of its client, so a client can invent all earlier
    /// addresses. The server reads `X-Forwarded-For` from its end; at an element that is not an address, the server stops and counts the
    /// proxy that appended the element as the client.
    func clientName(peer: String, _ headers: HTTPFields) -> String {
        client(peer: peer, headers)?.countedName ?? peer
    }

    /// Returns the address of the client that sent a request, for the log.
    func clientAddress(peer: String, _ headers: HTTPFields) -> String {
        client(peer: peer, headers)?.description ?? peer
    }

    private func client(peer: String, _ headers: HTTPFields) -> IPAddress? {
        guard var client = IPAddress(peer) else { return nil }
        guard trusts(client) else { return client }
        let header = headers[values: .forwardedFor].joined(separator: ",")
        guard header.utf8.count <= Self.headerLimit else { return client }
        for element in header.split(separator: ",", omittingEmptySubsequences: false).reversed().prefix(Self.hopLimit) {
            guard let address = Self.address(element) else { break }
            client = address
            guard trusts(address) else { break }
        }
        return client
    }

    private func trusts(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

    /// Reads an element of `X-Forwarded-For`: an address, or an address with a port such as `[::1]:443` or `192.0.2.1:443`.
    private static func address(_ element: Substring) -> IPAddress? {
        var text = trimmed(element)
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            text = text[text.index(after: text.startIndex)..<end]
        } else if text.contains("."), let colon = text.firstIndex(of: ":"), text.lastIndex(of: ":") == colon {
            text = text[..<colon]
        }
        return IPAddress(text)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
