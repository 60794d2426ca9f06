import Foundation
import GRDB
import HTTPTypes
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the form in which a database stores signed data.
@Suite struct StoredJWSTests {
    private static let sale = TransactionPayload.sale(.magazine, .autoRenewable, id: "4000", expires: .testStart.adding(days: 30))
    private static let renewal = RenewalInfoPayload.sample(original: "4000", date: .testStart)

    private static func notification(uuid: String = "u1") throws -> NotificationPayload {
        try .about(sale, renewal, type: "SUBSCRIBED", uuid: uuid)
    }

    @Test func `a JWS is restored to the byte`() throws {
        let issuer = TestAuthority.shared.signedData
        let foreign = try NotificationPayload.about(Self.sale, Self.renewal, type: "SUBSCRIBED", by: .other)
        let samples = try [
            issuer.sign(Self.sale).compact, issuer.sign(Self.renewal).compact, issuer.sign(Self.notification()).compact,
            issuer.sign(foreign).compact, issuer.sign(json: []), issuer.sign(json: Array(#"{"a":"."}"#.utf8)),
            issuer.sign(json: Array(#""""#.utf8)),
        ]
        for sample in samples {
            let stored = try #require(StoredJWS(sample))
            #expect(StoredJWS.key(in: stored.text) == stored.key)
            #expect(StoredJWS.restore(stored.text, header: stored.header) == sample)
            #expect(!stored.text.contains(stored.header))
        }
    }

    private static let unusual = [
        "", ".", "..", "e30", "e30.e30", ".e30.", "e30.e30.e30.e30", "e30.e3 0.", "e30.e31.", "e30.e30=.",
        // A control character, and bytes that are not UTF-8.
        "e30.\(Base64URL.encode([1])).s", "e30.\(Base64URL.encode([0xFF])).s",
    ]

    @Test(arguments: unusual)
    func `a text that could not be restored to the byte is stored as it is`(_ text: String) async throws {
        #expect(StoredJWS(text) == nil)
        let restored = try await SQLitePurchaseStorage(.memory).writer.write { db in
            let transaction = SQLTransaction(app: .test, connection: SQLiteTransactionConnection(db: db))
            return try transaction.compact(transaction.stored(text))
        }
        #expect(restored == text)
    }

    @Test func `a stored notification takes less than a quarter of its signed text`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("server.sqlite").path()
            try await Shop.open(database: .file(path)) { shop async throws in
                for number in 1...20 { #expect(try await shop.notify(Self.notification(uuid: "u\(number)")).status == .ok) }
            }
            let (notifications, headers) = try await DatabaseQueue.waiting(path: path).read { db in
                (
                    try String.fetchAll(db, sql: "SELECT signed_notification FROM notification"),
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM jws_header")
                )
            }
            let signed = try TestAuthority.shared.signedData.sign(Self.notification()).compact
            #expect(notifications.count == 20 && notifications.allSatisfy { $0.utf8.count * 4 < signed.utf8.count })
            // All are signed with one key.
            #expect(headers == 1)
        }
    }
}
