import Foundation
import ProcessTestSupport
import Testing

/// Tests of `tillroll storekit lint`.
@Suite struct StorekitCommandTests {
    private static let good = """
        {"version":{"major":4,"minor":0},"products":[{"productID":"a","type":"Consumable","displayPrice":"0.99",
        "localizations":[{"locale":"en_US","displayName":"A"}]}]}
        """

    private static func lint(_ text: String, _ options: String...) async throws -> CommandFolder.Outcome {
        try await CommandFolder.with { command in
            try command.write(Data(text.utf8), to: "Shop.storekit")
            return try await command.run(["storekit", "lint", "Shop.storekit"] + options)
        }
    }

    @Test func `a file without findings prints only that the file is usable`() async throws {
        let outcome = try await Self.lint(Self.good)
        #expect(outcome.code == 0 && outcome.error.isEmpty && outcome.lines == ["usable  1 product"])
        let json = try await Self.lint(Self.good, "--json")
        #expect(json.code == 0 && json.error.isEmpty && json.json["result"] as? String == "usable" && json.json["products"] as? Int == 1)
    }

    @Test func `a warning is printed to standard error, and the file is usable`() async throws {
        let text = Self.good.replacing("\"version\"", with: "\"extra\":1,\"version\"")
        let outcome = try await Self.lint(text)
        #expect(outcome.code == 0 && outcome.lines == ["usable  1 product"])
        #expect(outcome.error.hasPrefix("warning: extra: "))
        let json = try await Self.lint(text, "--json")
        #expect((json.json["findings"] as? [[String: String]])?.map { $0["place"] } == ["extra"])
    }

    @Test(arguments: [
        ("0.99", "0,99", "products[0].displayPrice"), ("\"a\"", "\"\"", "products[0].productID"), ("{\"version\"", "{{", "$"),
        ("\"major\":4", "\"major\":0", "version.major"),
    ])
    func `an error has a place and a message`(_ part: String, _ wrong: String, _ place: String) async throws {
        let text = Self.good.replacing(part, with: wrong)
        let outcome = try await Self.lint(text)
        #expect(outcome.code == 1 && outcome.error.contains("error: \(place): ") && outcome.text.contains(place))
        let json = try await Self.lint(text, "--json")
        #expect(json.code == 1 && json.json["result"] as? String == "unusable" && json.place == place)
        #expect((json.json["message"] as? String)?.hasSuffix(".") == true)
    }

    private static let later = good.replacing("\"major\":4,\"minor\":0", with: "\"major\":6,\"minor\":3")
        .replacing("\"products\"", with: "\"subscriptionBundleGroups\":[{\"id\":\"1\"}],\"subscriptionSuiteGroups\":[],\"products\"")

    @Test func `a file of a later version is usable, and a warning names what is ignored`() async throws {
        let outcome = try await Self.lint(Self.later)
        #expect(outcome.code == 0 && outcome.lines == ["usable  1 product"])
        #expect(outcome.error.hasPrefix("warning: version: Version 6.3 "))
        #expect(outcome.error.contains("Ignored: subscriptionBundleGroups, subscriptionSuiteGroups."))
    }

    @Test func `a store sells the products of a file of a later version, after the same warning`() async throws {
        try await CommandFolder.with { command in
            try command.write(Data(Self.later.utf8), to: "Later.storekit")
            // The store ends at once, because its address is no address of this machine; the file is read before.
            let outcome = try await command.run("store", "up", "--host", "192.0.2.1", "--port", "0", "--storekit", "Later.storekit")
            #expect(outcome.code == 64 && outcome.error.contains("--host"))
            #expect(outcome.error.hasPrefix("Warning: Later.storekit: Version 6.3 "))
            #expect(outcome.error.contains("Ignored: subscriptionBundleGroups, subscriptionSuiteGroups."))
        }
    }

    @Test func `standard input is read, and an unreadable file is wrong usage`() async throws {
        try await CommandFolder.with { command in
            #expect(try await command.run("storekit", "lint", input: Data(Self.good.utf8)).code == 0)
            let missing = try await command.run("storekit", "lint", "nowhere.storekit")
            #expect(missing.code == 64 && missing.error.contains("nowhere.storekit") && missing.text.isEmpty)
            #expect(try await command.run("storekit", "lint", "--unknown").code == 64)
            let long = try await command.run(["storekit", "lint", "--json"], input: Data(count: 5 << 20))
            #expect(long.code == 1 && long.place == "$")
        }
    }

    @Test func `text from a file can't move the cursor of a terminal`() async throws {
        let outcome = try await Self.lint(Self.good.replacing("\"version\"", with: "\"\\u001b[2J\":1,\"version\""))
        #expect(outcome.code == 0 && !outcome.error.contains("\u{1B}"))
    }
}
