import PurchaseModel

/// What the beginning of a request's address says before it is routed: which store, and which environment.
///
/// ```
/// /inApps/…                           the default store, sandbox
/// /production/inApps/…                the default store, production
/// /stores/NAME/sandbox/verifyReceipt  another store, sandbox
/// ```
/// The host names of the App Store say the environment as well, so that clients whose address is fixed can be sent here.
struct StoreAddress: Hashable, Sendable {
    /// The name of the store; nil for the default one.
    var store: String?
    var environment: AppEnvironment
    /// What is left of the path.
    var path: String

    /// Takes an address apart.
    ///
    /// - Parameters:
    ///   - path: The path and query as they were sent.
    ///   - host: The host that was asked for, with or without a port.
    init(path: String, host: String?) {
        var rest = path[...]
        store = nil
        if let name = Self.strip("/stores/", of: rest, upTo: &rest), !name.isEmpty {
            store = String(name)
        }
        environment = Self.environment(ofHost: host)
        for (prefix, named) in [("/sandbox/", AppEnvironment.sandbox), ("/production/", .production)] where rest.hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count - 1)
            environment = named
        }
        self.path = rest.isEmpty ? "/" : String(rest)
    }

    /// The name after `prefix`, when a further part follows it; `rest` then begins with that part.
    private static func strip(_ prefix: String, of path: Substring, upTo rest: inout Substring) -> Substring? {
        guard path.hasPrefix(prefix) else { return nil }
        let tail = path.dropFirst(prefix.count)
        guard let end = tail.firstIndex(of: "/") else { return nil }
        rest = tail[end...]
        return tail[..<end]
    }

    /// The environment for which the App Store uses a host name: the sandbox for every other.
    private static func environment(ofHost host: String?) -> AppEnvironment {
        switch host?.lowercased().split(separator: ":").first {
        case "buy.itunes.apple.com", "api.storekit.apple.com", "api.storekit.itunes.apple.com": .production
        default: .sandbox
        }
    }
}
