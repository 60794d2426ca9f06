import Foundation
import FoundationExtras
import HTTPTypes
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the submission of signed transactions.
@Suite struct SubmissionTests {
    @Test func `a transaction is credited once to the customer of its appAccountToken`() async throws {
        try await Shop.open { shop async throws in
            for isKnown in [false, true] {
                let result = try await shop.record(.creditSale.with { $0.quantity = 4 })
                #expect(result.status == .verified)
                let purchase = try #require(result.purchases.first)
                #expect(purchase.fulfillment == .complete && purchase.credits == 20 && purchase.isKnown == isKnown)
            }
            #expect(try await shop.balance() == 20)
        }
    }

    @Test func `concurrent submissions of one transaction credit it once`() async throws {
        try await TemporaryFolder.with { folder in
            try await Shop.open(database: .file(folder.file("server.sqlite").path())) { shop async throws in
                let new = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for _ in 0..<20 {
                        group.addTask { try await shop.record(.creditSale).purchases.first?.isKnown == false }
                    }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(new == 1)
                #expect(try await shop.balance() == 5)
            }
        }
    }

    @Test(arguments: [
        TransactionPayload.creditSale.with { $0.quantity = 11 }, .creditSale.with { $0.quantity = -1 },
        .creditSale.with { $0.bundleId = "com.example.other" }, .creditSale.with { $0.environment = "Production" },
        .creditSale.with { $0.environment = "Xcode" },
    ])
    func `a transaction of another app or environment, or with an impossible quantity, is refused`(
        _ payload: TransactionPayload
    ) async throws {
        try await Shop.open { shop async throws in
            let result = try await shop.record(payload)
            #expect(result.status == .refused && result.code == "proof.refused" && result.purchases.isEmpty)
            #expect(try await shop.balance() == 0)
            #expect(try await shop.server.transactions(limit: 10).isEmpty)
        }
    }

    @Test func `a transaction of an untrusted root is refused`() async throws {
        try await Shop.open { shop async throws in
            #expect(try await shop.record(.creditSale, signer: .other).code == "proof.refused")
            #expect(try await shop.balance() == 0)
        }
    }

