import PurchaseModel

/// The store and the environment that a request's path prefix and host name select, before routing.
///
/// ```
/// /inApps/…                           the default store, sandbox
/// /production/inApps/…                the default store, production
/// /stores/NAME/sandbox/verifyReceipt  another store, sandbox
/// ```
/// The App Store's host names also select the environment, so that clients with fixed URLs work if their host names resolve to this host.
struct StoreAddress: Hashable, Sendable {
    /// The name of the store; nil for the default store.
    var store: String?
    var environment: AppEnvironment
    /// The path without the prefixes.
    var path: String

    /// Parses a path and a host name.
    ///
    /// - Parameters:
    ///   - path: The path and query of the request.
    ///   - host: The requested host, with or without a port.
    init(path: String, host: String?) {
        var remainder = path[...]
        store = nil
        if let name = Self.strip("/stores/", of: remainder, upTo: &remainder), !name.isEmpty {
            store = String(name)
        }
        environment = Self.environment(ofHost: host)
        for (prefix, matched) in [("/sandbox/", AppEnvironment.sandbox), ("/production/", .production)] where remainder.hasPrefix(prefix) {
            remainder = remainder.dropFirst(prefix.count - 1)
            environment = matched
        }
        self.path = remainder.isEmpty ? "/" : String(remainder)
    }

    /// The name after `prefix` if another path component follows; `remainder` then begins with that component.
    private static func strip(_ prefix: String, of path: Substring, upTo remainder: inout Substring) -> Substring? {
        guard path.hasPrefix(prefix) else { return nil }
        let tail = path.dropFirst(prefix.count)
        guard let end = tail.firstIndex(of: "/") else { return nil }
        remainder = tail[end...]
        return tail[..<end]
    }

    /// The environment of an App Store host name; the sandbox for all other host names.
    private static func environment(ofHost host: String?) -> AppEnvironment {
        switch host?.lowercased().split(separator: ":").first {
        case "buy.itunes.apple.com", "api.storekit.apple.com", "api.storekit.itunes.apple.com": .production
        default: .sandbox
        }
    }
}
