import StoreKit
import StoreKitTest
import XCTest

private let credits = "com.example.monkeyshop.credits5"
private let sepia = "com.example.monkeyshop.filter.sepia"
private let magazine = "com.example.monkeyshop.magazine"

/// StoreKit 2 as an app team tests it. Every test leaves something behind, and each begins with nothing.
@MainActor final class PurchaseManagerTests: XCTestCase {
    private var session: SKTestSession!
    // It listens before there is a session.
    private let manager = PurchaseManager.shared

    override func setUp() async throws {
        try await super.setUp()
        session = try SKTestSession(configurationFileNamed: "MonkeyShop")
        XCTAssertTrue(session.allTransactions().isEmpty)
        for await result in Transaction.all { XCTFail("left over: \(result.unsafePayloadValue.productID)") }
        for await result in Transaction.unfinished { XCTFail("unfinished: \(result.unsafePayloadValue.productID)") }
        XCTAssertTrue(SKPaymentQueue.default().transactions.isEmpty)
        session.resetToDefaultState()
        session.disableDialogs = true
        session.clearTransactions()
        try await manager.load([credits, sepia, magazine])
        await manager.refresh()
        XCTAssertTrue(manager.owned.isEmpty)
    }

    override func tearDown() async throws {
        manager.onUpdate = nil
        session = nil
        try await super.tearDown()
    }

    /// What the listener is told of a transaction of this session; it may still be busy with those of the test before.
    private func update(_ what: String, _ isWanted: @escaping (Transaction) -> Bool = { _ in true }) -> XCTestExpectation {
        let update = expectation(description: what)
        update.assertForOverFulfill = false
        manager.onUpdate = { [session] transaction in
            let isOurs = session?.allTransactions().contains { UInt64($0.identifier) == transaction.id } ?? false
            if isOurs, isWanted(transaction) { update.fulfill() }
        }
        return update
    }

    func testPurchaseIsDeliveredAndFinished() async throws {
        guard case .success(.verified(let transaction)) = try await manager.buy(sepia) else { return XCTFail("it was not bought") }
        XCTAssertEqual(transaction.productID, sepia)
        XCTAssertEqual(manager.owned, [sepia])
        for await _ in Transaction.unfinished { XCTFail("it is not finished") }
        XCTAssertEqual(session.allTransactions().map(\.productIdentifier), [sepia])
    }

    func testUnfinishedPurchaseStaysUnfinished() async throws {
        let product = try XCTUnwrap(manager.products.first { $0.id == credits })
        guard case .success = try await product.purchase() else { return XCTFail("it was not bought") }
        var unfinished: [String] = []
        for await result in Transaction.unfinished { unfinished.append(try result.payloadValue.productID) }
        XCTAssertEqual(unfinished, [credits])
    }

    func testRefundTakesTheFilterAway() async throws {
        _ = try await manager.buy(sepia)
        let refunded = update("the refund came") { $0.revocationDate != nil }
        let transaction = try XCTUnwrap(session.allTransactions().first)
        try session.refundTransaction(identifier: transaction.identifier)
        await fulfillment(of: [refunded], timeout: 30)
        XCTAssertTrue(manager.owned.isEmpty)
    }

    func testRenewalsComeByThemselves() async throws {
        session.timeRate = .oneRenewalEveryTwoSeconds
        let renewed = update("it was renewed") { $0.originalID != $0.id }
        _ = try await manager.buy(magazine)
        await fulfillment(of: [renewed], timeout: 30)
        XCTAssertEqual(manager.owned, [magazine])
    }

    func testRenewalIsForcedAndExpiryTakesAccess() async throws {
        _ = try await manager.buy(magazine)
        let renewed = update("it was renewed") { $0.originalID != $0.id }
        try session.forceRenewalOfSubscription(productIdentifier: magazine)
        await fulfillment(of: [renewed], timeout: 30)
        XCTAssertEqual(session.allTransactions().count, 2)
        try session.expireSubscription(productIdentifier: magazine)
        await manager.refresh()
        XCTAssertTrue(manager.owned.isEmpty)
    }

    func testParentApproves() async throws {
        session.askToBuyEnabled = true
        guard case .pending = try await manager.buy(sepia) else { return XCTFail("nobody was asked") }
        XCTAssertTrue(manager.owned.isEmpty)
        let approved = update("it was approved")
        try session.approveAskToBuyTransaction(identifier: XCTUnwrap(session.allTransactions().first).identifier)
        await fulfillment(of: [approved], timeout: 30)
        XCTAssertEqual(manager.owned, [sepia])
    }

    func testFailingTransactionsThrow() async throws {
        session.failTransactionsEnabled = true
        session.failureError = .unknown
        do {
            _ = try await manager.buy(sepia)
            XCTFail("it was bought")
        } catch {
            XCTAssertTrue(error is StoreKitError || error is Product.PurchaseError, "\(error)")
        }
        XCTAssertTrue(manager.owned.isEmpty)
    }

    func testSimulatedErrorIsThrown() async throws {
        try await session.setSimulatedError(.generic(.networkError(URLError(.notConnectedToInternet))), forAPI: .loadProducts)
        do {
            try await manager.load([sepia])
            XCTFail("products came")
        } catch StoreKitError.networkError(let error) {
            XCTAssertEqual(error.code, .notConnectedToInternet)
        }
    }

    func testSecondSessionSeesWhatTheFirstSold() async throws {
        _ = try await manager.buy(sepia)
        session.failTransactionsEnabled = true
        let second = try SKTestSession(configurationFileNamed: "MonkeyShop")
        XCTAssertEqual(second.allTransactions().map(\.productIdentifier), [sepia])
        _ = try await manager.buy(credits)
        XCTAssertEqual(session.allTransactions().count, 2)
    }

    func testPurchaseOutsideTheAppIsDelivered() async throws {
        let delivered = update("it came")
        try session.buyProduct(productIdentifier: sepia)
        await fulfillment(of: [delivered], timeout: 30)
        XCTAssertEqual(manager.owned, [sepia])
    }
}
