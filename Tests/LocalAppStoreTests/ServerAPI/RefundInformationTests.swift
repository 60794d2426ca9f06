import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PurchaseModel
import PurchaseProof
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

@Suite struct RefundInformationTests {
    private static func body(_ preference: String) -> String {
        #"{"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":false,"refundPreference":"\#(preference)"}"#
    }

    @Test(arguments: [(Int64(11), false), (13, true)]) func `consumption information counts within twelve hours`(
        _ hours: Int64, _ isRefunded: Bool
    ) async throws {
        try await StoreHarness.run { harness in
            let bought = try await harness.signIn().buy(.credits)
            _ = try await harness.call(ControlEndpoints.requestRefund, RefundRequest(transactionID: bought.transactionId))
            try await harness.advance(seconds: hours * 3600)
            let response = try await harness.sendAPI(
                .sendConsumption, ["transactionId": bought.transactionId.rawValue], body: Self.body("DECLINE"))
            #expect(response.status == .accepted)
            #expect(response.body.readableBytes == 0)
            try await harness.advance(days: 1)
            let now = try await harness.completeHistory(bought.transactionId).transactions
            #expect(now.map(\.isRevoked) == [isRefunded])
        }
    }

    @Test func `consumption information without a refund request is ignored`() async throws {
        try await StoreHarness.run { harness in
            let bought = try await harness.signIn().buy(.credits)
            try await harness.api(.sendConsumption, bought.transactionId.rawValue, body: Self.body("GRANT_FULL"))
            #expect(try await harness.call(ControlEndpoints.refundRequests, Empty()).requests == [])
        }
    }

    @Test func `a revoked Family Sharing entitlement is not in the refund history`() async throws {
        try await StoreHarness.run { harness in
            for account: AccountID in ["ada@example.com", "bob@example.com"] {
                try await harness.createAccount(account)
                try await harness.set(account) { $0.family = "f" }
            }
            let bought = try await harness.signIn("ada@example.com").buy(.book)
            let bobs = try await harness.signIn("bob@example.com").buy(.credits)
            try await harness.refund(bought.transactionId)
            #expect(
                try await harness.api(.refundHistory, bought.transactionId.rawValue, RefundHistoryResponse.self).signedTransactions.count
                    == 1)
            #expect(try await harness.api(.refundHistory, bobs.transactionId.rawValue, RefundHistoryResponse.self).signedTransactions == [])
        }
    }

    @Test func `the refund lookup returns the 50 newest refunds`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            var ids: [TransactionID] = []
            for _ in 0..<52 {
                ids.append(try await phone.buy(.credits).transactionId)
                try await harness.advance(seconds: 1)
                try await harness.refund(ids[ids.count - 1])
            }
            let found = try await harness.api(.refundHistoryV1, ids[0].rawValue, RefundLookupResponse.self).signedTransactions
            #expect(try await harness.payloads(found).map(\.transactionId) == Array(ids.dropFirst(2)))
        }
    }
}
