import PurchaseModel

/// The store and the environment that a request addresses with its path prefix and its host name.
///
/// ```
/// The App Store's host names also select the environment, so that a client with fixed URLs works if its machine resolves them to this
/// host.
struct StoreAddress: Hashable, Sendable {
    /// The name of the store; nil for the default store.
    var store: String?
    var environment: AppEnvironment
    /// The prefix of the path that names the environment, such as `/sandbox`; empty without one.
    var environmentPrefix = ""
    /// The path and query of the request, without the prefixes for the store and the environment.
    var path: String

    /// Parses the path and the host name of a request.
    ///
    /// - Parameters:
    ///   - path: The path and query of the request.
    ///   - host: The host name that the client requested, with or without a port; nil if unknown.
    init(path: String, host: String?) {
        var remainder = path[...]
        store = nil
        if let name = Self.strip("/stores/", of: remainder, upTo: &remainder), !name.isEmpty {
            store = String(name)
        }
        environment = Self.environment(ofHost: host)
        for (prefix, matched) in [("/sandbox/", AppEnvironment.sandbox), ("/production/", .production)] where remainder.hasPrefix(prefix) {
            remainder = remainder.dropFirst(prefix.count - 1)
            (environment, environmentPrefix) = (matched, String(prefix.dropLast()))
            break
        }
        self.path = remainder.isEmpty ? "/" : String(remainder)
    }

    /// Returns the path component after `prefix`, and sets `remainder` to the path after it; nil if no further component follows.
    private static func strip(_ prefix: String, of path: Substring, upTo remainder: inout Substring) -> Substring? {
        guard path.hasPrefix(prefix) else { return nil }
        let tail = path.dropFirst(prefix.count)
        guard let end = tail.firstIndex(of: "/") else { return nil }
        remainder = tail[end...]
        return tail[..<end]
    }

    /// Returns the environment that an App Store host name selects: production for production hosts, the sandbox for all other host names.
    private static func environment(ofHost host: String?) -> AppEnvironment {
        switch host?.lowercased().split(separator: ":").first {
        case "buy.itunes.apple.com", "api.storekit.apple.com", "api.storekit.itunes.apple.com": .production
        default: .sandbox
        }
    }
}
