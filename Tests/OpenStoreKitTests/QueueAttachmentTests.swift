import Foundation
import PurchaseModel
import PurchaseProof
import StoreKit
import StoreProtocol
import StoreTestSupport
import Testing

@testable import OpenStoreKit

/// A device's payment queue, which is attached when the app first accesses it.
@Suite struct QueueAttachmentTests {
    private func buy(_ product: ProductID) async throws -> StoreKit.Transaction {
        let result = try await #require(try await Product.products(for: [product.rawValue]).first).purchase()
        guard case .success(.verified(let transaction)) = result else { throw StoreKitError.unknown }
        return transaction
    }

    @Test func `a queue that is accessed late contains unfinished purchases and no finished ones`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        try await Device.$current.withValue(device) {
            let (sepia, credits) = (try await buy(SampleProduct.sepia), try await buy(SampleProduct.credits5))
            await credits.finish()
            await device.waitUntilIdle()
            let queue = SKPaymentQueue.default()
            #expect(queue === device.paymentQueue && queue === SKPaymentQueue.default())
            #expect(queue.transactions.map(\.transactionIdentifier) == ["\(sepia.id)"])
            #expect(queue.transactions.first?.transactionState == .purchased)
            let recorder = RecordingObserver(finishes: true)
            queue.add(recorder)
            await device.waitUntilIdle()
            #expect(recorder.events == [.updated(.purchased, sepia.productID), .removed(sepia.productID)])
            #expect(queue.transactions.isEmpty)
        }
    }

    @Test func `a queue that is accessed late hides transactions of a signed-out account`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        try await Device.$current.withValue(device) {
            _ = try await buy(SampleProduct.sepia)
            try await device.signOut()
            await device.waitUntilIdle()
            #expect(SKPaymentQueue.default().transactions.isEmpty)
            try await device.signIn(phone.credentials)
            await device.waitUntilIdle()
            #expect(SKPaymentQueue.default().transactions.map(\.payment.productIdentifier) == [SampleProduct.sepia.rawValue])
        }
    }

    @Test func `without access to the queue, the price consent sheet is shown and promoted purchases are kept`() async throws {
        let phone = try await Phone()
        phone.transport.answer(DeviceEndpoints.unfinished) { _ in
            let promotion = PromotedPurchase(id: 1, productID: SampleProduct.sepia, offerID: nil)
            var reply = UnfinishedReply(transactions: [], declined: [], promotions: [promotion])
            reply.messages = [
                StoreMessage(id: "q", reason: .priceIncreaseConsent, productID: SampleProduct.magazine, originalTransactionID: "1")
            ]
            return .success(reply)
        }
        phone.user.script(consents: [nil])
        let device = try await phone.launchSignedIn()
        await device.engine.request { _ in }
        await device.waitUntilIdle()
        #expect(phone.user.shown.count { if case .priceConsent = $0 { true } else { false } } == 1)
        let observer = QueueObserver(wantsPromotion: false)
        device.paymentQueue.add(observer)
        await device.waitUntilIdle()
        #expect(observer.callbacks.count { $0.hasPrefix("promoted") } == 1)
    }

    @Test func `the signed transaction of a queue entry is available, and that of its original transaction`() async throws {
        let phone = try await Phone()
        try await phone.buy(SampleProduct.sepia)
        let (device, _) = try await phone.launch(finishing: false)
        #expect(await device.jwsRepresentation(ofTransaction: "7") == nil)
        device.paymentQueue.restoreCompletedTransactions()
        await device.waitUntilIdle()
        let restored = try #require(device.paymentQueue.transactions.first)
        let original = try #require(restored.original)
        for transaction in [restored, original] {
            let id = try #require(transaction.transactionIdentifier)
            let signed = SignedTransaction(try #require(await device.jwsRepresentation(ofTransaction: id)))
            #expect(try await phone.harness.verifier.verify(signed).payload.transactionId == TransactionID(id))
        }
        // An app finds both with StoreKit 2, which has no mark for a restored transaction.
        try await Device.$current.withValue(device) {
            var (unfinished, all): ([String], [String]) = ([], [])
            for await result in StoreKit.Transaction.unfinished { unfinished.append("\(try result.payloadValue.id)") }
            for await result in StoreKit.Transaction.all { all.append("\(try result.payloadValue.id)") }
            #expect(unfinished == [restored.transactionIdentifier] && all == [original.transactionIdentifier])
        }
    }
}
