public import Hummingbird

extension Request {
    /// Returns whether a text is a loopback name or a loopback address, without a DNS lookup.
    package static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers.first == 127 && !numbers.contains(nil)
    }

    /// Whether the request's host name is a loopback name or absent; browsers always send a host name.
    ///
    /// If a foreign domain name resolves to a loopback address, the pages of the domain have the same origin as this server. The host name
    /// reveals such a request.
    package var isForLoopback: Bool {
        guard let authority = head.authority else { return true }
        guard let colon = authority.lastIndex(of: ":"), authority[colon...].dropFirst().allSatisfy(\.isNumber) else {
            return Self.isLoopback(authority)
        }
        return Self.isLoopback(String(authority[..<colon]))
    }

    /// Whether the request comes from a web page of the same origin, or from a client that is not a web page.
    ///
    /// A web page of another origin can send requests, although it cannot read the responses. The browser states the origin of the page in
    /// the `Origin` header.
    public var isSameOrigin: Bool {
        guard let origin = headers[.origin]?.lowercased() else { return true }
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
            return origin.dropFirst(scheme.count) == head.authority?.lowercased() ?? ""
        }
        return false
    }
}
