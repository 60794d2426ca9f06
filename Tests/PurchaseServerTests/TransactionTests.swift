import Foundation
import HTTPTypes
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import Testing

@testable import PurchaseServer

@Suite struct TransactionTests {
    @Test func `a transaction with quantity 4 grants four times the credits, and a replay has the same reply`() async throws {
        try await Shop.open { shop async throws in
            let sale = TransactionPayload.creditSale.with { $0.quantity = 4 }
            var expected = GrantReply(
                transactionID: sale.transactionId, productID: .credits5, credits: 20, balance: 20, alreadyRecorded: false)
            #expect(try await shop.record(sale).value() == expected)
            expected.alreadyRecorded = true
            #expect(try await shop.record(sale).value() == expected)
            #expect(try await shop.balance() == 20)
        }
    }

    @Test func `20 concurrent requests grant the credits once`() async throws {
        try await TemporaryFolder.with { folder in
            try await Shop.open(database: .file(folder.file("server.sqlite").path())) { shop async throws in
                let new = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for _ in 0..<20 {
                        group.addTask { try await !shop.record(.creditSale).value(GrantReply.self).alreadyRecorded }
                    }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(new == 1)
                #expect(try await shop.balance() == 5)
            }
        }
    }

    @Test(arguments: [
        (TransactionPayload.creditSale.with { $0.appAccountToken = nil }, "transaction.no-customer"),
        (.creditSale.with { $0.appAccountToken = "me" }, "transaction.no-customer"),
        (.creditSale.with { $0.productId = "unheard.of" }, "product.unknown"),
        (.creditSale.with { $0.quantity = 11 }, "transaction.refused"),
        (.creditSale.with { $0.quantity = -1 }, "transaction.refused"),
        (.creditSale.with { $0.bundleId = "com.example.other" }, "transaction.refused"),
        (.creditSale.with { $0.environment = "Production" }, "transaction.refused"),
        (.creditSale.with { $0.environment = "Xcode" }, "transaction.refused"),
    ])
    func `a transaction that cannot be credited is refused with an error code`(_ payload: TransactionPayload, _ code: String) async throws {
        try await Shop.open { shop async throws in
            let answer = try await shop.record(payload)
            #expect(answer.status == .unprocessableContent)
            #expect(answer.code == code)
            #expect(try await shop.balance() == 0)
            #expect(try await shop.server.transactions(limit: 10).isEmpty)
        }
    }

    @Test func `a transaction of an untrusted root is refused`() async throws {
        try await Shop.open { shop async throws in
            let answer = try await shop.record(.creditSale, by: .other)
            #expect(answer.status == .unprocessableContent)
            #expect(answer.code == "transaction.refused")
            #expect(try await shop.balance() == 0)
        }
    }

    @Test func `a debit is made once, and an insufficient balance is unchanged`() async throws {
        try await Shop.open { shop async throws in
            _ = try await shop.record(.creditSale)
            for _ in 1...2 {
                #expect(try await shop.spend(2, "a").value() == BalanceReply(customer: Shop.customer, balance: 3))
            }
            let refused = try await shop.spend(4, "b")
            #expect(refused.status == .conflict)
            #expect(refused.code == "balance.too-small")
            #expect(try await shop.spend(3, "a").code == "spending.reused")
            #expect(try await shop.balance() == 3)
        }
    }

    @Test func `concurrent debits never exceed the balance`() async throws {
        try await Shop.open { shop async throws in
            _ = try await shop.record(.creditSale)
            let acceptedCount = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<12 {
                    group.addTask { try await shop.spend(1, "s\(number)").status == .ok }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(acceptedCount == 5)
            #expect(try await shop.balance() == 0)
        }
    }

    @Test(arguments: [
        (0, "a", "spending.amount"), (-5, "a", "spending.amount"), (1_000_001, "a", "spending.amount"), (Int.max, "a", "spending.amount"),
        (1, "", "spending.malformed"), (1, String(repeating: "x", count: 101), "spending.malformed"),
    ])
    func `an invalid debit is refused`(_ amount: Int, _ spending: String, _ code: String) async throws {
        try await Shop.open { shop async throws in
            let answer = try await shop.spend(amount, spending)
            #expect(answer.status == .badRequest)
            #expect(answer.code == code)
        }
    }

    @Test(arguments: ["me", "1", "00000000", "%2e%2e", "0b0b0b0b-1111-4222-8333-44444444444", "' OR 1=1 --"])
    func `a customer is a UUID`(_ customer: String) async throws {
        try await Shop.open { shop async throws in
            for endpoint in [ServerEndpoints.balance.path(["customer": customer])] {
                let answer = try await shop.get(endpoint)
                #expect(answer.status == .badRequest)
                #expect(answer.code == "customer.malformed")
            }
        }
    }

    @Test func `an uppercase UUID is the same customer`() async throws {
        try await Shop.open { shop async throws in
            _ = try await shop.record(.creditSale)
            let path = "/v1/customers/\(Shop.customer.rawValue.uppercased())/balance"
            #expect(try await shop.get(path).value(BalanceReply.self).balance == 5)
        }
    }

    @Test(arguments: [
        "/v1/transactions", "/v1/notifications", "/v1/content/\(ProductID.book)/tickets", "/v1/customers/\(Shop.customer)/spend",
    ])
    func `a hostile body is a client error`(_ path: String) async throws {
        let bodies = [
            "", "{}", "[]", "null", "{\"signedTransaction\":1}", "{\"signedTransaction\":\"\"}", "{\"signedTransaction\":\"a.b.c\"}",
            "{\"signedPayload\":\"..\"}", "{\"signedPayload\":\"e30.e30.e30\"}", "{\"receipt\":\"%%%\"}", "{\"receipt\":\"\"}",
            "{\"receipt\":\"MIAG\"}", "{\"spending\":\"a\",\"amount\":1e99}", "{\"spending\":\"a\",\"amount\":99999999999999999999}",
            String(repeating: "[", count: 100_000), "\u{0}\u{1}",
        ]
        try await Shop.open { shop async throws in
            for body in bodies {
                let answer = try await shop.post(path, Data(body.utf8))
                #expect((400..<500).contains(answer.status.code), "\(body.prefix(40))")
                #expect(answer.code != nil)
            }
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
            #expect(try await shop.get("/v1/products").value(ServerProductsReply.self).products.map(\.id).first == .credits5)
            #expect(String(decoding: try await shop.get("/health").body, as: UTF8.self) == #"{"status":"ok"}"#)
        }
    }
}
