import Foundation
import FoundationExtras
import GRDB
import HTTPTypes
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import StoreTestSupport
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of what the database stores when the same facts are submitted again and again, signed or encoded anew.
@Suite struct EvidenceGrowthTests {
    /// The numbers of stored rows.
    private struct Rows: Equatable {
        var events: Int
        var receipts: Int
        var notifications: Int
    }

    private static func rows(_ path: String) throws -> Rows {
        try DatabaseQueue.waiting(path: path).read { db in
            func count(_ table: String) throws -> Int { try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0 }
            return Rows(events: try count("signed_event"), receipts: try count("receipt"), notifications: try count("notification"))
        }
    }

    private static func withShop(
        change: Shop.Change = Shop.Change { $0.receiptConfirmation = .off }, _ body: @Sendable @escaping (Shop, String) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("server.sqlite").path()
            try await Shop.open(database: .file(path), change: change) { shop async throws in try await body(shop, path) }
        }
    }

    /// Encodings of a receipt that differ in leading zeros of the outermost length, which the signature does not cover.
    static func encodings(of receipt: [UInt8]) throws -> [[UInt8]] {
        try #require(receipt[1] == 0x82)
        return (0...6).map { zeros in
            [receipt[0], 0x82 + UInt8(zeros)] + [UInt8](repeating: 0, count: zeros) + receipt.dropFirst(2)
        }
    }

    @Test func `other encodings of a genuine receipt take no space`() async throws {
        try await Self.withShop { shop, path in
            let receipt = try TestAuthority.shared.receipts.issue(.sample([.bookSale, .creditSale]))
            for encoding in try Self.encodings(of: receipt) {
                let result = try await shop.submit([PurchaseProofInput(receipt: Data(encoding))], by: shop.backend).results.first
                #expect(result?.status == .verified && result?.purchases.count == 2)
            }
            #expect(try Self.rows(path) == Rows(events: 2, receipts: 1, notifications: 0))
        }
    }

    @Test func `a subscriber who refreshes the receipt each month costs one event for each period`() async throws {
        try await Self.withShop { shop, path in
            let months = (0..<60).map { number in
                TransactionPayload.sale(
                    .magazine, .autoRenewable, id: TransactionID("4\(100 + number)"),
                    expires: .testStart.adding(days: 30 * Int64(number + 1))
                ).with {
                    ($0.originalTransactionId, $0.webOrderLineItemId) = ("4100", "9\(100 + number)")
                    let start = Timestamp.testStart.adding(days: 30 * Int64(number))
                    ($0.purchaseDate, $0.signedDate) = (start, start)
                }
            }
            for count in 1...60 {
                // The App Store signs a notification of each renewal, and the app submits its receipt afterwards.
                _ = try await shop.notify(try .about(months[count - 1], .sample(original: "4100"), type: "DID_RENEW"))
                #expect(try await shop.recordReceipt(Array(months.prefix(count))).status == .verified)
            }
            #expect(try Self.rows(path) == Rows(events: 60, receipts: 0, notifications: 60))
        }
    }

    @Test func `a transaction that is signed anew for each submission is one event`() async throws {
        try await Self.withShop { shop, path in
            for second in 0..<20 {
                let signed = TransactionPayload.creditSale.with { $0.signedDate = $0.signedDate.adding(seconds: Int64(second)) }
                #expect(try await shop.record(signed.bound(to: UUID())).status == .verified)
            }
            #expect(try Self.rows(path).events == 1)
            // The newest signature counts: a refund that was signed before it has been reversed.
            try await shop.record(.creditSale.refunded(after: 10))
            #expect(try await shop.balance() == 5)
            try await shop.record(.creditSale.refunded(after: 30))
            #expect(try await shop.balance() == 0)
        }
    }

    @Test func `without a shared secret, other encodings of the receipt of a notification are the same notification`() async throws {
        let change = Shop.Change { ($0.sharedSecret, $0.receiptConfirmation) = (nil, .off) }
        try await Self.withShop(change: change) { shop, path in
            let receipt = try TestAuthority.shared.receipts.issue(.sample([.bookSale]))
            for encoding in try Self.encodings(of: receipt) {
                let latest = Data(encoding).base64EncodedString()
                let unified = UnifiedReceipt(
                    environment: .sandbox, latestReceipt: latest, latestReceiptInfo: [], pendingRenewalInfo: [])
                let body = try WireJSON.encode(
                    NotificationV1(
                        .didRenew, environment: .sandbox, password: nil, bundleID: .test, bundleVersion: "1",
                        originalTransactionID: "2000000000000002", unifiedReceipt: unified))
                #expect(try await shop.post("/v1/notifications", body).status == .ok)
            }
            #expect(try Self.rows(path) == Rows(events: 1, receipts: 1, notifications: 1))
        }
    }
}
