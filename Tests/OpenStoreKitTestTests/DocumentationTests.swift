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

    @Test func `a filter that was refunded is gone`() async throws {
        let product = try #require(try await Product.products(for: ["com.example.monkeyshop.filter.sepia"]).first)
        guard case .success(.verified(let transaction)) = try await product.purchase() else {
            Issue.record("it was not bought")
            return
        }
        await transaction.finish()
        #expect(await Transaction.currentEntitlement(for: product.id) != nil)

        try session.refundTransaction(identifier: UInt(transaction.id))
        #expect(await Transaction.currentEntitlement(for: product.id) == nil)
    }
}

@Suite(.storeKit(configurationFileNamed: "MonkeyShop")) struct CoinTests {
    @Test func `coins bought elsewhere arrive`() async throws {
        let session = try #require(SKTestSession.current)
        try await session.buyProduct(identifier: "com.example.monkeyshop.credits5")
        #expect(session.allTransactions().count == 1)
    }
}

/// The page about test sessions shows code that runs: the code above.
@Suite struct DocumentationTests {
    @Test func `every example of the page is in this file`() throws {
        let here = URL(filePath: #filePath)
        let page = here.appending(path: "../../../docs/testing-with-sktestsession.md").standardizedFileURL
        let code = try String(contentsOf: here, encoding: .utf8)
        let examples = try String(contentsOf: page, encoding: .utf8).split(separator: "```swift\n").dropFirst()
            .compactMap { $0.split(separator: "```").first }.filter { $0.contains("@Suite") }
        #expect(examples.count == 2)
        for example in examples { #expect(code.contains(example), "\(example)") }
    }
}
