package import Hummingbird

extension Request {
    /// Whether a host name or address is a loopback name by its text, without a DNS lookup.
    package static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers.first == 127 && !numbers.contains(nil)
    }

    /// Whether the request's host name is a loopback name; a request without a host name comes from no page.
    ///
    /// A foreign domain name that resolves to a loopback address would give the domain's page the same origin.
    package var isForLoopback: Bool {
        guard let authority = head.authority else { return true }
        guard let colon = authority.lastIndex(of: ":"), authority[colon...].dropFirst().allSatisfy(\.isNumber) else {
            return Self.isLoopback(authority)
        }
        return Self.isLoopback(String(authority[..<colon]))
    }

    /// Whether the request comes from a page of the same origin, or from no page.
    ///
    /// A page of another origin can send requests, though not read the responses; the browser states the page's origin.
    package var isSameOrigin: Bool {
        guard let origin = headers[.origin]?.lowercased() else { return true }
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
            return origin.dropFirst(scheme.count) == head.authority?.lowercased() ?? ""
        }
        return false
    }
}
