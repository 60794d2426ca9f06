import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import StoreKit
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import OpenStoreKit

/// Restores of accounts with many purchases.
@Suite struct LongRestoreTests {
    private static let pageSize = 500

    /// A phone whose store answers a restore with `count` transactions, in pages of ``pageSize``.
    private func phone(of count: Int) async throws -> (phone: Phone, device: Device) {
        let phone = try await Phone()
        let authority = TestAuthority.shared
        let payload = TransactionPayload.sample(id: "1", product: SampleProduct.sepia, type: .nonConsumable)
        let original = try authority.signedData.sign(payload)
        let transactions = try (0..<count).map { number in
            var copy = payload
            copy.transactionId = TransactionID("\(number + 2)")
            return UnfinishedTransaction(payment: nil, signedTransaction: try authority.signedData.sign(copy), restoredFrom: original)
        }
        phone.transport.answer(DeviceEndpoints.restore) { request in
            let start = request.paginationToken.flatMap { Int($0) } ?? 0
            let end = min(start + Self.pageSize, count)
            return .success(RestoreReply(transactions: Array(transactions[start..<end]), paginationToken: end < count ? "\(end)" : nil))
        }
        phone.transport.answer(DeviceEndpoints.finish) { _ in .success(Empty()) }
        phone.transport.answer(DeviceEndpoints.receipt) { _ in .failure(.refused(status: 404, WireError(code: "none", message: "None."))) }
        let device = try phone.launch { $0.rootsPEM += authority.authority.rootsPEM }
        return (phone, device)
    }

    @Test(arguments: [0, 1, 1_001, 10_000])
    func `the end of a restore is reported once, after the last transaction`(_ count: Int) async throws {
        let (phone, device) = try await phone(of: count)
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        device.paymentQueue.restoreCompletedTransactions()
        device.paymentQueue.restoreCompletedTransactions()
        await device.waitUntilIdle()
        #expect(recorder.events.count == count + 1)
        #expect(recorder.events.last == .restoreFinished)
        #expect(Set(recorder.identifiers).count == count)
        #expect(device.paymentQueue.transactions.count == count)
        for transaction in device.paymentQueue.transactions { device.paymentQueue.finishTransaction(transaction) }
        await device.waitUntilIdle()
        #expect(device.paymentQueue.transactions.isEmpty)
        #expect(try Journal(path: phone.journal).records().filter { $0.recorded != nil }.isEmpty)
        // Transactions are finished in batches, not with one request each.
        #expect(phone.transport.count(DeviceEndpoints.finish) <= count / 500 + 2)
    }

    @Test func `a restore that fails midway keeps the received page, and the next restore starts over`() async throws {
        let (phone, device) = try await phone(of: 1_200)
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        phone.transport.set { path in path != DeviceEndpoints.restore.template || phone.transport.count(DeviceEndpoints.restore) != 2 }
        device.paymentQueue.restoreCompletedTransactions()
        await device.waitUntilIdle()
        #expect(recorder.events.count == Self.pageSize + 1)
        #expect(recorder.restoreResults == [.restoreFailed(SKErrorDomain, 0)])
        phone.transport.set(gate: nil)
        device.paymentQueue.restoreCompletedTransactions()
        await device.waitUntilIdle()
        #expect(Set(recorder.identifiers).count == 1_200)
        #expect(recorder.identifiers.count == 1_200)
        #expect(recorder.restoreResults.last == .restoreFinished)
    }
}
