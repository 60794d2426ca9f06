import StoreKit
import StoreKitTest
import XCTest

private let credits = "com.example.monkeyshop.credits5"
private let sepia = "com.example.monkeyshop.filter.sepia"
private let magazine = "com.example.monkeyshop.magazine"

/// Typical tests of an app that uses StoreKit 2. Tests leave transactions behind, and each test begins with an empty session.
@MainActor final class PurchaseManagerTests: XCTestCase {
    private var session: SKTestSession!
    // The manager listens before the first session is created.
    private let manager = PurchaseManager.shared

    override func setUp() async throws {
        try await super.setUp()
        session = try SKTestSession(configurationFileNamed: "MonkeyShop")
        XCTAssertTrue(session.allTransactions().isEmpty)
        for await result in Transaction.all { XCTFail("transaction of an earlier test: \(result.unsafePayloadValue.productID)") }
        for await result in Transaction.unfinished {
            XCTFail("unfinished transaction of an earlier test: \(result.unsafePayloadValue.productID)")
        }
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

    /// Returns an expectation of an update of this session's transactions. Updates of earlier sessions may still follow.
    private func update(_ description: String, _ isWanted: @escaping (Transaction) -> Bool = { _ in true }) -> XCTestExpectation {
        let update = expectation(description: description)
        update.assertForOverFulfill = false
        manager.onUpdate = { [session] transaction in
            let isOurs = session?.allTransactions().contains { UInt64($0.identifier) == transaction.id } ?? false
            if isOurs, isWanted(transaction) { update.fulfill() }
        }
        return update
    }

    func testPurchaseIsDeliveredAndFinished() async throws {
        guard case .success(.verified(let transaction)) = try await manager.buy(sepia) else {
            return XCTFail("The purchase did not succeed.")
        }
        XCTAssertEqual(transaction.productID, sepia)
        XCTAssertEqual(manager.owned, [sepia])
        for await _ in Transaction.unfinished { XCTFail("The transaction is not finished.") }
        XCTAssertEqual(session.allTransactions().map(\.productIdentifier), [sepia])
    }

    func testUnfinishedPurchaseStaysUnfinished() async throws {
        let product = try XCTUnwrap(manager.products.first { $0.id == credits })
        guard case .success = try await product.purchase() else { return XCTFail("The purchase did not succeed.") }
        var unfinished: [String] = []
        for await result in Transaction.unfinished { unfinished.append(try result.payloadValue.productID) }
        XCTAssertEqual(unfinished, [credits])
    }

    func testRefundTakesTheFilterAway() async throws {
        _ = try await manager.buy(sepia)
        let refunded = update("the refund is an update") { $0.revocationDate != nil }
        let transaction = try XCTUnwrap(session.allTransactions().first)
        try session.refundTransaction(identifier: transaction.identifier)
        await fulfillment(of: [refunded], timeout: 30)
        XCTAssertTrue(manager.owned.isEmpty)
    }

    func testRenewalsComeByThemselves() async throws {
        session.timeRate = .oneRenewalEveryTwoSeconds
        let renewed = update("the renewal is an update") { $0.originalID != $0.id }
        _ = try await manager.buy(magazine)
        await fulfillment(of: [renewed], timeout: 30)
        XCTAssertEqual(manager.owned, [magazine])
    }

    func testRenewalIsForcedAndExpiryTakesAccess() async throws {
        _ = try await manager.buy(magazine)
        let renewed = update("the renewal is an update") { $0.originalID != $0.id }
        try session.forceRenewalOfSubscription(productIdentifier: magazine)
        await fulfillment(of: [renewed], timeout: 30)
        XCTAssertEqual(session.allTransactions().count, 2)
        try session.expireSubscription(productIdentifier: magazine)
        await manager.refresh()
        XCTAssertTrue(manager.owned.isEmpty)
    }

    func testParentApproves() async throws {
        session.askToBuyEnabled = true
        guard case .pending = try await manager.buy(sepia) else { return XCTFail("The purchase is not pending.") }
        XCTAssertTrue(manager.owned.isEmpty)
        let approved = update("the approved purchase is an update")
        try session.approveAskToBuyTransaction(identifier: XCTUnwrap(session.allTransactions().first).identifier)
        await fulfillment(of: [approved], timeout: 30)
        XCTAssertEqual(manager.owned, [sepia])
    }

    func testFailingTransactionsThrow() async throws {
        session.failTransactionsEnabled = true
        session.failureError = .unknown
        do {
            _ = try await manager.buy(sepia)
            XCTFail("The purchase succeeded.")
        } catch {
            XCTAssertTrue(error is StoreKitError || error is Product.PurchaseError, "\(error)")
        }
        XCTAssertTrue(manager.owned.isEmpty)
    }

    func testSimulatedErrorIsThrown() async throws {
        try await session.setSimulatedError(.generic(.networkError(URLError(.notConnectedToInternet))), forAPI: .loadProducts)
        do {
            try await manager.load([sepia])
            XCTFail("The products were loaded.")
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
        let delivered = update("the purchase is an update")
        try session.buyProduct(productIdentifier: sepia)
        await fulfillment(of: [delivered], timeout: 30)
        XCTAssertEqual(manager.owned, [sepia])
    }
}