    @Test func `several proofs have separate results, in their order`() async throws {
        try await Shop.open { shop async throws in
            let signer = TestAuthority.shared.signedData
            let proofs = [
                PurchaseProofInput(signedTransaction: try signer.sign(TransactionPayload.creditSale)),
                PurchaseProofInput(signedTransaction: SignedTransaction("a.b.c")),
                PurchaseProofInput(),
                PurchaseProofInput(signedTransaction: SignedTransaction("a.b.c"), transactionID: "1"),
                PurchaseProofInput(transactionID: "1"),
                PurchaseProofInput(receipt: Data(try TestAuthority.shared.receipts.issue(.sample([.bookSale])))),
            ]
            let reply = try await shop.submit(proofs, by: shop.backend)
            #expect(reply.customer == Shop.customer)
            #expect(
                reply.results.map(\.code) == [
                    nil, "proof.refused", "proof.ambiguous", "proof.ambiguous", "proof.lookup-not-configured", nil,
                ])
            #expect(reply.balances == [BalanceReply(currency: .credits, amount: 5)])
        }
    }

    @Test(arguments: [1, 50]) func `all proofs of a request are recorded in one transaction, in which the balances are read`(
        _ count: Int
    ) async throws {
        try await Shop.open { shop async throws in
            let storage = try #require(shop.storage)
            let signer = TestAuthority.shared.signedData
            let proofs = try (1...count).map {
                PurchaseProofInput(signedTransaction: try signer.sign(.sale(.credits5, .consumable, id: TransactionID("\($0)"))))
            }
            // The first request also reads the API key.
            _ = try await shop.submit([PurchaseProofInput()], by: shop.backend)
            let before = storage.transactions
            let reply = try await shop.submit(proofs, by: shop.backend)
            #expect(storage.transactions == before + 1)
            #expect(reply.results.flatMap(\.purchases).map(\.transactionID.rawValue) == (1...count).map(String.init))
            #expect(reply.balances.map(\.amount) == [Int64(5 * count)])
        }
    }

    @Test func `a damaged purchase keeps no purchase before it from being recorded`() async throws {
        try await Shop.open { shop async throws in
            let storage = try #require(shop.storage)
            let signer = TestAuthority.shared.signedData
            let sales = try ["1", "2"].map {
                PurchaseProofInput(signedTransaction: try signer.sign(.sale(.credits5, .consumable, id: TransactionID($0))))
            }
            _ = try await shop.submit([sales[1]], by: shop.backend)
            try await storage.writeTables(.test) {
                try $0.execute("UPDATE purchase SET entitlement = 'x' WHERE app = ?1 AND original_transaction_id = ?", "2")
            }
            let request = SubmitPurchasesRequest(proofs: sales)
            #expect(try await shop.call(ServerEndpoints.purchases, request, by: shop.backend).status == .serviceUnavailable)
            #expect(try await shop.balance() == 10)
        }
    }

    @Test func `a request without a customer whose proofs are refused uses no transaction`() async throws {
        try await Shop.open { shop async throws in
            let storage = try #require(shop.storage)
            _ = try await shop.submit([PurchaseProofInput()])
            let before = storage.transactions
            #expect(try await shop.submit([PurchaseProofInput()]).results.map(\.code) == ["proof.ambiguous"])
            #expect(storage.transactions == before)
        }
    }

    @Test(arguments: [0, 101]) func `a submission has 1 to 100 proofs`(_ count: Int) async throws {
        try await Shop.open { shop async throws in
            let request = SubmitPurchasesRequest(
                proofs: Array(repeating: PurchaseProofInput(signedTransaction: SignedTransaction("a")), count: count))
            #expect(try await shop.call(ServerEndpoints.purchases, request).code == "submission.count")
        }
    }

    @Test func `a product that is not in the catalog is recorded, and its credits follow when it is`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("server.sqlite").path()
            let sale = TransactionPayload.sale("gems", .consumable, id: "1")
            try await Shop.open(database: .file(path)) { shop async throws in
                let purchase = try #require(try await shop.record(sale).purchases.first)
                #expect(purchase.fulfillment == .unknownProduct && purchase.credits == 0)
                // A consumable gives no entitlement that the catalog does not name.
                #expect(try await !shop.entitlement(to: "gems" as EntitlementName).isActive)
            }
            let gems = ServerProduct(id: "gems", credits: 7, currency: "gems")
            try await Shop.open(database: .file(path), change: Shop.Change { $0.products.append(gems) }) { shop async throws in
                let purchase = try #require(try await shop.record(sale).purchases.first)
                #expect(purchase.fulfillment == .complete && purchase.credits == 7 && purchase.isKnown)
                let balances: BalancesReply = try await shop.call(ServerEndpoints.balances, Empty()).value()
                #expect(balances.amount(of: "gems") == 7)
            }
        }
    }

    @Test(arguments: [
        "/v1/purchases", "/v1/notifications", "/v1/customer/debits", "/v1/customer/aliases",
    ])
    func `a hostile body is a client error`(_ path: String) async throws {
        let bodies = [
            "", "{}", "[]", "null", #"{"proofs":1}"#, #"{"proofs":[{"signedTransaction":1}]}"#, #"{"proofs":[]}"#,
            #"{"signedPayload":".."}"#, #"{"signedPayload":"e30.e30.e30"}"#, #"{"proofs":[{"receipt":"%%%"}]}"#, #"{"alias":""}"#,
            #"{"idempotencyKey":"a","amount":1e99}"#, #"{"idempotencyKey":"a","amount":99999999999999999999}"#,
            #"{"idempotencyKey":"a","amount":-9223372036854775808}"#,
            String(repeating: "[", count: 100_000), "\u{0}\u{1}",
        ]
        try await Shop.open { shop async throws in
            for body in bodies {
                let answer = try await shop.post(path, Data(body.utf8), by: shop.backend)
                #expect((400..<500).contains(answer.status.code), "\(body.prefix(40))")
                #expect(answer.code != nil)
            }
        }
    }

    @Test func `a notification of the size limit is accepted`() async throws {
        try await Shop.open { shop async throws in
            let signed = try TestAuthority.shared.signedData.sign(NotificationPayload.about(.bookSale, type: "ONE_TIME_CHARGE"))
            let body = try WireJSON.encode(NotificationRequest(signedPayload: signed))
            let answer = try await shop.post("/v1/notifications", body + Data(repeating: 32, count: (1 << 20) - body.count))
            #expect(answer.status == .ok)
        }
    }

    @Test func `a notification above the size limit is refused`() async throws {
        try await Shop.open { shop async throws in
            let answer = try await shop.post("/v1/notifications", Data(repeating: 32, count: (1 << 20) + 1))
            #expect(answer.status == .contentTooLarge)
        }
    }

    @Test func `the product list and the health status are available`() async throws {
        try await Shop.open { shop async throws in
            #expect(
                try await shop.call(ServerEndpoints.products, Empty(), by: .app(nil)).value(ServerProductsReply.self).products.map(\.id)
                    .first == .credits5)
            #expect(String(decoding: try await shop.get("/health").body, as: UTF8.self) == #"{"status":"ok"}"#)
        }
    }
}
