import Foundation
import MonkeyShop
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import PurchaseTestSupport
import StoreTestSupport
import Testing
import WireClient

@testable import OpenStoreKit
@testable import StoreKit

/// StoreKit 2 against a true local store.
@Suite struct StoreKit2Tests {
    private let sepia = MonkeyShopProduct.sepia.rawValue
    private let credits = MonkeyShopProduct.credits5.rawValue
    private let magazine = MonkeyShopProduct.magazine.rawValue

    private func product(_ id: String) async throws -> Product {
        try #require(try await Product.products(for: [id]).first)
    }

    private func ids(_ sequence: Transaction.Transactions) async -> [String] {
        var found: [String] = []
        for await result in sequence { found.append(result.unsafePayloadValue.productID) }
        return found
    }

    /// Runs as an app on a phone that nobody else has.
    private func onPhone<Value: Sendable>(
        asksToBuy: Bool = false, _ body: (TestPhone, Device) async throws -> Value
    ) async throws -> Value {
        let phone = try await TestPhone(asksToBuy: asksToBuy)
        let device = try phone.launch()
        return try await Device.$current.withValue(device) { try await body(phone, device) }
    }

    private func isNotEntitled(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
        } catch StoreKitError.notEntitled {
            return true
        } catch {}
        return false
    }

    @Test func `products come in the order of their identifiers, each once, without those the store does not know`() async throws {
        try await onPhone { _, _ in
            let found = try await Product.products(for: [sepia, "unknown", credits, sepia])
            #expect(found.map(\.id) == [sepia, credits])
            #expect(found.map(\.displayPrice) == ["$1.99", "$0.99"])
            #expect(try await Product.products(for: []).isEmpty)
        }
    }

    @Test func `a purchase is verified, unfinished until it is finished, and not told as news`() async throws {
        try await onPhone { phone, device in
            let token = UUID()
            var updates = Transaction.updates.makeAsyncIterator()
            let result = try await product(credits).purchase(options: [.quantity(3), .appAccountToken(token)])
            guard case .success(.verified(let transaction)) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(transaction.productID == credits)
            #expect(transaction.purchasedQuantity == 3)
            #expect(transaction.appAccountToken == token)
            #expect(transaction.price == Decimal(string: "2.97"))
            #expect(try await phone.charges.map(\.amount.milliunits) == [2970])
            #expect(phone.user.sheets.map(\.total) == ["$2.97"])
            #expect(await ids(Transaction.unfinished) == [credits])
            #expect(await ids(Transaction.all) == [credits])
            await transaction.finish()
            #expect(await ids(Transaction.unfinished).isEmpty)
            await device.settle()
            #expect(await ids(Transaction.all).isEmpty)
            #expect(await Transaction.latest(for: credits) == nil)
            #expect(await ids(Transaction.currentEntitlements).isEmpty)
            let elsewhere = BuyRequest(account: phone.account, productID: MonkeyShopProduct.sepia)
            _ = try await phone.harness.control(ControlEndpoints.buy, elsewhere)
            device.engine.submit(.retry)
            #expect(try await updates.next()?.payloadValue.productID == sepia)
        }
    }

    @Test func `a cancel is a result, and so is what a parent has to approve; what comes of that is news`() async throws {
        try await onPhone { phone, _ in
            phone.user.script(confirmations: [false])
            guard case .userCancelled = try await product(sepia).purchase() else {
                Issue.record("A cancel is no cancel.")
                return
            }
            #expect(try await phone.charges.isEmpty)
        }
        try await onPhone(asksToBuy: true) { phone, device in
            var updates = Transaction.updates.makeAsyncIterator()
            guard case .pending = try await product(sepia).purchase() else {
                Issue.record("Nothing waits for the parent.")
                return
            }
            try await phone.harness.decide(phone.account, approve: true)
            device.engine.submit(.retry)
            let news = try #require(await updates.next())
            #expect(try news.payloadValue.productID == sepia)
            #expect(await ids(Transaction.currentEntitlements) == [sepia])
        }
    }

    @Test func `without a network nothing is bought, and the error says so`() async throws {
        try await onPhone { phone, _ in
            let product = try await product(sepia)
            phone.line.set(away: true)
            await #expect { try await product.purchase() } throws: { error in
                guard case StoreKitError.networkError(let error) = error else { return false }
                return error.code == .notConnectedToInternet
            }
            await #expect { try await Product.products(for: [sepia]) } throws: { error in
                guard case StoreKitError.networkError = error else { return false }
                return true
            }
        }
    }

    @Test func `a quantity that can't be bought is refused before anything is asked`() async throws {
        try await onPhone { phone, _ in
            for (id, quantity) in [(credits, 0), (credits, 11), (sepia, 2), (credits, Int.min)] {
                let product = try await product(id)
                await #expect(throws: Product.PurchaseError.invalidQuantity) { try await product.purchase(options: [.quantity(quantity)]) }
            }
            #expect(phone.user.sheets.isEmpty)
        }
    }

    @Test func `purchases that are not allowed are refused`() async throws {
        try await onPhone { _, device in
            let product = try await product(sepia)
            try device.change { $0.restrictsPayments = true }
            #expect(!AppStore.canMakePayments)
            await #expect(throws: Product.PurchaseError.purchaseNotAllowed) { try await product.purchase() }
        }
    }

    @Test func `a subscription has a status, entitles, and ends`() async throws {
        try await onPhone { phone, device in
            let product = try await product(magazine)
            let subscription = try #require(product.subscription)
            #expect(try await subscription.status.isEmpty)
            guard case .success(.verified(let bought)) = try await product.purchase() else {
                Issue.record("Not bought.")
                return
            }
            await bought.finish()
            let status = try #require(try await subscription.status.first)
            #expect(status.state == .subscribed)
            #expect(try status.transaction.payloadValue.id == bought.id)
            #expect(try status.renewalInfo.payloadValue.willAutoRenew)
            #expect(try status.renewalInfo.payloadValue.originalTransactionID == bought.originalID)
            #expect(await bought.subscriptionStatus == status)
            #expect(try await Product.SubscriptionInfo.status(transactionID: bought.id) == status)
            #expect(try await Product.SubscriptionInfo.status(transactionID: 1) == nil)
            #expect(await ids(Transaction.currentEntitlements) == [magazine])
            #expect(await product.currentEntitlement?.unsafePayloadValue.id == bought.id)
            #expect(await product.latestTransaction?.unsafePayloadValue.id == bought.id)
            #expect(await ids(product.currentEntitlements) == [magazine])

            let path = ["transaction": "\(bought.originalID)"]
            _ = try await phone.harness.control(ControlEndpoints.subscription, SubscriptionRequest(.expire), path)
            try await AppStore.sync()
            #expect(try await subscription.status.map(\.state) == [.expired])
            #expect(await ids(Transaction.currentEntitlements).isEmpty)
            #expect(await ids(Transaction.all(for: magazine)).isEmpty == false)
            var groups: [String] = []
            for await (group, statuses) in Product.SubscriptionInfo.Status.all where statuses.count == 1 { groups.append(group) }
            #expect(groups == [subscription.subscriptionGroupID])
        }
    }

    @Test func `what is refunded entitles to nothing, and is news`() async throws {
        try await onPhone { phone, device in
            guard case .success(.verified(let bought)) = try await product(sepia).purchase() else {
                Issue.record("Not bought.")
                return
            }
            await bought.finish()
            #expect(await ids(Transaction.currentEntitlements) == [sepia])
            var updates = Transaction.updates.makeAsyncIterator()
            _ = try await phone.harness.control(
                ControlEndpoints.refund, IssueRefund(transaction: TransactionID("\(bought.id)"), reason: 1))
            device.engine.submit(.retry)
            let news = try #require(await updates.next()).payloadValue
            #expect(news.id == bought.id)
            #expect(news.revocationReason == .developerIssue)
            #expect(await ids(Transaction.currentEntitlements).isEmpty)
            #expect(await ids(Transaction.all) == [sepia])
        }
    }

    @Test func `what was bought elsewhere is news, and the client's own code deals with it`() async throws {
        try await onPhone { phone, device in
            let store = ClientStore()
            try await store.requestProducts([sepia, magazine, credits])
            #expect(await store.products.map(\.id) == [credits, sepia, magazine])
            let bought = try await store.purchase(try await product(sepia), token: UUID())
            #expect(bought?.productID == sepia)
            #expect(await store.purchasedProductIDs == [sepia])
            try await store.restore()
            #expect(await store.purchasedProductIDs == [sepia])
            #expect(try await store.isPurchased(product(sepia)))

            _ = try await phone.harness.control(
                ControlEndpoints.buy, BuyRequest(account: phone.account, productID: MonkeyShopProduct.magazine)
            )
            var updates = Transaction.updates.makeAsyncIterator()
            device.engine.submit(.retry)
            #expect(try await updates.next()?.payloadValue.productID == magazine)
            let lines = try await ClientShapes.ask(about: sepia, group: "4D4F1000")
            #expect(lines.contains(MonkeyShopSample.bundleID.rawValue))
            #expect(lines.contains("USA"))
            #expect(ClientShapes.describe(try await product(magazine)).contains("1 month"))
            let status = try #require(try await product(magazine).subscription?.status.first)
            #expect(try ClientShapes.describe(status).contains("Subscribed"))
        }
    }

    @Test func `the store's word about the app is verified`() async throws {
        try await onPhone { _, device in
            let app = try await AppTransaction.refresh().payloadValue
            #expect(app.bundleID == MonkeyShopSample.bundleID.rawValue)
            #expect(app.environment == .sandbox)
            #expect(try await AppTransaction.shared.payloadValue.bundleID == app.bundleID)
            #expect(AppStore.deviceVerificationID?.uuidString.lowercased() == device.id.rawValue)
            #expect(await Storefront.current?.countryCode == "USA")
        }
    }

    @Test func `with nobody signed in, what the store says about the app is asked for on a wish only`() async throws {
        try await onPhone { phone, _ in
            await #expect(throws: StoreKitError.self) { _ = try await AppTransaction.shared }
            #expect(phone.user.shown.isEmpty)
            let app = try await AppTransaction.refresh().payloadValue
            #expect(phone.user.shown == [.signIn(.refresh)])
            #expect(try await AppTransaction.shared.payloadValue == app)
        }
    }

    @Test func `an updated app has its new version in the app transaction and the receipt once the store is reached`()
        async throws
    {
        let phone = try await TestPhone()
        try await phone.buy(ProductID(sepia))
        let before = try await Device.$current.withValue(phone.launch()) { try await AppTransaction.shared.payloadValue }
        #expect(before.appVersion == MonkeyShopSample.version)
        var configuration = phone.configuration
        configuration.appVersion = "99.0"
        phone.line.set(away: true)
        let device = try Device(configuration, transport: phone.line, retryPolicy: RetryPolicy { 0 }, clock: phone.clock, logger: .silent)
        let roots = try TrustedRoots.apple(and: configuration.rootsPEM, in: [.sandbox])
        func receiptVersion() async throws -> String {
            let verifier = ReceiptVerifier(
                roots: roots, BundleCheck(MonkeyShopSample.bundleID), EnvironmentCheck([.sandbox]), DeviceHashCheck(device.id))
            return try await verifier.verify([UInt8](Data(contentsOf: device.receiptURL))).payload.appVersion
        }
        try await Device.$current.withValue(device) {
            // What is known is better than nothing.
            let away = try await AppTransaction.shared.payloadValue
            #expect(away == before)
            phone.line.set(away: false)
            let updated = try await AppTransaction.shared.payloadValue
            #expect(updated.appVersion == "99.0")
            let asked = phone.line.count(DeviceEndpoints.appTransaction)
            let again = try await AppTransaction.shared.payloadValue
            #expect(again == updated)
            #expect(phone.line.count(DeviceEndpoints.appTransaction) == asked)
        }
        phone.line.fail(DeviceEndpoints.receipt, .away, .away)
        for version in [MonkeyShopSample.version, "99.0"] {
            device.wake()
            await device.settle()
            #expect(try await receiptVersion() == version)
        }
        let receipts = phone.line.count(DeviceEndpoints.receipt)
        device.wake()
        await device.settle()
        #expect(phone.line.count(DeviceEndpoints.receipt) == receipts)
    }

    @Test func `what was not finished comes again at the next launch, once`() async throws {
        let phone = try await TestPhone()
        try await Device.$current.withValue(phone.launch()) {
            guard case .success = try await product(sepia).purchase() else {
                Issue.record("Not bought.")
                return
            }
        }
        try await Device.$current.withValue(phone.launch()) {
            var updates = Transaction.updates.makeAsyncIterator()
            let news = try #require(await updates.next()).payloadValue
            #expect(news.productID == sepia)
            await news.finish()
        }
        try await Device.$current.withValue(phone.launch()) {
            #expect(await ids(Transaction.unfinished).isEmpty)
            #expect(await ids(Transaction.currentEntitlements) == [sepia])
        }
    }

    @Test func `both StoreKits see the same transactions, and one finish is enough`() async throws {
        try await onPhone { phone, device in
            let witness = Witness()
            device.paymentQueue.add(witness)
            var updates = Transaction.updates.makeAsyncIterator()
            device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.sepia))
            let news = try #require(await updates.next()).payloadValue
            #expect(news.productID == sepia)
            await device.settle()
            #expect(device.paymentQueue.transactions.map(\.transactionIdentifier) == ["\(news.id)"])
            await news.finish()
            await device.settle()
            #expect(device.paymentQueue.transactions.isEmpty)

            guard case .success(.verified(let bought)) = try await product(credits).purchase() else {
                Issue.record("Not bought.")
                return
            }
            await device.settle()
            let shown = try #require(device.paymentQueue.transactions.first)
            #expect(shown.transactionIdentifier == "\(bought.id)")
            device.paymentQueue.finishTransaction(shown)
            await device.settle()
            #expect(await ids(Transaction.unfinished).isEmpty)
        }
    }

    @Test func `what the user chooses outside the app is an intent, and a move abroad another storefront`() async throws {
        try await onPhone { phone, device in
            try await AppStore.sync()
            var intents = PurchaseIntent.intents.makeAsyncIterator()
            var storefronts = Storefront.updates.makeAsyncIterator()
            let promotion = PromotionRequest(account: phone.account, productID: MonkeyShopProduct.sepia)
            _ = try await phone.harness.control(ControlEndpoints.promote, promotion)
            device.engine.submit(.retry)
            let intent = try #require(await intents.next())
            #expect(intent.id == sepia && intent.product.displayName == "Sepia filter" && intent.offer == nil)

            let product = try await product(sepia)
            var move = AccountRequest()
            move.storefront = "FRA"
            _ = try await phone.harness.control(ControlEndpoints.setAccount, move, ["account": phone.account.rawValue])
            device.engine.submit(.retry)
            #expect(await storefronts.next()?.countryCode == "FRA")
            await #expect { try await product.purchase(options: [.onStorefrontChange { $0.countryCode == "USA" }]) } throws: { error in
                guard case StoreKitError.notAvailableInStorefront = error else { return false }
                return true
            }
            guard case .success = try await product.purchase(options: [.onStorefrontChange { $0.countryCode == "FRA" }]) else {
                Issue.record("Not bought.")
                return
            }
        }
    }

    @Test func `data that another store signed is shown as unverified`() async throws {
        try await onPhone { _, device in
            let payload = TransactionPayload.sample(bundle: MonkeyShopSample.bundleID)
            let signed = try TestAuthority.other.signedData.sign(payload)
            let result: VerificationResult<Transaction>? = await device.result(signed)
            guard case .unverified(let transaction, .invalidCertificateChain) = try #require(result) else {
                Issue.record("A stranger's signature is believed.")
                return
            }
            #expect("\(transaction.id)" == payload.transactionId.rawValue)
            let nonsense: VerificationResult<Transaction>? = await device.result(SignedTransaction("a.b.c"))
            #expect(nonsense == nil)
        }
    }

    @Test func `a test can have each entry point fail`() async throws {
        try await onPhone { _, device in
            let product = try await product(sepia)
            let failures = device.simulatedFailures
            for api in SimulatedFailures.API.allCases { failures.set(StoreKitError.notEntitled, for: api) }
            #expect(await isNotEntitled { _ = try await Product.products(for: [sepia]) })
            #expect(await isNotEntitled { _ = try await product.purchase() })
            #expect(await isNotEntitled { try await AppStore.sync() })
            #expect(await isNotEntitled { _ = try await AppTransaction.shared })
            #expect(await isNotEntitled { _ = try await Product.SubscriptionInfo.status(for: "g") })
            failures.set(Product.PurchaseError.ineligibleForOffer, for: .purchase)
            await #expect(throws: Product.PurchaseError.ineligibleForOffer) { try await product.purchase() }
            failures.clear()

            failures.verification = .revokedCertificate
            guard case .success(.unverified(let transaction, .revokedCertificate)) = try await product.purchase() else {
                Issue.record("The verification did not fail.")
                return
            }
            #expect(transaction.productID == sepia)
            for await result in Transaction.all {
                guard case .unverified(_, .revokedCertificate) = result else {
                    Issue.record("\(result)")
                    return
                }
            }
            failures.verification = nil
            for await result in Transaction.all { _ = try result.payloadValue }
        }
    }

    @Test func `without a device calls throw, what is there is empty, and what is to come is waited for`() async throws {
        await Device.$borrows.withValue(false) {
            guard Device.active == nil else { return }
            await #expect(throws: StoreKitError.self) { try await Product.products(for: [sepia]) }
            await #expect(throws: StoreKitError.self) { try await AppStore.sync() }
            await #expect(throws: StoreKitError.self) { _ = try await AppTransaction.shared }
            await #expect(throws: StoreKitError.self) { try await Product.SubscriptionInfo.status(for: "g") }
            for sequence in [Transaction.all, Transaction.unfinished, Transaction.currentEntitlements] {
                #expect(await ids(sequence).isEmpty)
            }
            let waiting = Task {
                for await _ in Transaction.updates { Issue.record("A transaction from nowhere.") }
                for await _ in Storefront.updates { Issue.record("A storefront from nowhere.") }
                for await _ in Message.messages { Issue.record("A message from nowhere.") }
                for await _ in PurchaseIntent.intents { Issue.record("An intent from nowhere.") }
                for await _ in Product.SubscriptionInfo.Status.updates { Issue.record("A status from nowhere.") }
            }
            waiting.cancel()
            await waiting.value
            for await _ in Product.SubscriptionInfo.Status.all { Issue.record("A status from nowhere.") }
            #expect(await Transaction.latest(for: sepia) == nil)
            #expect(await Storefront.current == nil)
            #expect(AppStore.deviceVerificationID == nil)
            #expect(!AppStore.canMakePayments)
            #expect(await ClientShapes.whatIsNeverPossible().allSatisfy { !$0 })
        }
    }
}
