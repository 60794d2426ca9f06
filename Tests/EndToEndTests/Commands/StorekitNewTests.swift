import Foundation
import ProcessTestSupport
import Testing

/// Tests of `tillroll storekit new`.
@Suite struct StorekitNewTests {
    @Test(arguments: ["USA", "DEU", "JPN"])
    func `the sample products have no findings in any currency`(_ storefront: String) async throws {
        try await CommandFolder.with { command in
            let created = try await command.run("storekit", "new", "--storefront", storefront, "--bundle-id", "com.example.shop", "--json")
            #expect(created.code == 0 && created.json["file"] as? String == "Products.storekit")
            let products = try #require(created.json["products"] as? [[String: String]])
            #expect(products.map { $0["id"] } == ["coins", "themes", "pro.yearly", "pro.monthly"].map { "com.example.shop.\($0)" })
            #expect(Set(products.map { $0["currency"] }) == [["USA": "USD", "DEU": "EUR", "JPN": "JPY"][storefront]])
            let lint = try await command.run("storekit", "lint", "Products.storekit")
            #expect(lint.code == 0 && lint.error.isEmpty && lint.lines == ["usable  4 products"])
        }
    }

    @Test func `the products of options are written as given`() async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run(
                "storekit", "new", "Shop.storekit", "--product", "com.example.coins:consumable:0.99", "--product", "book:non-consumable:3",
                "--product", "season:non-renewing:19.90", "--product", "com.example.pro.monthly:monthly:4.99", "--product", "half:P6M:20")
            #expect(outcome.code == 0 && outcome.lines.first == "written  Shop.storekit  5 products")
            #expect(try await command.run("storekit", "lint", "Shop.storekit").error.isEmpty)
            let file = try #require(try JSONSerialization.jsonObject(with: command.read("Shop.storekit")) as? [String: Any])
            func prices(_ products: Any?) -> [String: String] {
                let all = products as? [[String: Any]] ?? []
                let pairs = all.map { ($0["productID"] as? String ?? "", $0["displayPrice"] as? String ?? "") }
                return Dictionary(uniqueKeysWithValues: pairs)
            }
            #expect(prices(file["products"]) == ["com.example.coins": "0.99", "book": "3"])
            #expect(prices(file["nonRenewingSubscriptions"]) == ["season": "19.90"])
            let groups = try #require(file["subscriptionGroups"] as? [[String: Any]])
            #expect(groups.count == 1 && prices(groups[0]["subscriptions"]) == ["com.example.pro.monthly": "4.99", "half": "20"])
            let subscriptions = try #require(groups[0]["subscriptions"] as? [[String: Any]])
            #expect(subscriptions.map { $0["recurringSubscriptionPeriod"] as? String } == ["P1M", "P6M"])
            #expect(subscriptions.map { $0["referenceName"] as? String } == ["Pro Monthly", "Half"])
        }
    }

    @Test func `an existing file is replaced only with --force`() async throws {
        try await CommandFolder.with { command in
            try command.write(Data("mine".utf8), to: "Shop.storekit")
            let refused = try await command.run("storekit", "new", "Shop.storekit")
            #expect(refused.code == 1 && refused.error.contains("Shop.storekit exists. Replace it with --force"))
            #expect(try command.read("Shop.storekit") == Data("mine".utf8))
            #expect(try await command.run("storekit", "new", "Shop.storekit", "--force").code == 0)
            #expect(try await command.run("storekit", "lint", "Shop.storekit").code == 0)
        }
    }

    @Test func `standard output has only the file`() async throws {
        try await CommandFolder.with { command in
            let printed = try await command.run("storekit", "new", "-")
            #expect(printed.code == 0 && printed.error.isEmpty)
            #expect(try await command.run(["storekit", "lint"], input: printed.output).lines == ["usable  4 products"])
            #expect(try await command.run("storekit", "new", "-", "--json").code == 64)
        }
    }

    @Test(arguments: [
        (["--product", "coins:consumable:0.999"], "at most 2 decimals"), (["--product", "coins:consumable:0,99"], "Invalid price"),
        (["--product", "coins:consumable:10.5", "--storefront", "JPN"], "without decimals"),
        (["--product", "coins:gold:1"], "coins:gold:1. Give ID:TYPE:PRICE, with one of the types consumable"),
        (["--product", "coins"], "coins"), (["--product", "pro:monthly:0"], "is 0"),
        (["--product", "a:consumable:1", "--product", "a:consumable:2"], "two products"), (["--storefront", "QQQ"], "QQQ"),
    ])
    func `wrong values are wrong usage and write nothing`(_ options: [String], _ words: String) async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run(["storekit", "new", "Shop.storekit"] + options)
            #expect(outcome.code == 64 && outcome.error.contains(words), "\(outcome.error)")
            #expect(throws: (any Error).self) { try command.read("Shop.storekit") }
        }
    }

    @Test func `a folder that does not exist is an output error`() async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run("storekit", "new", "none/Shop.storekit")
            #expect(outcome.code == 74 && outcome.error.contains("no such file or directory"))
        }
    }
}
