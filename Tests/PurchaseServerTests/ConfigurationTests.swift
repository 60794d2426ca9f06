import Configuration
import Crypto
import Foundation
import Logging
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

@Suite struct ConfigurationTests {
    /// Runs `body` with the files and the values of a valid configuration.
    private func with(_ body: (TemporaryFolder, [String: String]) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try Data(#"[{"id":"credits","credits":5},{"id":"book","file":"book.txt"}]"#.utf8).write(to: folder.file("products.json"))
            try Data(TestAuthority.shared.authority.rootsPEM.utf8).write(to: folder.file("roots.pem"))
            try await body(
                folder,
                [
                    "bundle-id": "com.example.monkeyshop", "environment": "sandbox", "content-folder": folder.url.path(),
                    "products-file": folder.file("products.json").path(), "database": ":memory:",
                    "extra-roots-file": folder.file("roots.pem").path(), "shared-secret": "hunter2",
                ]
            )
        }
    }

    private func read(_ values: [String: String]) throws -> PurchaseServerConfiguration {
        let pairs = values.map { (AbsoluteConfigKey(ConfigKey($0)), ConfigValue(.string($1), isSecret: false)) }
        return try PurchaseServerConfiguration(
            reader: ConfigReader(provider: InMemoryProvider(values: Dictionary(uniqueKeysWithValues: pairs)))
        )
    }

    @Test func `a valid configuration is read`() async throws {
        try await with { _, values async throws in
            var values = values
            let configuration = try read(values)
            #expect(configuration.environment == .sandbox)
            #expect(configuration.acceptedEnvironments == [.sandbox])
            #expect(configuration.apps[0].products.map(\.id) == ["credits", "book"])
            #expect(configuration.database == .memory)
            #expect(configuration.apps[0].verifyReceiptProductionURL == "https://buy.itunes.apple.com")
            #expect(configuration.apps[0].verifyReceiptSandboxURL == "https://sandbox.itunes.apple.com")
            #expect(configuration.apps[0].sharedSecret == "hunter2")
            #expect(configuration.revocation == .off)
            values["revocation"] = "Hard"
            #expect(try read(values).revocation == .hard)
        }
    }

