import Foundation
import MonkeyShop
import PurchaseModel
import PurchaseProtocol
import StoreKit
import StoreTestSupport
import Testing
import WireClient

@testable import OpenStoreKit

/// A device's payment queue is attached when the app first asks for it, and has missed nothing.
@Suite struct QueueAttachmentTests {
    private func buy(_ product: ProductID) async throws -> StoreKit.Transaction {
        let result = try await #require(try await Product.products(for: [product.rawValue]).first).purchase()
        guard case .success(.verified(let transaction)) = result else { throw StoreKitError.unknown }
        return transaction
    }

    @Test func `a queue that is asked for late has what was bought before, and not what was finished`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        try await Device.$current.withValue(device) {
            let (sepia, credits) = (try await buy(MonkeyShopProduct.sepia), try await buy(MonkeyShopProduct.credits5))
            await credits.finish()
            await device.settle()
            let queue = SKPaymentQueue.default()
            #expect(queue === device.paymentQueue && queue === SKPaymentQueue.default())
            #expect(queue.transactions.map(\.transactionIdentifier) == ["\(sepia.id)"])
            #expect(queue.transactions.first?.transactionState == .purchased)
            let witness = Witness(finishes: true)
            queue.add(witness)
            await device.settle()
            #expect(witness.notes == [.updated(.purchased, sepia.productID), .removed(sepia.productID)])
            #expect(queue.transactions.isEmpty)
        }
    }

    @Test func `a queue that is asked for late shows nothing of an account that has left`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        try await Device.$current.withValue(device) {
            _ = try await buy(MonkeyShopProduct.sepia)
            try await device.signOut()
            await device.settle()
            #expect(SKPaymentQueue.default().transactions.isEmpty)
            try await device.signIn(Credentials(account: phone.account, password: "ladder"))
            await device.settle()
            #expect(SKPaymentQueue.default().transactions.map(\.payment.productIdentifier) == [MonkeyShopProduct.sepia.rawValue])
        }
    }

    @Test func `an app that never asks for its queue has its user asked about a price, and its promotions kept`() async throws {
        let phone = try await TestPhone()
        phone.line.answer(DeviceEndpoints.unfinished) { _ in
            let promotion = PromotedPurchase(id: 1, productID: MonkeyShopProduct.sepia, offerID: nil)
            var reply = UnfinishedReply(transactions: [], declined: [], promotions: [promotion])
            reply.messages = [
                StoreMessage(id: "q", reason: .priceIncreaseConsent, productID: MonkeyShopProduct.magazine, originalTransactionID: "1")
            ]
            return .success(reply)
        }
        phone.user.script(consents: [nil])
        let device = try phone.launch()
        try await device.signIn(Credentials(account: phone.account, password: "ladder"))
        await device.engine.ready()
        await device.settle()
        #expect(phone.user.shown.count { if case .priceConsent = $0 { true } else { false } } == 1)
        let observer = QueueObserver(wantsPromotion: false)
        device.paymentQueue.add(observer)
        await device.settle()
        #expect(observer.heard.count { $0.hasPrefix("promoted") } == 1)
    }

    @Test func `what the store signed of a transaction in the queue can be had, also of the one that it restores`() async throws {
        let phone = try await TestPhone()
        try await phone.buy(MonkeyShopProduct.sepia)
        let (device, _) = try await phone.launch(finishing: false)
        #expect(await device.jwsRepresentation(ofTransaction: "7") == nil)
        device.paymentQueue.restoreCompletedTransactions()
        await device.settle()
        let restored = try #require(device.paymentQueue.transactions.first)
        for transaction in [restored, try #require(restored.original)] {
            let signed = await device.jwsRepresentation(ofTransaction: try #require(transaction.transactionIdentifier))
            #expect(signed != nil && signed == transaction.jwsRepresentation)
        }
    }
}
