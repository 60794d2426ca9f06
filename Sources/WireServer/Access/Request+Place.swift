package import Hummingbird

extension Request {
    /// Whether a name or address means this machine, whatever a name server says.
    package static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers.first == 127 && !numbers.contains(nil)
    }

    /// Whether the name that was asked for means this machine; a request without a name is nobody's page.
    ///
    /// A name that somebody else's name server points at this machine makes their page one of the same origin.
    package var isForLoopback: Bool {
        guard let authority = head.authority else { return true }
        guard let colon = authority.lastIndex(of: ":"), authority[colon...].dropFirst().allSatisfy(\.isNumber) else {
            return Self.isLoopback(authority)
        }
        return Self.isLoopback(String(authority[..<colon]))
    }

    /// Whether the request comes from a page of the same address, or from no page at all.
    ///
    /// A page of another address may send requests, though not read the answers; a browser says where they come from.
    package var isOfSameOrigin: Bool {
        guard let origin = headers[.origin]?.lowercased() else { return true }
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
            return origin.dropFirst(scheme.count) == head.authority?.lowercased() ?? ""
        }
        return false
    }
}
