import PurchaseModel

/// The keys of `tillroll-server`'s configuration.
///
/// Unknown keys are errors, because a misspelled key would otherwise leave its setting at the default.
package enum ConfigurationKeys {
    /// The list of apps in the configuration file.
    static let apps = "apps"
    /// The maximum number of apps of a server.
    static let appLimit = 1_000
    /// The keys of one app; outside of the list of apps, the values are the defaults of all apps.
    static let app =
        [
            "bundle-id", "products-file", "storekit-file", "shared-secret", "verify-receipt.production-url", "verify-receipt.sandbox-url",
            "confirm-receipts", "refund-policy", "transfer-policy", "app-store-server-api.issuer-id",
            "app-store-server-api.key-id", "app-store-server-api.private-key-file", "app-store-server-api.url",
            "app-store-server-api.accept-missing-bundle-id", "offers.key-id",
            "offers.private-key-file", "reconciliation-hours", "renewal-leeway-hours", "confirm-transactions", "sandbox-purchases",
            "consumption-consent", "consumption-refund-preference", "consumption-sample", "finish-on-server",
            "transfer-limit", "transfer-period-days", "verify-receipt.shadow", "verify-receipt.shadow-seconds", "entitlements",
            "currencies", "teams.surplus", "teams.surplus-days",
        ] + ContentConfiguration.keys
    /// Every key, spelled as in the configuration file; an app in the list of apps uses the same spelling.
    package static let all =
        app + [
            "environment", "database", "database-connections", "database-replica", "extra-roots-file", "revocation", "secret-key-file",
            "lease-hours", "event-retention-days", "webhook-addresses", "host",
            "port", "console-port", "metrics-host", "metrics-port", "metrics-token",
            "log-level", "log-format", "trusted-proxies", apps,
        ] + rates + limits
    private static let rates = ["installation-per-second", "installation-burst", "backend-per-second", "backend-burst"]
        .map { "request-rates.\($0)" }
    private static let limits = [
        "idle-seconds", "head-seconds", "body-seconds", "exchange-seconds", "stall-seconds", "bytes-per-second", "connections",
        "connections-per-peer", "body-bytes", "shutdown-seconds",
    ].map { "limits.\($0)" }
    /// The keys whose value can be a number.
    static let numbers = Set(
        [
            "port", "console-port", "metrics-port", "reconciliation-hours", "renewal-leeway-hours", "lease-hours",
            "event-retention-days", "transfer-limit", "transfer-period-days",
            "verify-receipt.shadow-seconds", "teams.surplus-days",
        ] + ContentConfiguration.numbers + rates + limits)
    /// The keys whose values are secrets.
    static let secrets = Set(["shared-secret", "database", "metrics-token"] + ContentConfiguration.secrets)
    /// Environment variables of the `tillroll` command and of tests, which are not keys and are ignored.
    private static let foreignVariables: Set<String> = [
        "TILLROLL_STORE", "TILLROLL_TOKEN", "TILLROLL_SHARED_SESSION", "TILLROLL_REPOSITORY", "TILLROLL_SOAK", "TILLROLL_SEED",
        "TILLROLL_SIMULATIONS", "TILLROLL_SCRIPT", "TILLROLL_MEMORY_SECONDS", "TILLROLL_CLUSTER", "TILLROLL_TEST_POSTGRES",
        "TILLROLL_TEST_FSYNC", "TILLROLL_STORE_SANDBOX_VERIFY_RECEIPT", "TILLROLL_STORE_PRODUCTION_VERIFY_RECEIPT",
        "TILLROLL_STORE_SERVER_API", "TILLROLL_STORE_PRODUCTION_SERVER_API", "TILLROLL_STORE_ROOT_CERTIFICATE", "TILLROLL_STORE_API_KEY",
        "TILLROLL_STORE_KEY_ID", "TILLROLL_STORE_ISSUER_ID", "TILLROLL_STORE_BUNDLE_ID", "TILLROLL_STORE_APP_APPLE_ID",
        "TILLROLL_STORE_CONSOLE", "TILLROLL_STORE_TLS_URL", "TILLROLL_STORE_TLS_PORT",
    ]

    /// Returns the name of a key's environment variable, such as `TILLROLL_BUNDLE_ID` for `bundle-id`.
    static func variable(_ key: String) -> String {
        "TILLROLL_" + String(key.map { $0 == "-" || $0 == "." ? "_" : $0 }).uppercased()
    }

    /// Checks that every environment variable whose name begins with `TILLROLL_` corresponds to a key.
    ///
    /// - Throws: ``ConfigurationError/unknownKey(_:nearest:)`` for the first variable without a key.
    package static func check(_ environment: [String: String]) throws(ConfigurationError) {
        let known = Set(all.map(variable)).union(foreignVariables)
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("TILLROLL_") && !known.contains(name) {
            guard !isServiceLink(name, value), !isOfApp(name) else { continue }
            throw .unknownKey(name, nearest: nearest(to: name, among: all.map(variable)))
        }
    }

    /// Returns whether a variable is the key of one app in the list of apps, such as `TILLROLL_APPS_0_SHARED_SECRET`.
    private static func isOfApp(_ name: String) -> Bool {
        guard let match = name.wholeMatch(of: /TILLROLL_APPS_\d{1,3}_(\w+)/) else { return false }
        return app.contains { variable($0) == "TILLROLL_\(match.1)" }
    }

    /// Returns whether Kubernetes sets the variable in every container for a service named `tillroll` or `tillroll-…`.
    private static func isServiceLink(_ name: String, _ value: String) -> Bool {
        if name.wholeMatch(of: /TILLROLL(_\w+)?_SERVICE_(HOST|PORT(_\w+)?)/) != nil { return true }
        if name.wholeMatch(of: /TILLROLL(_\w+)?_PORT_\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?/) != nil { return true }
        return name.wholeMatch(of: /TILLROLL(_\w+)?_PORT/) != nil && value.prefixMatch(of: /(tcp|udp|sctp):\/\//) != nil
    }

    /// Returns the known name with the smallest edit distance to a misspelled name.
    static func nearest(to name: String, among known: [String]) -> String {
        // Compare at most 100 bytes, to bound the time for a very long name; every key is shorter.
        let name = Array(name.utf8.prefix(100))
        return known.min { distance(from: name, to: Array($0.utf8)) < distance(from: name, to: Array($1.utf8)) } ?? ""
    }

    /// Returns the Levenshtein distance between two names.
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