    @Test func `PostgreSQL is configured with its URI, and with those of its replicas`() async throws {
        try await with { folder, values async throws in
            var values = values
            let url = "postgresql://tillroll@db.example.com/tillroll"
            (values["database"], values["secret-key-file"]) = (url, folder.file("server.key").path())
            #expect(try read(values).database == .postgres(PostgresDatabase(url: url)))
            (values["database-connections"], values["database-replica"]) = ("7", "POSTGRES://replica.example.com/")
            #expect(
                try read(values).database
                    == .postgres(PostgresDatabase(url: url, connections: 7, replicaURL: "POSTGRES://replica.example.com/")))
            for (key, value, error) in [
                ("database-connections", "0", "database-connections"), ("database-connections", "1001", "database-connections"),
                ("database-replica", "replica.sqlite", "database-replica"), ("database", "server.sqlite", "database-replica"),
                ("secret-key-file", "", "secret-key-file"),
            ] {
                var values = values
                values[key] = value.isEmpty ? nil : value
                let thrown = #expect(throws: ConfigurationError.self) { try read(values) }
                #expect(thrown?.key == error, "\(key)=\(value): \(thrown.map(String.init(describing:)) ?? "no error")")
            }
            // The URI can contain a password, which is in no log.
            values["database"] = "postgresql://tillroll:hunter2@db.example.com/tillroll"
            let database = try read(values).database
            var dumped = ""
            dump(database, to: &dumped)
            #expect(
                ![dumped, "\(database)", String(reflecting: database)].contains { $0.contains("hunter2") || $0.contains("replica.example") }
            )
        }
    }

    @Test func `the variables of the tests are not keys of a server that a test starts`() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
        var names: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: /environment\["(TILLROLL_\w+)"\]/) {
                names.insert(String(match.1))
            }
        }
        #expect(names.isSuperset(of: ["TILLROLL_SOAK", "TILLROLL_SIMULATIONS"]))
        try ConfigurationKeys.check(Dictionary(names.map { ($0, "1") }) { first, _ in first })
    }

    @Test func `a configuration file lists several apps, whose missing keys are those of the file or of the environment`() async throws {
        try await with { folder, values async throws in
            let file = """
                { "environment" : "sandbox", "database" : ":memory:", "content-folder" : "\(folder.url.path())",
                  "products-file" : "\(folder.file("products.json").path())", "refund-policy" : "floor",
                  "request-rates" : { "installation-per-second" : 7 },
                  "apps" : [ { "bundle-id" : "com.example.one", "shared-secret" : "hunter2", "lease-hours-unknown" : "x" },
                             { "bundle-id" : "com.example.two", "refund-policy" : "freeze", "reconciliation-hours" : 3,
                               "verify-receipt" : { "sandbox-url" : "http://127.0.0.1:9" } } ] }
                """
            let path = folder.file("server.json")
            func read(_ text: String, _ variables: [String: String] = [:]) throws -> PurchaseServerConfiguration {
                try Data(text.utf8).write(to: path)
                try ConfigurationKeys.check(variables)
                return try PurchaseServerConfiguration(
                    reader: ConfigReader(providers: [
                        EnvironmentVariablesProvider(environmentVariables: variables).prefixKeys(with: "tillroll"),
                        try ServerConfigurationFile.provider(path: path.path()),
                    ]))
            }
            let valid = file.replacing(#", "lease-hours-unknown" : "x""#, with: "")
            let configuration = try read(valid)
            #expect(configuration.apps.map(\.bundleID) == ["com.example.one", "com.example.two"])
            #expect(configuration.apps.map(\.refundPolicy) == [.floor, .freeze])
            #expect(configuration.apps.map(\.sharedSecret) == ["hunter2", nil])
            #expect(configuration.apps.map(\.reconciliationHours) == [6, 3])
            #expect(configuration.apps[1].verifyReceiptSandboxURL == "http://127.0.0.1:9")
            #expect(configuration.apps.allSatisfy { $0.products.map(\.id) == ["credits", "book"] })
            #expect(configuration.requestRates.installation.perSecond == 7)
            // The secret of one app can stand in the environment.
            #expect(try read(valid, ["TILLROLL_APPS_1_SHARED_SECRET": "other"]).apps.map(\.sharedSecret) == ["hunter2", "other"])

            func error(_ text: String, _ variables: [String: String] = [:]) -> ConfigurationError? {
                #expect(throws: ConfigurationError.self) { try read(text, variables) }
            }
            #expect(error(file)?.key == "apps.0.lease-hours-unknown")
            #expect(error(valid.replacing(#""bundle-id" : "com.example.two", "#, with: ""))?.key == "apps.1.bundle-id")
            #expect(error(valid.replacing("com.example.two", with: "com.example.one")) == .appTwice("com.example.one"))
            #expect(error(valid.replacing("freeze", with: "melt"))?.key == "apps.1.refund-policy")
            #expect(error(valid.replacing("floor", with: "melt"))?.key == "refund-policy")
            #expect(error(valid.replacing(#""apps" : ["#, with: #""bundle-id" : "com.example.one", "apps" : ["#)) == .appsAndBundleID)
            #expect(error(valid.replacing(#""apps" : ["#, with: #""apps" : [ "x", "#)) == .apps)
            #expect(error(#"{ "apps" : [] }"#) == .apps)
            #expect(error(valid.replacing(#""reconciliation-hours" : 3"#, with: #""port" : 3"#))?.key == "apps.1.port")
            #expect(error(valid, ["TILLROLL_APPS_1_PORT": "3"])?.key == "TILLROLL_APPS_1_PORT")
        }
    }

    @Test func `a products file or a storekit file is required`() async throws {
        try await with { folder, values async throws in
            var values = values
            try Data(#"{ "products" : [ { "productID" : "gems", "type" : "Consumable" } ] }"#.utf8).write(to: folder.file("Shop.storekit"))
            values["storekit-file"] = folder.file("Shop.storekit").path()
            #expect(try read(values).apps[0].products.map(\.id) == ["gems", "credits", "book"])
            values["products-file"] = nil
            #expect(try read(values).apps[0].products == [ServerProduct(id: "gems", type: .consumable)])
            values["storekit-file"] = folder.file("roots.pem").path()
            #expect(throws: ConfigurationError.storekitMalformed(place: "the beginning")) { try read(values) }
        }
    }

    @Test func `a key that signs offers must be a private key`() async throws {
        try await with { folder, values async throws in
            var values = values
            values["offers.key-id"] = "ABC"
            #expect(throws: ConfigurationError.missing(key: "offers.private-key-file")) { try read(values) }
            values["offers.private-key-file"] = folder.file("roots.pem").path()
            let configuration = try read(values)
            await #expect(throws: ConfigurationError.offerKey) { try await PurchaseServer(configuration: configuration, logger: .silent) }
        }
    }

    @Test func `production accepts sandbox data, because App Review purchases in the sandbox`() async throws {
        try await with { _, values async throws in
            var values = values
            values["environment"] = "production"
            values["extra-roots-file"] = nil
            #expect(try read(values).acceptedEnvironments == [.production, .sandbox])
        }
    }

    @Test(
        arguments: [
            ("bundle-id", nil), ("environment", nil), ("products-file", nil), ("content-folder", nil), ("environment", "Xcode"),
            ("environment", "prod"), ("products-file", "/nowhere/products.json"), ("content-folder", "/nowhere"),
            ("extra-roots-file", "/nowhere/roots.pem"), ("verify-receipt.production-url", "buy.itunes.apple.com"),
            ("verify-receipt.sandbox-url", "file:///etc/passwd"), ("verify-receipt.sandbox-url", ""), ("revocation", "sometimes"),
            ("reconciliation-hours", "soon"), ("reconciliation-hours", "721"), ("reconciliation-hours", "-1"),
            ("consumption-consent", "some"), ("consumption-refund-preference", "grant"), ("consumption-sample", "maybe"),
            ("finish-on-server", "yes"), ("renewal-leeway-hours", "-1"), ("confirm-transactions", "on"), ("sandbox-purchases", "some"),
            ("transfer-limit", "-1"), ("transfer-limit", "many"), ("transfer-period-days", "0"), ("transfer-period-days", "3651"),
            ("verify-receipt.shadow", "on"), ("verify-receipt.shadow-seconds", "0"), ("verify-receipt.shadow-seconds", "61"),
            ("teams.surplus", "oldest-first"), ("teams.surplus-days", "0"), ("teams.surplus-days", "366"),
            ("trusted-proxies", "localhost"), ("trusted-proxies", "10.0.0.0/33"), ("trusted-proxies", "10.0.0.1,"),
            ("trusted-proxies", "::1/129"), ("trusted-proxies", "10.0.0.0/-1"), ("trusted-proxies", "10.0.0.0/+8"),
        ] as [(String, String?)])
    func `an error names the configuration key and contains no secret`(_ key: String, _ value: String?) async throws {
        try await with { _, values async throws in
            var values = values
            values[key] = value
            let error = #expect(throws: ConfigurationError.self) { try read(values) }
            #expect(error?.key == key)
            #expect(error?.description.contains("hunter2") == false)
        }
    }

    @Test func `reconciliation, consumption information and finishing are configured for the app`() async throws {
        try await with { folder, values async throws in
            #expect(try read(values).apps[0].reconciliationHours == 6 && read(values).apps[0].consumption.consent == .off)
            var values = values
            values["reconciliation-hours"] = "0"
            values["consumption-consent"] = "all"
            values["consumption-refund-preference"] = "decline"
            values["consumption-sample"] = "yes"
            values["finish-on-server"] = "consumables"
            #expect(try read(values).apps[0].renewalLeewayHours == 24 && read(values).apps[0].transactionConfirmation == .off)
            #expect(try read(values).apps[0].sandboxPurchases == .entitlements)
            values["renewal-leeway-hours"] = "0"
            values["confirm-transactions"] = "hard"
            #expect(throws: ConfigurationError.confirmationWithoutKey("com.example.monkeyshop")) { try read(values) }
            try Data("key".utf8).write(to: folder.file("key.p8"))
            values["app-store-server-api.issuer-id"] = "57246542-96fe-1a63-e053-0824d011072a"
            values["app-store-server-api.key-id"] = "ABC1234567"
            values["app-store-server-api.private-key-file"] = folder.file("key.p8").path()
            values["sandbox-purchases"] = "none"
            #expect(try read(values).apps[0].renewalLeewayHours == 0 && read(values).apps[0].transactionConfirmation == .hard)
            #expect(try read(values).apps[0].sandboxPurchases == SandboxPurchases.none)
            let app = try read(values).apps[0]
            #expect(app.reconciliationHours == 0 && app.finishing == .consumables)
            #expect(app.consumption == ConsumptionPolicy(consent: .all, preference: .decline, sample: .yes))
        }
    }

    @Test func `the choice of the members who lose their seats is configured for the app`() async throws {
        try await with { _, values async throws in
            #expect(try read(values).apps[0].teams == TeamPolicy(surplus: .newestFirst, surplusDays: 14))
            let changed = values.merging(["teams.surplus": "owner-chooses", "teams.surplus-days": "3"]) { $1 }
            #expect(try read(changed).apps[0].teams == TeamPolicy(surplus: .ownerChooses, surplusDays: 3))
        }
    }

    @Test func `the limit of transfers is configured for the app`() async throws {
        try await with { _, values async throws in
            #expect(try read(values).apps[0].transfers == TransferRules(policy: .transfer, limit: 5, periodDays: 30))
            let changed = values.merging(["transfer-limit": "2", "transfer-period-days": "10"]) { $1 }
            #expect(try read(changed).apps[0].transfers == TransferRules(policy: .transfer, limit: 2, periodDays: 10))
        }
    }

    @Test func `the comparison of verifyReceipt answers is off, and configured for the app`() async throws {
        try await with { _, values async throws in
            let (normal, changed) = (
                try read(values).apps[0],
                try read(values.merging(["verify-receipt.shadow": "apple", "verify-receipt.shadow-seconds": "3"]) { $1 }).apps[0]
            )
            #expect(normal.verifyReceiptShadow == .off && normal.verifyReceiptShadowSeconds == 10)
            #expect(changed.verifyReceiptShadow == .apple && changed.verifyReceiptShadowSeconds == 3)
        }
    }

    @Test func `a server that confirms no transactions, although its configuration wants it, warns at its start`() async throws {
        try await with { folder, values async throws in
            func warnings(_ confirmation: TransactionConfirmation, withKey: Bool = false) async throws -> [String] {
                let log = RecordingLog()
                var configuration = try Shop.configuration(contentFolder: folder.url.path())
                configuration.apps[0].transactionConfirmation = confirmation
                if withKey {
                    configuration.apps[0].appStoreServerAPI = AppStoreServerAPIKey(
                        issuerID: "57246542-96fe-1a63-e053-0824d011072a", keyID: "ABC1234567",
                        privateKey: P256.Signing.PrivateKey().pemRepresentation)
                }
                _ = try await PurchaseServer(configuration: configuration, logger: log.logger)
                return log.lines(.warning).filter { $0.contains("confirm-transactions") }
            }
            let warning = try await warnings(.soft)
            #expect(warning.count == 1)
            for text in [BundleID.test.rawValue, "app-store-server-api.private-key-file", "off"] {
                #expect(warning.first?.contains(text) == true, "\(text)")
            }
            #expect(try await warnings(.off).isEmpty)
            #expect(try await warnings(.soft, withKey: true).isEmpty)
        }
    }

    @Test(arguments: [
        (#"{"id":"a"}"#, ConfigurationError.productsMalformed(place: "the beginning")),
        (#"nothing"#, .productsMalformed(place: "the beginning, because it is not JSON")),
        (#"[{"id":"a"},{"credits":5}]"#, .productsMalformed(place: "product 2, id")),
        (#"[{"id":"a","credits":"5"}]"#, .productsMalformed(place: "product 1, credits")),
        (#"[{"id":"a"},{"id":"a"}]"#, .productTwice("a")),
        (#"[{"id":"a","credits":0}]"#, .credits("a")),
        (#"[{"id":"a","credits":1000001}]"#, .credits("a")),
        (#"[{"id":"a","file":"../a"}]"#, .fileName("a")),
        (#"[{"id":"a","file":"/etc/passwd"}]"#, .fileName("a")),
        (#"[{"id":"a","file":".."}]"#, .fileName("a")),
        (#"[{"id":"a","file":".hidden"}]"#, .fileName("a")),
        (#"[{"id":"a","file":"a\\b"}]"#, .fileName("a")),
        (#"[{"id":"a","file":"a\u0000b"}]"#, .fileName("a")),
        (#"[{"id":"a","file":""}]"#, .fileName("a")),
    ])
    func `an invalid list of products is refused`(_ json: String, _ expected: ConfigurationError) async throws {
        try await with { folder, values async throws in
            try Data(json.utf8).write(to: folder.file("products.json"))
            #expect(throws: expected) { try read(values) }
        }
    }

    @Test func `a production configuration refuses a test store's root`() async throws {
        try await with { folder, values async throws in
            var values = values
            values["environment"] = "production"
            #expect(throws: ConfigurationError.rootsInProduction) { try read(values) }

            // A configuration that is created in code has the same check.
            var configuration = try Shop.configuration(contentFolder: folder.url.path())
            configuration.environment = .production
            await #expect(throws: ConfigurationError.rootsInProduction) {
                try await PurchaseServer(configuration: configuration, logger: .silent)
            }
            configuration.roots = .apple
            _ = try await PurchaseServer(configuration: configuration, logger: .silent)
        }
    }

    @Test(arguments: ["verify-receipt.production-url", "verify-receipt.sandbox-url"])
    func `production sends receipts over HTTPS only`(_ key: String) async throws {
        try await with { _, values async throws in
            var values = values
            values[key] = "http://127.0.0.1:7701/production"
            #expect(throws: Never.self) { try read(values) }
            values["environment"] = "production"
            values["extra-roots-file"] = nil
            let error = #expect(throws: ConfigurationError.addressNotSecure(key: key)) { try read(values) }
            #expect(error?.description.hasPrefix("\(key): ") == true)
            values[key] = "https://example.com"
            #expect(throws: Never.self) { try read(values) }
        }
    }

    @Test func `a roots file without certificates is refused`() async throws {
        try await with { folder, values async throws in
            try Data("hello".utf8).write(to: folder.file("roots.pem"))
            let error = #expect(throws: ConfigurationError.self) { try read(values) }
            #expect(error?.key == "extra-roots-file")
        }
    }

    @Test func `the error for a database that cannot be opened names the configuration key`() async throws {
        try await with { folder, values async throws in
            var values = values
            values["database"] = folder.file("no/such/folder/server.sqlite").path()
            let configuration = try read(values)
            let error = await #expect(throws: ConfigurationError.self) {
                try await PurchaseServer(configuration: configuration, logger: .silent)
            }
            #expect(error?.key == "database")
        }
    }
}
