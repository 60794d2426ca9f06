import PurchaseModel

/// The keys of `tillroll-server`'s configuration.
///
/// Unknown keys are errors, because a misspelled key would otherwise leave its setting at the default.
package enum ConfigurationKeys {
    /// Every key, as spelled in a file.
    package static let all =
        [
            "bundle-id", "environment", "products-file", "content-folder", "database", "extra-roots-file", "revocation", "shared-secret",
            "verify-receipt.production-url", "verify-receipt.sandbox-url", "host", "port", "console-port", "log-level",
        ] + limits
    /// The keys of `ConnectionLimits`.
    private static let limits = [
        "idle-seconds", "head-seconds", "body-seconds", "exchange-seconds", "stall-seconds", "bytes-per-second", "connections",
        "connections-per-peer", "body-bytes", "shutdown-seconds",
    ].map { "limits.\($0)" }
    /// The keys whose value can be a number.
    static let numbers = Set(["port", "console-port"] + limits)
    /// The variables of other programs and of tests, which the same environment can contain.
    private static let foreignVariables: Set<String> = [
        "TILLROLL_STORE", "TILLROLL_TOKEN", "TILLROLL_SHARED_SESSION", "TILLROLL_SOAK", "TILLROLL_REPOSITORY",
    ]

    /// The environment variable of a key.
    static func variable(_ key: String) -> String {
        "TILLROLL_" + String(key.map { $0 == "-" || $0 == "." ? "_" : $0 }).uppercased()
    }

    /// Refuses an environment with a variable that begins with `TILLROLL_` and corresponds to no key.
    package static func check(_ environment: [String: String]) throws(ConfigurationError) {
        let known = Set(all.map(variable)).union(foreignVariables)
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("TILLROLL_") && !known.contains(name) {
            guard !isServiceLink(name, value) else { continue }
            throw .unknownKey(name, nearest: nearest(to: name, among: all.map(variable)))
        }
    }

    /// Whether Kubernetes set a variable for a service whose name begins with `tillroll-`, as in every container of the namespace.
    private static func isServiceLink(_ name: String, _ value: String) -> Bool {
        if name.wholeMatch(of: /TILLROLL(_\w+)?_SERVICE_(HOST|PORT(_\w+)?)/) != nil { return true }
        if name.wholeMatch(of: /TILLROLL(_\w+)?_PORT_\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?/) != nil { return true }
        return name.wholeMatch(of: /TILLROLL(_\w+)?_PORT/) != nil && value.prefixMatch(of: /(tcp|udp|sctp):\/\//) != nil
    }

    /// The known name with the smallest edit distance to a name.
    static func nearest(to name: String, among known: [String]) -> String {
        // No key is this long, so a longer name is not a misspelled key.
        let name = Array(name.utf8.prefix(100))
        return known.min { distance(from: name, to: Array($0.utf8)) < distance(from: name, to: Array($1.utf8)) } ?? ""
    }

    /// The Levenshtein distance.
    private static func distance(from: [UInt8], to: [UInt8]) -> Int {
        var row = Array(0...to.count)
        for (index, byte) in from.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in to.enumerated() {
                let replaced = diagonal + (byte == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[to.count]
    }
}
