import Foundation
import OpenStoreKitTest
import StoreKit
import StoreKitTest
import Testing

@Suite struct ShopTests {
    private let session: SKTestSession

    init() throws {
        session = try SKTestSession(configurationFileNamed: "MonkeyShop")
        session.disableDialogs = true
    }

    @Test func `a refunded filter is no entitlement`() async throws {
        let product = try #require(try await Product.products(for: ["com.example.monkeyshop.filter.sepia"]).first)
        guard case .success(.verified(let transaction)) = try await product.purchase() else {
            Issue.record("The purchase did not succeed.")
            return
        }
        await transaction.finish()
        #expect(await Transaction.currentEntitlement(for: product.id) != nil)

        try session.refundTransaction(identifier: UInt(transaction.id))
        #expect(await Transaction.currentEntitlement(for: product.id) == nil)
    }
}

@Suite(.storeKit(configurationFileNamed: "MonkeyShop")) struct CoinTests {
    @Test func `a session records a purchase outside the app`() async throws {
        let session = try #require(SKTestSession.current)
        try await session.buyProduct(identifier: "com.example.monkeyshop.credits5")
        #expect(session.allTransactions().count == 1)
    }
}

/// The examples of `docs/testing-with-sktestsession.md` are the suites above.
@Suite struct DocumentationTests {
    @Test func `every example of the documentation page is in this file`() throws {
        let here = URL(filePath: #filePath)
        let page = here.appending(path: "../../../docs/testing-with-sktestsession.md").standardizedFileURL
        let code = try String(contentsOf: here, encoding: .utf8)
        let examples = try String(contentsOf: page, encoding: .utf8).split(separator: "```swift\n").dropFirst()
            .compactMap { $0.split(separator: "```").first }.filter { $0.contains("@Suite") }
        #expect(examples.count == 2)
        for example in examples { #expect(code.contains(example), "\(example)") }
    }
}
