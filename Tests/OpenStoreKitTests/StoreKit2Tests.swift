import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

@testable import OpenStoreKit
@testable import StoreKit

/// StoreKit 2 with a local App Store.
@Suite struct StoreKit2Tests {
    private let sepia = SampleProduct.sepia.rawValue
    private let credits = SampleProduct.credits5.rawValue
    private let magazine = SampleProduct.magazine.rawValue

    private func product(_ id: String) async throws -> Product {
        try #require(try await Product.products(for: [id]).first)
    }

    private func ids(_ sequence: Transaction.Transactions) async -> [String] {
        var found: [String] = []
        for await result in sequence { found.append(result.unsafePayloadValue.productID) }
        return found
    }

    /// Runs `body` as an app on a new phone with a new account.
    private func withSignedInDevice<Value: Sendable>(
        askToBuyEnabled: Bool = false, _ body: (Phone, Device) async throws -> Value
    ) async throws -> Value {
        let phone = try await Phone(askToBuyEnabled: askToBuyEnabled)
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

    @Test func `products are returned once each, in the requested order, without unknown identifiers`() async throws {
        try await withSignedInDevice { _, _ in
            let found = try await Product.products(for: [sepia, "unknown", credits, sepia])
            #expect(found.map(\.id) == [sepia, credits])
            #expect(found.map(\.displayPrice) == ["$1.99", "$0.99"])
            #expect(try await Product.products(for: []).isEmpty)
        }
    }

    @Test func `a purchase is verified, unfinished until it is finished, and not an update`() async throws {
        try await withSignedInDevice { phone, device in
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
            await device.waitUntilIdle()
            #expect(await ids(Transaction.all).isEmpty)
            #expect(await Transaction.latest(for: credits) == nil)
            #expect(await ids(Transaction.currentEntitlements).isEmpty)
            try await phone.harness.buy(SampleProduct.sepia, for: phone.account)
            device.engine.inbox.submit(.retry)
            #expect(try await updates.next()?.payloadValue.productID == sepia)
        }
    }

    @Test func `userCancelled and pending are results, and an approval is an update`() async throws {
        try await withSignedInDevice { phone, _ in
            phone.user.script(confirmations: [false])
            guard case .userCancelled = try await product(sepia).purchase() else {
                Issue.record("A canceled purchase did not return userCancelled.")
                return
            }
            #expect(try await phone.charges.isEmpty)
        }
        try await withSignedInDevice(askToBuyEnabled: true) { phone, device in
            var updates = Transaction.updates.makeAsyncIterator()
            guard case .pending = try await product(sepia).purchase() else {
                Issue.record("An Ask to Buy purchase did not return pending.")
                return
            }
            try await phone.decideApprovals(approve: true)
            device.engine.inbox.submit(.retry)
            let update = try #require(await updates.next())
            #expect(try update.payloadValue.productID == sepia)
            #expect(await ids(Transaction.currentEntitlements) == [sepia])
        }
    }

    @Test func `without a network, purchases and product requests throw a network error`() async throws {
        try await withSignedInDevice { phone, _ in
            let product = try await product(sepia)
            phone.transport.set(offline: true)
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

    @Test func `an invalid quantity and seats are refused before a sheet is shown`() async throws {
        try await withSignedInDevice { phone, _ in
            for (id, quantity) in [(credits, 0), (credits, 11), (sepia, 2), (credits, Int.min)] {
                let product = try await product(id)
                await #expect(throws: Product.PurchaseError.invalidQuantity) { try await product.purchase(options: [.quantity(quantity)]) }
            }
            let subscription = try await product(magazine)
            await #expect(throws: Product.PurchaseError.multiSeatPurchaseDisabled) { try await subscription.purchase(options: [.seats(5)]) }
            #expect(phone.user.sheets.isEmpty)
        }
    }

    @Test func `a restricted device refuses purchases`() async throws {
        try await withSignedInDevice { _, device in
            let product = try await product(sepia)
            try await device.change { $0.restrictsPayments = true }
            #expect(!AppStore.canMakePayments)
            await #expect(throws: Product.PurchaseError.purchaseNotAllowed) { try await product.purchase() }
        }
    }

    @Test func `a subscription has a status, is an entitlement, and expires`() async throws {
        try await withSignedInDevice { phone, device in
            let product = try await product(magazine)
            let subscription = try #require(product.subscription)
            #expect(try await subscription.status.isEmpty)
            guard case .success(.verified(let bought)) = try await product.purchase() else {
                Issue.record("The purchase did not succeed.")
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

            try await phone.harness.perform(SubscriptionRequest(.expire), on: TransactionID("\(bought.originalID)"))
            try await AppStore.sync()
            #expect(try await subscription.status.map(\.state) == [.expired])
            #expect(await ids(Transaction.currentEntitlements).isEmpty)
            #expect(await ids(Transaction.all(for: magazine)).isEmpty == false)
            var groups: [String] = []
            for await (group, statuses) in Product.SubscriptionInfo.Status.all where statuses.count == 1 { groups.append(group) }
            #expect(groups == [subscription.subscriptionGroupID])
        }
    }

    @Test func `a refund removes the entitlement and is an update`() async throws {
        try await withSignedInDevice { phone, device in
            guard case .success(.verified(let bought)) = try await product(sepia).purchase() else {
                Issue.record("The purchase did not succeed.")
                return
            }
            await bought.finish()
            #expect(await ids(Transaction.currentEntitlements) == [sepia])
            var updates = Transaction.updates.makeAsyncIterator()
            try await phone.harness.refund(TransactionID("\(bought.id)"), reason: 1)
            device.engine.inbox.submit(.retry)
            let update = try #require(await updates.next()).payloadValue
            #expect(update.id == bought.id)
            #expect(update.revocationReason == .developerIssue)
            #expect(await ids(Transaction.currentEntitlements).isEmpty)
            #expect(await ids(Transaction.all) == [sepia])
        }
    }

    @Test func `a refund that replaces an earlier refund is an update, although the device missed the reversal`() async throws {
        try await withSignedInDevice { phone, device in
            guard case .success(.verified(let bought)) = try await product(sepia).purchase() else {
                Issue.record("The purchase did not succeed.")
                return
            }
            await bought.finish()
            let id = TransactionID("\(bought.id)")
            var updates = Transaction.updates.makeAsyncIterator()
            try await phone.harness.refund(id)
            device.engine.inbox.submit(.retry)
            #expect(try await updates.next()?.payloadValue.revocationPercentage == 100)
            // The device reads the history only after the second refund.
            _ = try await phone.harness.call(ControlEndpoints.reverseRefund, ReverseRefundRequest(transactionID: id))
            try await phone.harness.refund(id, percentage: 40_000)
            device.engine.inbox.submit(.retry)
            #expect(try await updates.next()?.payloadValue.revocationPercentage == 40)
        }
    }

    @Test func `a purchase outside the app is an update, and typical client code works`() async throws {
        try await withSignedInDevice { phone, device in
            let store = ClientStore()
            try await store.requestProducts([sepia, magazine, credits])
            #expect(await store.products.map(\.id) == [credits, sepia, magazine])
            let bought = try await store.purchase(try await product(sepia), token: UUID())
            #expect(bought?.productID == sepia)
            #expect(await store.purchasedProductIDs == [sepia])
            try await store.restore()
            #expect(await store.purchasedProductIDs == [sepia])
            #expect(try await store.isPurchased(product(sepia)))

            try await phone.harness.buy(SampleProduct.magazine, for: phone.account)
            var updates = Transaction.updates.makeAsyncIterator()
            device.engine.inbox.submit(.retry)
            #expect(try await updates.next()?.payloadValue.productID == magazine)
            let lines = try await ClientUsage.ask(about: sepia, group: "4D4F1000")
            #expect(lines.contains(BundleID.test.rawValue))
            #expect(lines.contains("USA"))
            #expect(ClientUsage.describe(try await product(magazine)).contains("1 month"))
            let status = try #require(try await product(magazine).subscription?.status.first)
            #expect(try ClientUsage.describe(status).contains("Subscribed"))
        }
    }

    @Test func `the app transaction is verified`() async throws {
        try await withSignedInDevice { _, device in
            let app = try await AppTransaction.refresh().payloadValue
            #expect(app.bundleID == BundleID.test.rawValue)
            #expect(app.environment == .sandbox)
            #expect(try await AppTransaction.shared.payloadValue.bundleID == app.bundleID)
            var all: [AppTransaction] = []
            for await result in AppTransaction.all { all.append(try result.payloadValue) }
            #expect(all == [app])
            #expect(AppStore.deviceVerificationID?.uuidString.lowercased() == device.id.rawValue)
            #expect(await Storefront.current?.countryCode == "USA")
        }
    }

    @Test func `without an account, only a refresh of the app transaction prompts a sign-in`() async throws {
        try await withSignedInDevice { phone, _ in
            await #expect(throws: StoreKitError.self) { _ = try await AppTransaction.shared }
            for await result in AppTransaction.all { Issue.record("Without an account, \(result) exists.") }
            #expect(phone.user.shown.isEmpty)
            let app = try await AppTransaction.refresh().payloadValue
            #expect(phone.user.shown == [.signIn(.refresh)])
            #expect(try await AppTransaction.shared.payloadValue == app)
        }
    }

    @Test func `an updated app has its new version in the app transaction and the receipt once the store is reached`()
        async throws
    {
        let phone = try await Phone()
        try await phone.buy(ProductID(sepia))
        let before = try await Device.$current.withValue(phone.launch()) { try await AppTransaction.shared.payloadValue }
        #expect(before.appVersion == SampleCatalog.appVersion)
        phone.transport.set(offline: true)
        let device = try phone.launch { $0.appVersion = "99.0" }
        let roots = try TrustedRoots.apple(and: phone.configuration.rootsPEM, in: [.sandbox])
        func receiptVersion() async throws -> String {
            let verifier = ReceiptVerifier(
                roots: roots, BundleCheck(BundleID.test), EnvironmentCheck([.sandbox]), DeviceHashCheck(device.id))
            return try await verifier.verify([UInt8](Data(contentsOf: device.receiptURL))).payload.appVersion
        }
        try await Device.$current.withValue(device) {
            // Offline, the stored app transaction is returned.
            let offline = try await AppTransaction.shared.payloadValue
            #expect(offline == before)
            phone.transport.set(offline: false)
            let updated = try await AppTransaction.shared.payloadValue
            #expect(updated.appVersion == "99.0")
            let requestCount = phone.transport.count(DeviceEndpoints.appTransaction)
            let again = try await AppTransaction.shared.payloadValue
            #expect(again == updated)
            #expect(phone.transport.count(DeviceEndpoints.appTransaction) == requestCount)
        }
        phone.transport.fail(DeviceEndpoints.receipt, .offline, .offline)
        for version in [SampleCatalog.appVersion, "99.0"] {
            device.wake()
            await device.waitUntilIdle()
            #expect(try await receiptVersion() == version)
        }
        let receipts = phone.transport.count(DeviceEndpoints.receipt)
        device.wake()
        await device.waitUntilIdle()
        #expect(phone.transport.count(DeviceEndpoints.receipt) == receipts)
    }

    @Test func `an unfinished transaction is an update at the next launch until it is finished`() async throws {
        let phone = try await Phone()
        try await Device.$current.withValue(phone.launch()) {
            guard case .success = try await product(sepia).purchase() else {
                Issue.record("The purchase did not succeed.")
                return
            }
        }
        try await Device.$current.withValue(phone.launch()) {
            var updates = Transaction.updates.makeAsyncIterator()
            let update = try #require(await updates.next()).payloadValue
            #expect(update.productID == sepia)
            await update.finish()
        }
        try await Device.$current.withValue(phone.launch()) {
            #expect(await ids(Transaction.unfinished).isEmpty)
            #expect(await ids(Transaction.currentEntitlements) == [sepia])
        }
    }

    @Test func `both StoreKit APIs show the same transactions, and a finish in one applies to both`() async throws {
        try await withSignedInDevice { phone, device in
            let recorder = RecordingObserver()
            device.paymentQueue.add(recorder)
            var updates = Transaction.updates.makeAsyncIterator()
            device.paymentQueue.add(Phone.payment(SampleProduct.sepia))
            let update = try #require(await updates.next()).payloadValue
            #expect(update.productID == sepia)
            await device.waitUntilIdle()
            #expect(device.paymentQueue.transactions.map(\.transactionIdentifier) == ["\(update.id)"])
            await update.finish()
            await device.waitUntilIdle()
            #expect(device.paymentQueue.transactions.isEmpty)

            guard case .success(.verified(let bought)) = try await product(credits).purchase() else {
                Issue.record("The purchase did not succeed.")
                return
            }
            await device.waitUntilIdle()
            let shown = try #require(device.paymentQueue.transactions.first)
            #expect(shown.transactionIdentifier == "\(bought.id)")
            device.paymentQueue.finishTransaction(shown)
            await device.waitUntilIdle()
            #expect(await ids(Transaction.unfinished).isEmpty)
        }
    }

    @Test func `a promoted purchase is a purchase intent, and a move abroad is a storefront update`() async throws {
        try await withSignedInDevice { phone, device in
            try await AppStore.sync()
            var intents = PurchaseIntent.intents.makeAsyncIterator()
            var storefronts = Storefront.updates.makeAsyncIterator()
            try await phone.harness.promote(SampleProduct.sepia, to: phone.account)
            device.engine.inbox.submit(.retry)
            let intent = try #require(await intents.next())
            #expect(intent.id == sepia && intent.product.displayName == "Sepia filter" && intent.offer == nil)

            let product = try await product(sepia)
            try await phone.harness.set(phone.account) { $0.storefront = "FRA" }
            device.engine.inbox.submit(.retry)
            #expect(await storefronts.next()?.countryCode == "FRA")
            await #expect { try await product.purchase(options: [.onStorefrontChange { $0.countryCode == "USA" }]) } throws: { error in
                guard case StoreKitError.notAvailableInStorefront = error else { return false }
                return true
            }
            guard case .success = try await product.purchase(options: [.onStorefrontChange { $0.countryCode == "FRA" }]) else {
                Issue.record("The purchase did not succeed.")
                return
            }
        }
    }

    @Test func `data that an untrusted store signed is unverified`() async throws {
        try await withSignedInDevice { _, device in
            let payload = TransactionPayload.sample(bundle: BundleID.test)
            let signed = try TestAuthority.other.signedData.sign(payload)
            let result: VerificationResult<Transaction>? = await device.result(signed)
            guard case .unverified(let transaction, .invalidCertificateChain) = try #require(result) else {
                Issue.record("An untrusted signature was verified.")
                return
            }
            #expect("\(transaction.id)" == payload.transactionId.rawValue)
            let undecodable: VerificationResult<Transaction>? = await device.result(SignedTransaction("a.b.c"))
            #expect(undecodable == nil)
        }
    }

    @Test func `simulated failures apply to each entry point`() async throws {
        try await withSignedInDevice { _, device in
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
                Issue.record("The purchase did not return the simulated verification error.")
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

    @Test func `without a device, calls throw, finite sequences are empty and endless sequences wait`() async throws {
        await Device.$allowsSharedTestDevice.withValue(false) {
            guard Device.active == nil else { return }
            await #expect(throws: StoreKitError.self) { try await Product.products(for: [sepia]) }
            await #expect(throws: StoreKitError.self) { try await AppStore.sync() }
            await #expect(throws: StoreKitError.self) { _ = try await AppTransaction.shared }
            await #expect(throws: StoreKitError.self) { try await Product.SubscriptionInfo.status(for: "g") }
            for sequence in [Transaction.all, Transaction.unfinished, Transaction.currentEntitlements] {
                #expect(await ids(sequence).isEmpty)
            }
            let waiting = Task {
                for await _ in Transaction.updates { Issue.record("Received a transaction without a device.") }
                for await _ in Storefront.updates { Issue.record("Received a storefront without a device.") }
                for await _ in Message.messages { Issue.record("Received a message without a device.") }
                for await _ in PurchaseIntent.intents { Issue.record("Received a purchase intent without a device.") }
                for await _ in Product.SubscriptionInfo.Status.updates { Issue.record("Received a status without a device.") }
            }
            waiting.cancel()
            await waiting.value
            for await _ in Product.SubscriptionInfo.Status.all { Issue.record("Received a status without a device.") }
            #expect(await Transaction.latest(for: sepia) == nil)
            #expect(await Storefront.current == nil)
            #expect(AppStore.deviceVerificationID == nil)
            #expect(!AppStore.canMakePayments)
            #expect(await ClientUsage.unsupportedResults().allSatisfy { !$0 })
        }
    }
}
