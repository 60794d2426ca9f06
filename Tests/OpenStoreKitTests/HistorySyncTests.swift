import Foundation
import PurchaseModel
import StoreProtocol
import StoreTestSupport
import Testing

@testable import OpenStoreKit

/// The account's stored history, and the store's replies that replace it.
@Suite struct HistorySyncTests {
    @Test(arguments: [0, 1])
    func `a history whose replacement can't be written stays in use`(_ count: Int) async throws {
        let phone = try await Phone()
        try await phone.buy(SampleProduct.sepia, SampleProduct.moonlight)
        let (device, _) = try await phone.launch(finishing: true)
        let history = await device.purchases()
        #expect(history.count == 2)
        phone.transport.answer(DeviceEndpoints.history) { _ in
            let transactions = Array(history.prefix(count))
            var reply = HistoryReply(transactions: transactions, statuses: [], revision: "another", hasMore: false)
            reply.replacesHistory = true
            return .success(reply)
        }
        try phone.execute("CREATE TRIGGER full BEFORE INSERT ON cursor BEGIN SELECT RAISE(ABORT, 'full'); END")
        #expect(await device.purchases() == history)
        try phone.execute("DROP TRIGGER full")
        #expect(await device.purchases() == Array(history.prefix(count)))
    }
}
