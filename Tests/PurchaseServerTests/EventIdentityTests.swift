import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// The identity of a stored event, which earlier versions of the server computed without the members that the App Store added in 2026.
@Suite struct EventIdentityTests {
    @Test func `an event that an earlier version stored is not stored again`() async throws {
        try await Shop.open { shop async throws in
            let sale = TransactionPayload.sale(.magazine, .autoRenewable, id: "3000", expires: shop.clock.now.adding(days: 30)).with {
                $0.multiSeatInfo = TransactionMultiSeatInfo(
                    invitationManagement: "APPLE", priceTiers: [MultiSeatPriceTier(price: 990, quantity: 2)])
            }
            try await shop.record(sale)
            let app = try #require(shop.server.apps.all.first)
            let signed = try await app.verifiers.signedData.verify(TestAuthority.shared.signedData.sign(sale))
            let identities = try SQLTransaction.identities(of: try #require(VerifiedEvent(signed, nil, source: "app")))
            #expect(identities.count == 2)
            let storage = try #require(shop.storage)
            try await storage.writeTables(.test) { records in
                for table in ["signed_event", "transaction_version"] {
                    try records.execute(
                        "UPDATE \(table) SET digest = ?2 WHERE app = ?1 AND original_transaction_id = '3000' AND digest = ?3",
                        identities[1], identities[0])
                }
            }
            // The app submits the same transaction with a later signature.
            try await shop.record(sale.with { $0.signedDate = $0.signedDate.adding(seconds: 60) })
            let events = try await storage.read(.test) { try $0.events(of: "3000", limit: 9) }
            #expect(events.count == 1)
            #expect(events.first?.event.transaction.multiSeatInfo == sale.multiSeatInfo)
        }
    }

    @Test(arguments: [false, true]) func `the version of a transaction that states added seats is an event of its own`(
        _ isReversed: Bool
    ) async throws {
        try await Shop.open { shop async throws in
            let before = TransactionPayload.sale(.magazine, .autoRenewable, id: "3000", expires: shop.clock.now.adding(days: 30))
            let after = before.with {
                $0.additionalTransactionReason = "SEAT_ADDITION"
                $0.signedDate = $0.signedDate.adding(seconds: 60)
            }
            for sale in isReversed ? [after, before] : [before, after] { try await shop.record(sale) }
            let events = try await #require(shop.storage).read(.test) { try $0.events(of: "3000", limit: 9) }
            #expect(Set(events.map(\.event.transaction.additionalTransactionReason)) == [nil, "SEAT_ADDITION"])
        }
    }
}
