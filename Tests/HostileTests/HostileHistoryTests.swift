import Foundation
import FoundationExtras
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

/// Tests that import forged transaction histories into the built `tillroll store up`.
@Suite struct HostileHistoryTests {
    /// Members of a transaction payload, with the values that replace them.
    private static let changes: [(String, [any Sendable])] = [
        ("purchaseDate", [Int64.max, Int64.min, -1, 0, 3_900_000_000_000 as Int64, 4_102_444_800_001 as Int64, "soon", 1e300]),
        ("originalPurchaseDate", [Int64.max, Int64.min, -1]),
        ("expiresDate", [Int64.max, Int64.min, 0, -1]),
        ("revocationDate", [Int64.max, Int64.min]),
        ("signedDate", [Int64.max, Int64.min]),
        ("quantity", [Int64.max, Int64.min, 0, -1, 11]),
        ("price", [Int64.max, Int64.min, -1]),
        ("offerType", [Int64.max, -1]),
        ("transactionId", ["", "0", "-1", "9223372036854775807", "99999999999999999999", "1\u{0}2", String(repeating: "9", count: 5_000)]),
        ("originalTransactionId", ["", "99999999999999999999", "another"]),
        ("webOrderLineItemId", ["", "99999999999999999999"]),
        ("productId", ["", "a\u{0}b", String(repeating: "p", count: 5_000)]),
        ("subscriptionGroupIdentifier", ["", "\u{0}"]),
        ("type", ["", "Consumable", "Coupon"]),
        ("currency", ["", "ZZZZ"]),
        ("storefront", ["", "ZZZ"]),
        (
            "multiSeatInfo",
            [
                3, "seats", [] as [Int], ["revokedSeatQuantity": Int64.min], ["revokedSeatQuantity": Int64.max],
                ["priceTiers": [["quantity": Int64.min, "price": 1]]], ["priceTiers": [["quantity": 2, "price": Int64.max]]],
                ["priceTiers": [["quantity": 1]]], ["priceTiers": Array(repeating: ["quantity": 10_000, "price": 1_000], count: 9)],
            ]
        ),
        ("additionalTransactionReason", ["SEAT_ADDITION", ""]),
    ]

    @Test func `a history with hostile values is refused or imported, and the store keeps running`() async throws {
        try await RunningStore.with { store in
            let genuine = try Self.payload()
            var refused = 0
            for (member, values) in Self.changes {
                for value in values {
                    var payload = genuine
                    payload[member] = value
                    let body = ImportHistoryRequest(account: "mallory", signedTransactions: [SignedTransaction(try Self.compact(payload))])
                    do {
                        _ = try await store.client.call(ControlEndpoints.importHistory, body)
                    } catch let refusal as Refused {
                        refused += 1
                        #expect((400..<500).contains(refusal.status), "\(member) = \(value): \(refusal)")
                    }
                }
            }
            #expect(refused > 30)
            // Advancing the time processes the imported transactions.
            _ = try await store.json("store", "advance", "400d")
            _ = try await store.json("store", "buy", RunningStore.seeds.rawValue, "--account", "jane")
        }
    }

    /// The JSON members of the transaction of a monthly subscription's first period.
    private static func payload() throws -> [String: Any] {
        let date = Timestamp.testStart
        var payload = TransactionPayload.sample(
            product: RunningStore.monthly, type: .autoRenewable, bundle: RunningStore.bundleID, date: date,
            expires: date.adding(seconds: 2_592_000))
        payload.webOrderLineItemId = "2000000000000002"
        payload.subscriptionGroupIdentifier = "21A2B3C4"
        return try #require(try JSONSerialization.jsonObject(with: try WireJSON.encode(payload)) as? [String: Any])
    }

    /// Returns a JWS with an invalid signature; an import does not verify signatures.
    private static func compact(_ payload: [String: Any]) throws -> String {
        let header = Data(#"{"alg":"ES256","x5c":[]}"#.utf8)
        let body = try JSONSerialization.data(withJSONObject: payload)
        return [header, body, Data(repeating: 1, count: 64)]
            .map { $0.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "") }
            .joined(separator: ".")
    }
}
