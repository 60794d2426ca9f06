import Foundation
import OpenStoreKitTest
import StoreKit
import StoreKitTest
import Testing

/// Properties and methods of a session.
@Suite struct SessionTests {
    private let session: SKTestSession

    init() throws {
        session = try SessionFile.session()
    }

    @discardableResult
    private func buy(_ id: String) async throws -> Transaction {
        let product = try #require(try await Product.products(for: [id]).first)
        guard case .success(let result) = try await product.purchase() else { throw SKTestError(.invalidAction) }
        return try result.payloadValue
    }

    private func owned() async -> [String] {
        var ids: [String] = []
        for await result in Transaction.all { ids.append(result.unsafePayloadValue.productID) }
        return ids
    }

    @Test func `properties have the file's values until a test sets them, and again after a reset`() throws {
        let text = SessionFile.storekit.replacing(
            #""settings" : {}"#,
            with: #""settings" : { "_askToBuyEnabled" : true, "_storefront" : "DEU", "_locale" : "de", "_timeRate" : 12 }"#)
        let session = try SessionFile.session(text)
        #expect(session.askToBuyEnabled && session.storefront == "DEU" && session.timeRate == .monthlyRenewalEveryFifteenMinutes)
        #expect(session.locale.identifier == "de")
        session.askToBuyEnabled = false
        session.storefront = "JPN"
        session.timeRate = .realTime
        session.billingGracePeriodIsEnabled = true
        #expect(!session.askToBuyEnabled && session.storefront == "JPN" && session.timeRate == .realTime)
        session.resetToDefaultState()
        #expect(session.askToBuyEnabled && session.storefront == "DEU" && !session.billingGracePeriodIsEnabled)
    }

    @Test func `settings that threads change at the same time are all kept`() {
        let session = session
        for round in 0..<20 {
            session.resetToDefaultState()
            let changes: [@Sendable () -> Void] = [
                { session.askToBuyEnabled = true }, { session.storefront = "JPN" }, { session.billingGracePeriodIsEnabled = true },
                { session.locale = Locale(identifier: "de") },
            ]
            // Each change has a thread of its own, because a thread pool with few threads could make the changes one after the other.
            let group = DispatchGroup()
            for change in changes {
                group.enter()
                Thread.detachNewThread {
                    change()
                    // A setting can be read while another thread changes one.
                    _ = session.timeRate
                    group.leave()
                }
            }
            group.wait()
            #expect(session.askToBuyEnabled && session.storefront == "JPN", "round \(round)")
            #expect(session.billingGracePeriodIsEnabled && session.locale.identifier == "de", "round \(round)")
        }
    }

    @Test func `default values are those of StoreKitTest`() {
        #expect(!session.askToBuyEnabled && !session.disableDialogs && !session.failTransactionsEnabled)
        #expect(!session.interruptedPurchasesEnabled && !session.shouldEnterBillingRetryOnRenewal && !session.billingGracePeriodIsEnabled)
        #expect(session.storefront == "USA" && session.locale.identifier == "en_US" && session.timeRate == .realTime)
        #expect(session.failureError == .unknown)
    }

    @Test func `prices and names follow the storefront and the locale`() async throws {
        session.storefront = "DEU"
        session.locale = Locale(identifier: "de_DE")
        let product = try #require(try await Product.products(for: [SessionFile.coins]).first)
        #expect(product.displayName == "Münzen" && product.displayPrice.contains("€"))
    }

    @Test func `transaction identifiers start at 0`() async throws {
        #expect(try await buy(SessionFile.coins).id == 0)
        #expect(try await buy(SessionFile.coins).id == 1)
    }

    @Test func `clearing transactions removes the purchase history`() async throws {
        try await buy(SessionFile.pro)
        try await buy(SessionFile.yearly)
        session.clearTransactions()
        #expect(session.allTransactions().isEmpty)
        #expect(await owned().isEmpty)
        let yearly = try #require(try await Product.products(for: [SessionFile.yearly]).first)
        #expect(await yearly.subscription?.isEligibleForIntroOffer == true)
        try await buy(SessionFile.pro)
        #expect(await owned() == [SessionFile.pro])
    }

    @Test func `a deleted transaction is removed from the store and the device`() async throws {
        let coins = try await buy(SessionFile.coins)
        let pro = try await buy(SessionFile.pro)
        try session.deleteTransaction(identifier: UInt(pro.id))
        #expect(session.allTransactions().map(\.identifier) == [UInt(coins.id)])
        #expect(await owned() == [SessionFile.coins])
        #expect(throws: SKTestError(.noTransactionFound)) { try session.deleteTransaction(identifier: UInt(pro.id)) }
    }

    @Test func `deleting a subscription deletes its renewals`() async throws {
        let first = try await buy(SessionFile.monthly)
        try session.forceRenewalOfSubscription(productIdentifier: SessionFile.monthly)
        #expect(session.allTransactions().count == 2)
        try session.deleteTransaction(identifier: UInt(first.id))
        #expect(session.allTransactions().isEmpty)
        for await result in Transaction.unfinished { Issue.record("\(result) was not deleted") }
        try await buy(SessionFile.monthly)
        #expect(session.allTransactions().count == 1)
    }

    @Test func `a purchase outside the app is a transaction update`() async throws {
        var updates = Transaction.updates.makeAsyncIterator()
        let bought = try await session.buyProduct(identifier: SessionFile.pro)
        #expect(await updates.next()?.unsafePayloadValue.id == bought.id)
        try session.buyProduct(productIdentifier: SessionFile.coins)
        #expect(await updates.next()?.unsafePayloadValue.productID == SessionFile.coins)
        await #expect(throws: SKTestError(.invalidProductIdentifier)) { try await session.buyProduct(identifier: "none") }
    }

    @Test func `a subscription with a past purchase date has renewed until now, or ended after one period`() async throws {
        let date = Date(timeIntervalSinceNow: -100 * 86_400)
        let token = UUID()
        let renewed = try await session.buyProduct(
            identifier: SessionFile.monthly, options: [.purchaseDate(date), .appAccountToken(token)])
        #expect(abs(renewed.purchaseDate.timeIntervalSince(date)) < 1 && renewed.appAccountToken == token)
        #expect(session.allTransactions().count == 4 && session.allTransactions().last?.autoRenewingEnabled == true)
        session.clearTransactions()
        try await session.buyProduct(
            identifier: SessionFile.monthly, options: [.purchaseDate(date, renewalBehavior: .cancelImmediately)])
        #expect(session.allTransactions().count == 1)
        #expect(await Transaction.currentEntitlement(for: SessionFile.monthly) == nil)
    }

    @Test func `a subscription from ten years ago has more than a hundred renewals`() async throws {
        try await session.buyProduct(
            identifier: SessionFile.monthly, options: [.purchaseDate(Date(timeIntervalSinceNow: -10 * 365.25 * 86_400))])
        #expect(session.allTransactions().count > 110)
        session.clearTransactions()
        #expect(session.allTransactions().isEmpty)
    }

    @Test func `purchase options apply offer codes, and promotional offers without signatures`() async throws {
        let byCode = try await session.buyProduct(identifier: SessionFile.monthly, options: [.codeOffer(referenceName: "FRIENDS")])
        #expect(byCode.offer?.type == .code && byCode.offer?.id == "FRIENDS")
        try session.expireSubscription(productIdentifier: SessionFile.monthly)
        let loyal = try await session.buyProduct(identifier: SessionFile.monthly, options: [.promotionalOffer(id: "loyal")])
        #expect(loyal.offer?.type == .promotional && loyal.offer?.id == "loyal")
    }

    @Test func `purchases fail with the configured error`() async throws {
        session.failTransactionsEnabled = true
        session.failureError = .invalidSignature
        let product = try #require(try await Product.products(for: [SessionFile.coins]).first)
        await #expect(throws: Product.PurchaseError.invalidOfferSignature) { _ = try await product.purchase() }
        session.failTransactionsEnabled = false
        try await buy(SessionFile.coins)
    }

    @Test func `simulated errors apply until they are cleared`() async throws {
        let failure = SKTestFailures.LoadProducts.generic(.networkError(URLError(.timedOut)))
        try await session.setSimulatedError(failure, forAPI: .loadProducts)
        #expect(await session.simulatedError(forAPI: .loadProducts) == failure)
        for _ in 1...2 { await #expect(throws: StoreKitError.self) { try await Product.products(for: [SessionFile.coins]) } }
        try await session.setSimulatedError(nil, forAPI: .loadProducts)
        #expect(await session.simulatedError(forAPI: .loadProducts) == nil)
        let product = try #require(try await Product.products(for: [SessionFile.coins]).first)
        try await session.setSimulatedError(.purchase(.productUnavailable), forAPI: .purchase)
        await #expect(throws: Product.PurchaseError.productUnavailable) { _ = try await product.purchase() }
        session.resetToDefaultState()
        try await buy(SessionFile.coins)
    }

    @Test func `simulated errors have the descriptions of Apple's platforms`() async throws {
        let product = try #require(try await Product.products(for: [SessionFile.pro]).first)
        try await session.setSimulatedError(.purchase(.productUnavailable), forAPI: .purchase)
        let refusal = await #expect(throws: Product.PurchaseError.self) { try await product.purchase() }
        #expect(refusal?.localizedDescription == "Item Unavailable")
        try await session.setSimulatedError(.generic(.networkError(URLError(.badURL))), forAPI: .loadProducts)
        let error = await #expect(throws: StoreKitError.self) { try await Product.products(for: [SessionFile.pro]) }
        #expect(error?.localizedDescription == "The operation couldn’t be completed. (NSURLErrorDomain error -1009.)")
    }

    @Test func `a file with simulated errors applies them from the start`() async throws {
        let errors =
            #""settings" : { "_storeKitErrors" : [ { "current" : { "index" : 1, "type" : "purchase" }, "enabled" : true, "name" : "Purchase" } ] }"#
        let session = try SessionFile.session(SessionFile.storekit.replacing(#""settings" : {}"#, with: errors))
        #expect(await session.simulatedError(forAPI: .purchase) == .purchase(.productUnavailable))
    }

    @Test func `invalid files and URLs are refused`() throws {
        #expect(throws: SKTestError(.fileNotFound)) { try SKTestSession(configurationFileNamed: "no such file anywhere") }
        #expect(throws: SKTestError(.fileNotFound)) { try SKTestSession(contentsOf: URL(filePath: "/nowhere/at.storekit")) }
        #expect(throws: SKTestError(.invalidURL)) { try SKTestSession(contentsOf: try #require(URL(string: "https://example.com/a"))) }
        #expect(throws: SKTestError(.invalidProductIdentifier)) { try SessionFile.session("{") }
        #expect((SKTestError(.noTransactionFound) as NSError).code == 6)
        #expect((SKTestError(.noTransactionFound) as NSError).domain == SKTestErrorDomain)
    }

    @Test func `StoreKit 1 shows the same purchases`() async throws {
        try await buy(SessionFile.pro)
        await session.waitUntilIdle()
        #expect(SKPaymentQueue.default().transactions.map(\.payment.productIdentifier) == [SessionFile.pro])
    }

    @Test func `hosted content is downloaded after the purchase`() async throws {
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        try session.host(bytes, version: "2.0", forProduct: SessionFile.pro)
        let observer = DownloadObserver()
        SKPaymentQueue.default().add(observer)
        var downloads = observer.finished.makeAsyncIterator()
        try session.buyProduct(productIdentifier: SessionFile.pro)
        let download = try #require(await downloads.next())
        #expect(download.version == "2.0" && download.length == Int64(bytes.count))
        SKPaymentQueue.default().remove(observer)
    }
}

/// An observer that starts downloads and yields the finished ones.
private final class DownloadObserver: NSObject, SKPaymentTransactionObserver, Sendable {
    struct Finished: Sendable {
        var version: String
        var length: Int64
    }

    let finished: AsyncStream<Finished>
    private let continuation: AsyncStream<Finished>.Continuation

    override init() {
        (finished, continuation) = AsyncStream.makeStream(of: Finished.self)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .purchased { queue.start(transaction.downloads) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads where download.state == .finished {
            let exists = download.contentURL.map { FileManager.default.fileExists(atPath: $0.path) } == true
            continuation.yield(Finished(version: download.contentVersion, length: exists ? download.expectedContentLength : 0))
        }
    }
}
