import Configuration
import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@testable import PurchaseServer

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
        try await with { _, values async throws in
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
            values["sandbox-purchases"] = "none"
            #expect(try read(values).apps[0].renewalLeewayHours == 0 && read(values).apps[0].transactionConfirmation == .hard)
            #expect(try read(values).apps[0].sandboxPurchases == SandboxPurchases.none)
            let app = try read(values).apps[0]
            #expect(app.reconciliationHours == 0 && app.finishing == .consumables)
            #expect(app.consumption == ConsumptionPolicy(consent: .all, preference: .decline, sample: .yes))
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
