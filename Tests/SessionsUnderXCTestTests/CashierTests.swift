import StoreKit
import StoreKitTest
import XCTest

private let credits = "com.example.monkeyshop.credits5"
private let sepia = "com.example.monkeyshop.filter.sepia"

/// StoreKit 1 as an app team tests it, with expectations and no `async`. The observers of earlier tests stay in the queue.
final class CashierTests: XCTestCase {
    private static let first = Cashier()
    private var session: SKTestSession!
    private var cashier: Cashier!

    override class func setUp() {
        super.setUp()
        // An app's delegate does so at launch, before there is a session.
        SKPaymentQueue.default().add(first)
    }

    override class func tearDown() {
        SKPaymentQueue.default().remove(first)
        super.tearDown()
    }

    override func setUpWithError() throws {
        try super.setUpWithError()
        session = try SKTestSession(configurationFileNamed: "MonkeyShop.storekit")
        XCTAssertTrue(session.allTransactions().isEmpty)
        XCTAssertTrue(SKPaymentQueue.default().transactions.isEmpty)
        XCTAssertEqual(SKPaymentQueue.default().transactionObservers.count, 1)
        session.resetToDefaultState()
        session.disableDialogs = true
        session.clearTransactions()
        cashier = Cashier()
        SKPaymentQueue.default().add(cashier)
    }

    override func tearDown() {
        session = nil
        SKPaymentQueue.default().remove(cashier)
        cashier = nil
        super.tearDown()
    }

    private func product(_ id: String) throws -> SKProduct {
        var found: [SKProduct] = []
        let loaded = expectation(description: "products came")
        cashier.onProducts = { products in
            found = products
            loaded.fulfill()
        }
        cashier.load([id])
        wait(for: [loaded], timeout: 30)
        return try XCTUnwrap(found.first)
    }

    func testPurchase() throws {
        let bought = expectation(description: "it was bought")
        let heard = expectation(description: "who listened before the session heard of it")
        cashier.onPurchase = { transaction in
            XCTAssertEqual(transaction.payment.productIdentifier, credits)
            XCTAssertNotNil(transaction.transactionIdentifier)
            bought.fulfill()
        }
        Self.first.onPurchase = { _ in heard.fulfill() }
        SKPaymentQueue.default().add(SKPayment(product: try product(credits)))
        wait(for: [bought, heard], timeout: 30)
        Self.first.onPurchase = nil
        XCTAssertEqual(session.allTransactions().map(\.state), [.purchased])
    }

    func testFailure() throws {
        session.failTransactionsEnabled = true
        session.failureError = .paymentNotAllowed
        let failed = expectation(description: "it failed")
        cashier.onFailure = { error in
            XCTAssertEqual((error as? SKError)?.code, .paymentNotAllowed)
            failed.fulfill()
        }
        SKPaymentQueue.default().add(SKPayment(product: try product(credits)))
        waitForExpectations(timeout: 30)
        XCTAssertTrue(session.allTransactions().isEmpty)
    }

    func testApproval() throws {
        session.askToBuyEnabled = true
        let asked = expectation(description: "a parent was asked")
        cashier.onDeferral = { _ in asked.fulfill() }
        SKPaymentQueue.default().add(SKPayment(product: try product(sepia)))
        wait(for: [asked], timeout: 30)
        let approved = expectation(description: "the parent has approved")
        cashier.onPurchase = { _ in approved.fulfill() }
        let transaction = try XCTUnwrap(session.allTransactions().first)
        XCTAssertTrue(transaction.pendingAskToBuyConfirmation)
        try session.approveAskToBuyTransaction(identifier: transaction.identifier)
        wait(for: [approved], timeout: 30)
    }

    func testParentIsAskedAndDoesNotAnswer() throws {
        session.askToBuyEnabled = true
        let asked = expectation(description: "a parent was asked")
        cashier.onDeferral = { _ in asked.fulfill() }
        SKPaymentQueue.default().add(SKPayment(product: try product(sepia)))
        wait(for: [asked], timeout: 30)
        XCTAssertEqual(SKPaymentQueue.default().transactions.map(\.transactionState), [.deferred])
    }

    func testRestore() throws {
        try session.buyProduct(productIdentifier: sepia)
        let restored = expectation(description: "it was restored")
        cashier.onRestore = { products in
            XCTAssertEqual(products, [sepia])
            restored.fulfill()
        }
        SKPaymentQueue.default().restoreCompletedTransactions()
        wait(for: [restored], timeout: 30)
    }
}
