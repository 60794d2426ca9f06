import Crypto
import Foundation
import FoundationExtras
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOFoundationCompat
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import StoreTestSupport
import Testing

@testable import PurchaseServer

/// Tests of the addresses of the App Store, and of a server that can't ask it.
@Suite struct AppStoreAddressTests {
    @Test(arguments: ["", "/", "/verifyReceipt", "/verifyReceipt/"])
    func `the URL of verifyReceipt may end with its path`(_ end: String) async throws {
        let change = Shop.Change { app in
            app.receiptConfirmation = .hard
            app.verifyReceiptProductionURL = HTTPURL(app.verifyReceiptProductionURL.base + end) ?? app.verifyReceiptProductionURL
            app.verifyReceiptSandboxURL = HTTPURL(app.verifyReceiptSandboxURL.base + end) ?? app.verifyReceiptSandboxURL
        }
        try await Shop.open(change: change) { shop async throws in
            #expect(try await shop.recordReceipt().status == .verified)
        }
        try await ConnectedShop.open(change: change) { shop in try await shop.server.checkAddresses() }
    }

    private static let wrong: [(key: String, change: Shop.Change)] = [
        ("verify-receipt.production-url", Shop.Change { $0.verifyReceiptProductionURL = HTTPURL(root($0).base + "/prod") ?? root($0) }),
        ("verify-receipt.sandbox-url", Shop.Change { $0.verifyReceiptSandboxURL = HTTPURL(root($0).base + "/sandbx") ?? root($0) }),
        (
            "app-store-server-api.url",
            Shop.Change { app in
                let url = HTTPURL(root(app).base + "/api")
                app.appStoreServerAPI?.baseURL = url
            }
        ),
    ]

    private static func root(_ app: AppConfiguration) -> HTTPURL {
        app.appStoreServerAPI?.baseURL ?? app.verifyReceiptProductionURL
    }

    @Test(arguments: wrong.map(\.key))
    func `at a wrong path, a server does not start, and names the key`(_ key: String) async throws {
        let change = try #require(Self.wrong.first { $0.key == key }?.change)
        try await ConnectedShop.open(change: change) { shop in
            let error = await #expect(throws: ConfigurationError.self) { try await shop.server.checkAddresses() }
            #expect(error?.key == key && error?.description.contains("http://127.0.0.1:") == true, "\(String(describing: error))")
        }
    }

    @Test func `the App Store Server API is checked also at a URL of verifyReceipt`() async throws {
        let router = Router()
        router.post("shared/verifyReceipt") { _, _ in #"{"status":21002}"# }
        let application = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
        try await application.test(.live) { client in
            let port = try #require(client.port)
            let url = HTTPURL("http://127.0.0.1:\(port)/shared")
            let change = Shop.Change { app in
                (app.verifyReceiptProductionURL, app.verifyReceiptSandboxURL) = (url, url)
                app.appStoreServerAPI?.baseURL = url
            }
            try await ConnectedShop.open(change: change) { shop in
                let error = await #expect(throws: ConfigurationError.self) { try await shop.server.checkAddresses() }
                #expect(error?.key == "app-store-server-api.url", "\(String(describing: error))")
            }
        }
    }

    @Test func `an address at which nothing answers is logged`() async throws {
        let log = RecordingLog()
        let change = Shop.Change { app in
            (app.verifyReceiptProductionURL, app.verifyReceiptSandboxURL) = ("http://127.0.0.1:1", "http://127.0.0.1:1/sandbox")
        }
        try await ConnectedShop.open(logger: log.logger, change: change) { shop in
            try await shop.server.checkAddresses()
            #expect(log.lines(.warning).count { $0.contains("nothing answers at a configured URL") } == 2)
        }
    }

    @Test func `an address that refuses requests for a short time is logged`() async throws {
        let statuses = [408, 425, 429, 503]
        let router = Router()
        for status in statuses {
            router.post("\(status)/verifyReceipt") { _, _ in Response(status: HTTPResponse.Status(code: status)) }
        }
        let application = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
        try await application.test(.live) { client in
            let port = try #require(client.port)
            for pair in [(408, 425), (429, 503)] {
                let log = RecordingLog()
                let urls = [pair.0, pair.1].compactMap { HTTPURL("http://127.0.0.1:\(port)/\($0)") }
                let change = Shop.Change { app in
                    (app.verifyReceiptProductionURL, app.verifyReceiptSandboxURL) = (urls[0], urls[1])
                }
                try await ConnectedShop.open(logger: log.logger, change: change) { shop in
                    try await shop.server.checkAddresses()
                    let warnings = log.lines(.warning).filter { $0.contains("nothing answers at a configured URL") }
                    #expect(warnings.count == 2 && urls.allSatisfy { url in warnings.contains { $0.contains(url.base) } })
                }
            }
        }
    }

    @Test(arguments: ["https://buy.itunes.apple.com/verify", "https://sandbox.itunes.apple.com/verifyReceipt/verifyReceipt"])
    func `a path that Apple's App Store does not have is refused`(_ url: String) throws {
        var configuration = try Shop.configuration(contentFolder: FileManager.default.temporaryDirectory.path())
        configuration.apps[0].verifyReceiptProductionURL = try #require(HTTPURL(url))
        let error = #expect(throws: ConfigurationError.self) { try configuration.validate() }
        #expect(error?.key == "verify-receipt.production-url")
    }

    private static let access: [(key: Bool, secret: String?, confirmation: ReceiptConfirmation, isWarned: Bool)] = [
        (false, nil, .soft, true), (false, "", .hard, true), (false, "0123", .off, true), (false, "0123", .soft, false),
        (true, nil, .off, false),
    ]

    @Test(arguments: access.indices, [AppEnvironment.production, .sandbox])
    func `a production server that can't ask the App Store says so at its start, later, and when it is ready`(
        _ index: Int, _ environment: AppEnvironment
    ) async throws {
        let access = Self.access[index]
        let log = RecordingLog()
        try await TemporaryFolder.with { folder in
            try Shop.bookText.write(to: folder.file("book.txt"))
            var configuration = try Shop.configuration(contentFolder: folder.url.path())
            (configuration.environment, configuration.roots) = (environment, .apple)
            configuration.apps[0].sharedSecret = access.secret
            configuration.apps[0].receiptConfirmation = access.confirmation
            if access.key {
                configuration.apps[0].appStoreServerAPI = AppStoreServerAPIKey(
                    issuerID: UUID().uuidString, keyID: "ABC1234567", privateKey: testPrivateKey)
            }
            let server = try await PurchaseServer(configuration: configuration, logger: log.logger)
            let isWarned = access.isWarned && environment == .production
            func messages() -> [String] { log.lines(.error).filter { $0.contains("after a lost renewal, the customer") } }
            #expect(messages().count == (isWarned ? 1 : 0))
            #expect(server.services.contains { $0 is AppStoreAccessReminder } == isWarned)
            server.reminder.log()
            #expect(messages().count == (isWarned ? 2 : 0))
            try await server.application(hostname: "127.0.0.1", port: 0) { _ in }.test(.router) { client in
                let body = try await client.execute(uri: "/readyz", method: .get) { Data(buffer: $0.body) }
                let status = try WireJSON.decode(HealthController.Status.self, from: body)
                #expect(status == HealthController.Status(warnings: isWarned ? ["app-store.not-configured"] : nil))
            }
        }
    }
}

/// A key that signs nothing which anyone accepts.
private let testPrivateKey = P256.Signing.PrivateKey().pemRepresentation
