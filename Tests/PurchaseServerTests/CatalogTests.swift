import Foundation
import HTTPTypes
import Logging
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of a catalog that changes while the server runs.
@Suite struct CatalogTests {
    private static func admin(_ shop: Shop) -> Shop.Sender { .headers([.authorization: "Bearer \(shop.keys.admin)"]) }

    private static func ids(_ shop: Shop) async throws -> [ProductID] {
        try await shop.call(ServerEndpoints.products, Empty(), by: .app(nil)).value(ServerProductsReply.self).products.map(\.id)
    }

    @Test func `a product that is added while the server runs gives credits and entitlements, and survives a restart`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("server.sqlite").path()
            let gems = ServerProduct(id: "gems", credits: 7, currency: "gems", entitlements: ["vip"])
            let sale = TransactionPayload.sale("gems", .consumable, id: "1")
            try await Shop.open(database: .file(path)) { shop async throws in
                #expect(try await shop.record(sale).purchases.first?.fulfillment == .unknownProduct)
                let reply = try await shop.call(ServerEndpoints.putProducts, ServerProductsReply(products: [gems]), by: Self.admin(shop))
                #expect(try reply.value(ServerProductsReply.self).products.contains(gems))
                #expect(try await shop.record(sale).purchases.first?.fulfillment == .complete)
                #expect(try await shop.entitlement(to: "vip" as EntitlementName).isActive)
                let balances: BalancesReply = try await shop.call(ServerEndpoints.balances, Empty()).value()
                #expect(balances.amount(of: "gems") == 7)
            }
            try await Shop.open(database: .file(path)) { shop async throws in
                #expect(try await Self.ids(shop).contains("gems"))
                let path = ["product": "gems"]
                #expect(try await shop.call(ServerEndpoints.removeProduct, Empty(), path, by: Self.admin(shop)).status == .ok)
                #expect(try await !Self.ids(shop).contains("gems"))
                #expect(try await shop.call(ServerEndpoints.removeProduct, Empty(), path, by: Self.admin(shop)).code == "catalog.unknown")
            }
        }
    }

    @Test func `only an operator changes the catalog`() async throws {
        try await Shop.open { shop async throws in
            for sender in [shop.app, shop.backend] {
                let body = ServerProductsReply(products: [ServerProduct(id: "gems")])
                #expect(try await shop.call(ServerEndpoints.putProducts, body, by: sender).code == "key.scope")
            }
        }
    }

    @Test(arguments: [
        ([ServerProduct(id: "a", credits: 0)], "catalog.product"),
        ([ServerProduct(id: "a", file: "../secret")], "catalog.product"),
        ([ServerProduct(id: "a"), ServerProduct(id: "a")], "catalog.product"),
        ([ServerProduct(id: "")], "catalog.product"), ([ServerProduct(id: "a", entitlements: [""])], "catalog.product"),
    ])
    func `an invalid product changes nothing`(_ products: [ServerProduct], _ code: String) async throws {
        try await Shop.open { shop async throws in
            let before = try await Self.ids(shop)
            let answer = try await shop.call(
                ServerEndpoints.putProducts, ServerProductsReply(products: [ServerProduct(id: "gems")] + products), by: Self.admin(shop))
            #expect(answer.code == code)
            #expect(try await Self.ids(shop) == before)
            let empty = try await shop.call(ServerEndpoints.putProducts, ServerProductsReply(products: []), by: Self.admin(shop))
            #expect(empty.code == "catalog.count")
        }
    }

    @Test func `a changed products file is read again, and an invalid one is not`() async throws {
        try await TemporaryFolder.with { folder in
            let file = folder.file("products.json")
            try Data(#"[{"id":"a"}]"#.utf8).write(to: file)
            let log = RecordingLog()
            try await Shop.open(
                logger: log.logger,
                change: Shop.Change { app in
                    app.products = [ServerProduct(id: "a")]
                    app.productsFile = file.path()
                }
            ) { shop async throws in
                let catalog = try #require(shop.server.apps[.test]).catalog
                #expect(try await Self.ids(shop) == ["a"])
                try Data(#"[{"id":"a"},{"id":"second"}]"#.utf8).write(to: file)
                try await catalog.refresh()
                #expect(try await Self.ids(shop) == ["a", "second"])
                for invalid in ["[", #"[{"id":"a"},{"id":"a"},{"id":"c"}]"#, #"[{"id":"a","credit":5,"x":1}]"#] {
                    try Data(invalid.utf8).write(to: file)
                    try await catalog.refresh()
                    try await catalog.refresh()
                    #expect(try await Self.ids(shop) == ["a", "second"])
                }
                #expect(log.lines(.error).count == 3)
                try FileManager.default.removeItem(at: file)
                try await catalog.refresh()
                #expect(try await Self.ids(shop) == ["a", "second"])
            }
        }
    }

    @Test func `a product that the file no longer lists stays for its customers until the file says that it ends`() async throws {
        try await TemporaryFolder.with { folder in
            let (file, database) = (folder.file("products.json"), folder.file("server.sqlite").path())
            @Sendable func write(_ products: String) throws { try Data("[\(products)]".utf8).write(to: file) }
            let change = Shop.Change { app in
                app.productsFile = file.path()
                app.products = (try? ProductFiles(app).products()) ?? []
            }
            let premium: EntitlementName = "premium"
            let book = #"{"id":"com.example.monkeyshop.book","entitlements":["premium"]}"#
            try write(#"{"id":"a"},\#(book)"#)
            try await Shop.open(database: .file(database), change: change) { shop async throws in
                try await shop.record(.bookSale)
                try await shop.record(.bookSale.with { ($0.transactionId, $0.originalTransactionId, $0.appAccountToken) = ("7", "7", nil) })
                try await #require(shop.server.apps[.test]).catalog.reportChange()
            }
            // A server that starts with a shorter file knows what the file had.
            try write(#"{"id":"a"}"#)
            let log = RecordingLog()
            try await Shop.open(database: .file(database), logger: log.logger, change: change) { shop async throws in
                let catalog = try #require(shop.server.apps[.test]).catalog
                try await catalog.reportChange()
                #expect(try await shop.entitlement(to: premium).isActive)
                #expect(try await Self.ids(shop) == ["a"])
                let kept = try #require(log.lines(.warning).first { $0.contains("no longer list") })
                #expect(kept.contains("premium: 1") && kept.contains("com.example.monkeyshop.book"), "\(kept)")
                // An unconfirmed removal is reported once for each start.
                try await catalog.reportChange()
                #expect(log.lines(.warning).count { $0.contains("no longer list") } == 1)

                try write(#"{"id":"a"},{"id":"com.example.monkeyshop.book","entitlements":[]}"#)
                try await catalog.refresh()
                #expect(try await !shop.entitlement(to: premium).isActive)
                try await catalog.reportChange()
                let reduced = try #require(log.lines(.warning).first { $0.contains("less than before") })
                #expect(reduced.contains("premium: 1"), "\(reduced)")
                // After the confirmation, the line is not needed.
                try write(#"{"id":"a"}, {"id":"b"}"#)
                try await catalog.refresh()
                try await catalog.reportChange()
                #expect(log.lines(.warning).count { $0.contains("no longer list") } == 1)
                #expect(catalog.fileProducts.map(\.id) == ["a", "b"])
            }
        }
    }

    private static let changes: [(product: ServerProduct, givesLess: Bool)] = {
        func product(
            credits: Int? = 5, _ currency: CurrencyID? = nil, _ entitlements: [EntitlementName] = ["vip"], _ duration: String? = "P30D"
        ) -> ServerProduct {
            ServerProduct(
                id: "pass", credits: credits, currency: currency, entitlements: entitlements,
                duration: duration.flatMap { BillingPeriod(iso8601: $0) }, file: "pass.txt")
        }
        return [
            (product(), false), (product(credits: 6), false), (product(credits: 4), true), (product(credits: nil), true),
            (product(.credits), false), (product(credits: 50, "gems"), true), (product(nil, ["vip", "beta"]), false),
            (product(nil, []), true),
            (product(nil, ["vip"], nil), false), (product(nil, ["vip"], "P31D"), false), (product(nil, ["vip"], "P1Y"), false),
            (product(nil, ["vip"], "P29D"), true), (product(nil, ["vip"], "P4W"), true),
            // A purchase in February would end after 28 days.
            (product(nil, ["vip"], "P1M"), true),
        ]
    }()

    @Test(arguments: changes.indices)
    func `only a product whose purchases give less counts as reduced`(_ index: Int) {
        let (known, change) = (Self.changes[0].product, Self.changes[index])
        #expect(FileProductChange(from: [known], to: [change.product]).reduced.isEmpty != change.givesLess)
    }

    @Test func `a duration for a product without one gives less`() {
        let (endless, month) = (ServerProduct(id: "pass"), ServerProduct(id: "pass", duration: BillingPeriod(1, .month)))
        #expect(FileProductChange(from: [endless], to: [month]).reduced == [month])
        #expect(FileProductChange(from: [month], to: [endless]).reduced.isEmpty)
    }

    @Test func `a storekit file lists the products, and the products file adds what only the server knows`() async throws {
        try await TemporaryFolder.with { folder in
            let (storekit, products) = (folder.file("Shop.storekit"), folder.file("products.json"))
            try Data(
                #"""
                { "products" : [ { "productID" : "coins", "type" : "Consumable", "displayPrice" : "0.99", "localizations" : [
                    { "locale" : "en_US", "displayName" : "Coins", "description" : "" }, { "locale" : "pt_BR", "displayName" : "Moedas" },
                    { "locale" : "de", "displayName" : "" } ] } ],
                  "nonRenewingSubscriptions" : [ { "productID" : "pass" } ],
                  "subscriptionGroups" : [ { "id" : "77", "subscriptions" : [ { "productID" : "pro" } ] } ], "settings" : { "x" : 1 } }
                """#.utf8
            ).write(to: storekit)
            try Data(#"[{"id":"old"},{"id":"coins","credits":5},{"id":"pro","entitlements":["premium"]}]"#.utf8).write(to: products)
            let log = RecordingLog()
            try await Shop.open(
                logger: log.logger,
                change: Shop.Change { app in
                    (app.storekitFile, app.productsFile) = (storekit.path(), products.path())
                    app.products = (try? ProductFiles(app).products()) ?? []
                }
            ) { shop async throws in
                #expect(try await Self.ids(shop) == ["coins", "pass", "pro", "old"])
                let catalog = try #require(shop.server.apps[.test]).catalog
                let coins = ServerProduct(
                    id: "coins", type: .consumable, credits: 5,
                    localizations: [
                        "en-US": ServerProduct.Localization(displayName: "Coins"),
                        "pt-BR": ServerProduct.Localization(displayName: "Moedas"),
                    ])
                #expect(catalog.catalog["coins"] == coins)
                #expect(catalog.catalog["pass"]?.type == .nonRenewing)
                #expect(catalog.catalog["pro"]?.subscriptionGroupID == "77")
                #expect(catalog.catalog["pro"]?.entitlements == ["premium"])
                // A new product of Xcode appears without a restart.
                try Data(#"{ "products" : [ { "productID" : "book", "type" : "NonConsumable" } ] }"#.utf8).write(to: storekit)
                try await catalog.refresh()
                #expect(try await Self.ids(shop) == ["book", "old", "coins", "pro"])
                for invalid in ["[]", #"{"products":{}}"#, #"{"products":[{"productID":"x"}]}"#, #"{"products":[{"type":"Consumable"}]}"#] {
                    try Data(invalid.utf8).write(to: storekit)
                    try await catalog.refresh()
                    #expect(try await Self.ids(shop) == ["book", "old", "coins", "pro"])
                }
                #expect(log.lines(.error).count == 4)
            }
        }
    }

    @Test func `a storekit file of a later version lists its known products, and the log names what is ignored`() async throws {
        try await TemporaryFolder.with { folder in
            let storekit = folder.file("Shop.storekit")
            let text = #"""
                { "version" : { "major" : 6, "minor" : 3 }, "subscriptionBundleGroups" : [ { "id" : "1" } ], "products" : [
                  { "productID" : "coins", "type" : "Consumable" }, { "sku" : 1, "type" : "SubscriptionBundle" } ],
                  "subscriptionGroups" : [ { "id" : "77", "subscriptions" : [ { "productID" : "pro" }, { "type" : "Suite" } ] } ] }
                """#
            try Data(text.utf8).write(to: storekit)
            let log = RecordingLog()
            try await Shop.open(
                logger: log.logger,
                change: Shop.Change { app in
                    app.storekitFile = storekit.path()
                    app.products = (try? ProductFiles(app).products()) ?? []
                }
            ) { shop async throws in
                #expect(try await Self.ids(shop) == ["coins", "pro"])
                let ignored = "Ignored: subscriptionBundleGroups, products[1], subscriptionGroups[0].subscriptions[1]."
                #expect(log.lines(.warning).count { $0.contains("version 6.3") && $0.contains(ignored) } == 1)
                try Data(text.replacing("coins", with: "gems").utf8).write(to: storekit)
                try await #require(shop.server.apps[.test]).catalog.refresh()
                #expect(try await Self.ids(shop) == ["gems", "pro"])
                #expect(log.lines(.warning).count { $0.contains(ignored) } == 2)
            }
        }
    }

    @Test func `a change of another server process takes effect with the next refresh`() async throws {
        try await TemporaryFolder.with { folder in
            var configuration = try Shop.configuration(contentFolder: folder.url.path())
            configuration.database = .file(folder.file("server.sqlite").path())
            let servers = [
                try await PurchaseServer(configuration: configuration, clock: ManualClock(), logger: .silent),
                try await PurchaseServer(configuration: configuration, clock: ManualClock(), logger: .silent),
            ]
            let catalogs = try servers.map { try #require($0.apps[.test]).catalog }
            try await catalogs[0].put([ServerProduct(id: "gems")])
            #expect(catalogs[1].catalog["gems"] == nil)
            try await catalogs[1].refresh()
            #expect(catalogs[1].catalog["gems"] != nil)
        }
    }

    @Test func `an unavailable product is not listed, and keeps the entitlements of its purchases`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.bookSale)
            let book = ServerProduct(id: .book, file: "book.txt", isAvailable: false)
            _ = try await shop.call(ServerEndpoints.putProducts, ServerProductsReply(products: [book]), by: Self.admin(shop))
            #expect(try await !Self.ids(shop).contains(.book))
            #expect(try await shop.entitlement(to: .book).isActive)
            #expect(try await shop.downloadToken().status == .ok)
        }
    }

    @Test(arguments: [
        ("", ["en", "pt", "pt-BR"]), ("?language=pt-BR", ["pt-BR"]), ("?language=pt-PT", ["pt"]), ("?language=EN-us", ["en"]),
        ("?language=de", nil),
    ])
    func `the list has the texts of the requested language`(_ query: String, _ tags: [String]?) async throws {
        try await Shop.open { shop async throws in
            let texts = ["en": "Book", "pt": "Livro", "pt-BR": "Livro (Brasil)"].mapValues { ServerProduct.Localization(displayName: $0) }
            let book = ServerProduct(id: .book, localizations: texts)
            _ = try await shop.call(ServerEndpoints.putProducts, ServerProductsReply(products: [book]), by: Self.admin(shop))
            let list: ServerProductsReply = try await shop.call(ServerEndpoints.products, Empty(), query: query, by: .app(nil)).value()
            #expect(list.products.first { $0.id == .book }?.localizations?.keys.sorted() == tags)
        }
    }

    @Test func `a client that has the list receives status 304 until the list changes`() async throws {
        try await Shop.open { shop async throws in
            var headers: HTTPFields = [.authorization: "Bearer \(shop.keys.publishable)"]
            let tag = try #require(try await shop.get("/v1/products", headers).headers[.eTag])
            for match in [tag, "\"other\", \(tag)", "W/\(tag)", "*"] {
                headers[.ifNoneMatch] = match
                let answer = try await shop.get("/v1/products", headers)
                #expect(answer.status == .notModified && answer.body.isEmpty && answer.headers[.eTag] == tag)
            }
            _ = try await shop.call(
                ServerEndpoints.putProducts, ServerProductsReply(products: [ServerProduct(id: "gems")]), by: Self.admin(shop))
            headers[.ifNoneMatch] = tag
            let changed = try await shop.get("/v1/products", headers)
            #expect(changed.status == .ok && changed.headers[.eTag] != tag)
        }
    }
}
