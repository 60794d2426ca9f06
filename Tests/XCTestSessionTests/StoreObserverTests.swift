import StoreKit
import StoreKitTest
import XCTest

private let credits = "com.example.monkeyshop.credits5"
private let sepia = "com.example.monkeyshop.filter.sepia"

/// Typical tests of an app that uses StoreKit 1, with expectations and without `async`. One observer stays in the queue for all tests.
final class StoreObserverTests: XCTestCase {
    private static let first = StoreObserver()
    private var session: SKTestSession!
    private var observer: StoreObserver!

    override class func setUp() {
        super.setUp()
        // An app delegate adds its observer at launch, before the first session is created.
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
        observer = StoreObserver()
        SKPaymentQueue.default().add(observer)
    }

    override func tearDown() {
        session = nil
        SKPaymentQueue.default().remove(observer)
        observer = nil
        super.tearDown()
    }

    private func product(_ id: String) throws -> SKProduct {
        var found: [SKProduct] = []
        let loaded = expectation(description: "the products are loaded")
        observer.onProducts = { products in
            found = products
            loaded.fulfill()
        }
        observer.load([id])
        wait(for: [loaded], timeout: 30)
        return try XCTUnwrap(found.first)
    }

    func testPurchase() throws {
        let bought = expectation(description: "the purchase is delivered")
        let notified = expectation(description: "the observer from before the session receives the purchase")
        observer.onPurchase = { transaction in
            XCTAssertEqual(transaction.payment.productIdentifier, credits)
            XCTAssertNotNil(transaction.transactionIdentifier)
            bought.fulfill()
        }
        Self.first.onPurchase = { _ in notified.fulfill() }
        SKPaymentQueue.default().add(SKPayment(product: try product(credits)))
        wait(for: [bought, notified], timeout: 30)
        Self.first.onPurchase = nil
        XCTAssertEqual(session.allTransactions().map(\.state), [.purchased])
    }

    func testFailure() throws {
        session.failTransactionsEnabled = true
        session.failureError = .paymentNotAllowed
        let failed = expectation(description: "the payment failed")
        observer.onFailure = { error in
            XCTAssertEqual((error as? SKError)?.code, .paymentNotAllowed)
            failed.fulfill()
        }
        SKPaymentQueue.default().add(SKPayment(product: try product(credits)))
        waitForExpectations(timeout: 30)
        XCTAssertTrue(session.allTransactions().isEmpty)
    }

    func testApproval() throws {
        session.askToBuyEnabled = true
        let deferred = expectation(description: "the payment is deferred")
        observer.onDeferral = { _ in deferred.fulfill() }
        SKPaymentQueue.default().add(SKPayment(product: try product(sepia)))
        wait(for: [deferred], timeout: 30)
        let approved = expectation(description: "the approved purchase is delivered")
        observer.onPurchase = { _ in approved.fulfill() }
        let transaction = try XCTUnwrap(session.allTransactions().first)
        XCTAssertTrue(transaction.pendingAskToBuyConfirmation)
        try session.approveAskToBuyTransaction(identifier: transaction.identifier)
        wait(for: [approved], timeout: 30)
    }

    func testParentIsAskedAndDoesNotAnswer() throws {
        session.askToBuyEnabled = true
        let deferred = expectation(description: "the payment is deferred")
        observer.onDeferral = { _ in deferred.fulfill() }
        SKPaymentQueue.default().add(SKPayment(product: try product(sepia)))
        wait(for: [deferred], timeout: 30)
        XCTAssertEqual(SKPaymentQueue.default().transactions.map(\.transactionState), [.deferred])
    }

    func testRestore() throws {
        try session.buyProduct(productIdentifier: sepia)
        let restored = expectation(description: "the restore finished")
        observer.onRestore = { products in
            XCTAssertEqual(products, [sepia])
            restored.fulfill()
        }
        SKPaymentQueue.default().restoreCompletedTransactions()
        wait(for: [restored], timeout: 30)
    }
}
