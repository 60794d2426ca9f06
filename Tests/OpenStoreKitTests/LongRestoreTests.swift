import Foundation
import MonkeyShop
import PurchaseIssuing
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import StoreKit
import StoreTestSupport
import Testing
import WireClient

@testable import OpenStoreKit

/// A customer who has bought for years.
@Suite struct LongRestoreTests {
    private static let pageSize = 500

    /// A phone whose store answers a restore with so many transactions, in pages.
    private func phone(of count: Int) async throws -> (phone: TestPhone, device: Device) {
        let phone = try await TestPhone()
        let authority = TestAuthority.shared
        let payload = TransactionPayload.sample(id: "1", product: MonkeyShopProduct.sepia, type: .nonConsumable)
        let original = try authority.signedData.sign(payload)
        let transactions = try (0..<count).map { number in
            var copy = payload
            copy.transactionId = TransactionID("\(number + 2)")
            return UnfinishedTransaction(payment: nil, transaction: try authority.signedData.sign(copy), restoredFrom: original)
        }
        phone.line.answer(DeviceEndpoints.restore) { request in
            let start = request.after.flatMap { Int($0) } ?? 0
            let end = min(start + Self.pageSize, count)
            return .success(RestoreReply(transactions: Array(transactions[start..<end]), next: end < count ? "\(end)" : nil))
        }
        phone.line.answer(DeviceEndpoints.finish) { _ in .success(Empty()) }
        phone.line.answer(DeviceEndpoints.receipt) { _ in .failure(.refused(status: 404, WireError(code: "none", message: "None."))) }
        var configuration = phone.configuration
        configuration.rootsPEM += authority.authority.rootsPEM
        let device = try Device(configuration, transport: phone.line, retryPolicy: RetryPolicy { 0 }, clock: phone.clock, logger: .silent)
        return (phone, device)
    }

    @Test(arguments: [0, 1, 1_001, 10_000])
    func `the end is told once, after the last transaction`(_ count: Int) async throws {
        let (phone, device) = try await phone(of: count)
        let witness = Witness()
        device.paymentQueue.add(witness)
        device.paymentQueue.restoreCompletedTransactions()
        device.paymentQueue.restoreCompletedTransactions()
        await device.settle()
        #expect(witness.notes.count == count + 1)
        #expect(witness.notes.last == .restoreFinished)
        #expect(Set(witness.identifiers).count == count)
        #expect(device.paymentQueue.transactions.count == count)
        for transaction in device.paymentQueue.transactions { device.paymentQueue.finishTransaction(transaction) }
        await device.settle()
        #expect(device.paymentQueue.transactions.isEmpty)
        #expect(try Journal(path: phone.journal).records().filter { $0.recorded != nil }.isEmpty)
        // A thousand at once, and not each by a call of its own.
        #expect(phone.line.count(DeviceEndpoints.finish) <= count / 500 + 2)
    }

    @Test func `a store that goes away in the middle leaves what had come, and the next restore begins anew`() async throws {
        let (phone, device) = try await phone(of: 1_200)
        let witness = Witness()
        device.paymentQueue.add(witness)
        phone.line.set { path in path != DeviceEndpoints.restore.template || phone.line.count(DeviceEndpoints.restore) != 2 }
        device.paymentQueue.restoreCompletedTransactions()
        await device.settle()
        #expect(witness.notes.count == Self.pageSize + 1)
        #expect(witness.restoreEndings == [.restoreFailed(SKErrorDomain, 0)])
        phone.line.set(gate: nil)
        device.paymentQueue.restoreCompletedTransactions()
        await device.settle()
        #expect(Set(witness.identifiers).count == 1_200)
        #expect(witness.identifiers.count == 1_200)
        #expect(witness.restoreEndings.last == .restoreFinished)
    }
}
