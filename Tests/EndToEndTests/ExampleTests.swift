import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport
import Testing

/// Tests of the apps in `Examples` as processes, with a store from environment variables.
@Suite struct ExampleTests {
    private static let folder = URL(filePath: #filePath).appending(path: "../../../Examples").standardizedFileURL

    /// Runs `body` with the environment of one device.
    private func with(_ body: (CommandFolder, _ environment: String) async throws -> Void) async throws {
        let phone = try await Phone()
        let environment = try phone.environment.map { "export \($0)='\($1)'" }.joined(separator: "\n")
        try await CommandFolder.with { try await body($0, environment) }
        withExtendedLifetime(phone) {}
    }

    private func run(_ app: String, _ arguments: [String], _ command: CommandFolder, _ environment: String) async throws -> [String] {
        let outcome = try await command.shell("\(environment)\nexec '\(BuiltProducts.path(app))' \"$@\"", arguments)
        #expect(outcome.code == 0, "\(outcome.text) \(outcome.error)")
        return outcome.text.split(separator: "\n").map { String($0) }
    }

    @Test func `an app with a payment queue observer sells coins and counts each purchase once`() async throws {
        try await with { command, environment in
            for balance in [5, 10] {
                let lines = try await run("CoinShop", [SampleProduct.credits5.rawValue, "coins.json"], command, environment)
                #expect(lines.first?.hasSuffix("for $0.99") == true, "\(lines)")
                #expect(lines.last == "Balance: \(balance) coins.")
            }
        }
    }

    @Test func `an app with StoreKit 2 sells filters and lists owned filters at the next launch`() async throws {
        let filter = SampleProduct.sepia.rawValue
        try await with { command, environment in
            let before = try await run("FilterShop", [], command, environment)
            #expect(before.last == "Owned: ")
            let bought = try await run("FilterShop", [filter], command, environment)
            #expect(bought.suffix(2) == ["Bought.", "Owned: \(filter)"])
            let after = try await run("FilterShop", [], command, environment)
            #expect(after.last == "Owned: \(filter)")
        }
    }

    @Test func `the example apps have only code for Apple's platforms`() throws {
        for app in ["CoinShop", "FilterShop"] {
            let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.appending(path: app).path)
            #expect(files.count >= 2)
            let text = try files.map { try String(contentsOf: Self.folder.appending(path: "\(app)/\($0)"), encoding: .utf8) }.joined()
            #expect(text.contains("\nimport StoreKit\n"))
            #expect(!text.contains("OpenStoreKit") && !text.contains("#if"), "\(app)")
        }
    }
}
