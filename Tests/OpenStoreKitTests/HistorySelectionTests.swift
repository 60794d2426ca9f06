import Foundation
import GRDB
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import Testing

@testable import OpenStoreKit
@testable import StoreKit

/// Transactions that the journal selects before signatures are verified.
@Suite struct HistorySelectionTests {
    private typealias Row = StoreKit2HistoryTests.Row

    private let account: AccountID = "ada"
    private let folder: TemporaryFolder
    private let journal: Journal
    /// Two products of every type, each finished or unfinished, and refunded or not.
    private let rows: [Row]

    init() throws {
        folder = try TemporaryFolder()
        journal = try Journal(path: folder.file("journal").path(percentEncoded: false))
        var rows: [Row] = []
        for type in [PurchaseModel.ProductType.consumable, .nonConsumable, .nonRenewing, .autoRenewable] {
            for product in ["a", "b"] {
                for (isFinished, isRevoked) in [(false, false), (false, true), (true, false), (true, true)] {
                    rows.append(
                        Row(
                            id: UInt64(rows.count + 1), type: type, product: "\(product) \(type)", day: Int64(rows.count),
                            isFinished: isFinished, isRevoked: isRevoked))
                }
            }
        }
        self.rows = rows
        let entries = rows.map {
            Journal.Entry(purchase: HistoryReply.Purchase(signedTransaction: $0.signed, isFinished: $0.isFinished), payload: $0.payload)
        }
        _ = try journal.apply(entries, cursor: "1", of: account)
    }

    private func selected(_ selection: HistorySelection) throws -> TransactionHistory {
        let signed = try journal.purchases(of: account, selection).map(\.signedTransaction)
        return try history(rows.filter { signed.contains($0.signed) })
    }

    private func history(_ rows: [Row]) throws -> TransactionHistory {
        TransactionHistory(
            entries: try rows.map { HistoryEntry(result: try $0.transaction(), isFinished: $0.isFinished) },
            includesFinishedConsumables: false)
    }

    private func ids(_ history: TransactionHistory) -> [UInt64] { history.entries.map(\.transaction.id) }

    @Test func `a selection gives the same results as the whole history`() throws {
        let everything = try history(rows)
        #expect(try ids(selected(.everything)) == rows.map(\.id))
        let shown = try selected(.shown(nil, includesFinishedConsumables: false))
        #expect(shown.all.map(\.result) == everything.all.map(\.result))
        #expect(try selected(.owned(nil)).currentEntitlements([]) == everything.currentEntitlements([]))
        for product in Set(rows.map(\.product)) {
            let one = try selected(.shown(ProductID(product), includesFinishedConsumables: false))
            #expect(one.all.map(\.result) == everything.all(for: product).map(\.result))
            #expect(one.latest(for: product)?.result == everything.latest(for: product)?.result)
            let owned = try selected(.owned(ProductID(product))).currentEntitlements([])
            #expect(owned == everything.currentEntitlements([]).filter { $0.unsafePayloadValue.productID == product })
        }
    }

    @Test func `a selection contains no transaction that is not shown`() throws {
        let everything = try history(rows)
        let shown = try selected(.shown(nil, includesFinishedConsumables: false))
        #expect(ids(shown) == everything.all.map(\.transaction.id))
        #expect(try ids(selected(.shown(nil, includesFinishedConsumables: true))) == rows.map(\.id))
        #expect(try ids(selected(.shown(ProductID(rows[0].product), includesFinishedConsumables: false))) == [1, 2, 4])
        let owned = rows.filter { [.nonConsumable, .nonRenewing].contains($0.type) && !$0.isRevoked }
        #expect(try ids(selected(.owned(nil))) == owned.map(\.id))
        #expect(try ids(selected(.transaction("7"))) == [7])
        #expect(try ids(selected(.group("group"))) == rows.filter { $0.type == .autoRenewable }.map(\.id))
        #expect(try ids(selected(.group("another"))).isEmpty)
    }

    @Test(arguments: [
        HistorySelection.everything, .shown("a", includesFinishedConsumables: false), .owned("a"), .group("group"), .transaction("1"),
    ])
    func `a transaction without product columns, known from the queue only, is always selected`(_ selection: HistorySelection) throws {
        try journal.database.write { try $0.execute(sql: "UPDATE purchase SET product = '', type = '', subscriptionGroup = ''") }
        #expect(try ids(selected(selection)).contains(1))
    }

    @Test func `another account's transactions are not selected`() throws {
        #expect(try journal.purchases(of: "grace", .everything).isEmpty)
        #expect(try journal.purchases(of: "grace", .group("group")).isEmpty)
    }
}
