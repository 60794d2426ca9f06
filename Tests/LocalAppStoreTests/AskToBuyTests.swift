import Foundation
import PurchaseModel
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore

@Suite struct AskToBuyTests {
    @Test func `an Ask to Buy payment is pending until it is approved, then charged and unfinished`() async throws {
        try await StoreHarness.run { harness in
            let child = try await harness.signIn("kid@example.com", askToBuyEnabled: true)
            let payment = PaymentID(UUID())
            #expect(try await child.purchase(.credits, 2, payment: payment) == .deferred)
            #expect(try await child.purchase(.credits, 2, payment: payment) == .deferred)
            let pending = try await harness.pendingApprovals()
            #expect(pending == [.init(payment: payment, account: "kid@example.com", productID: .credits, quantity: 2)])
            #expect(try await harness.charges(of: "kid@example.com").isEmpty)

            try await harness.decide(payment, approve: true)
            try await harness.decide(payment, approve: true)
            #expect(try await harness.pendingApprovals().isEmpty)
            #expect(try await harness.charges(of: "kid@example.com").map(\.amount.milliunits) == [1980])
            let unfinished = try await child.unfinished()
            #expect(unfinished.transactions.map(\.payment) == [payment])
            #expect(unfinished.declined.isEmpty)
            #expect(try await child.buy(.credits, 2, payment: payment).quantity == 2)
        }
    }

    @Test func `a declined payment is never charged and is listed in every reply`() async throws {
        try await StoreHarness.run { harness in
            let child = try await harness.signIn("kid@example.com", askToBuyEnabled: true)
            let payment = PaymentID(UUID())
            _ = try await child.purchase(.credits, payment: payment)
            try await harness.decide(payment, approve: false)
            #expect(try await child.unfinished().declined == [payment])
            #expect(try await child.unfinished().transactions.isEmpty)
            #expect(try await child.unfinished().declined == [payment])
            guard case .refused = try await child.purchase(.credits, payment: payment) else {
                Issue.record("a declined payment was completed")
                return
            }
            await #expect(throws: Refused(status: 409, code: "approval.decided")) { try await harness.decide(payment, approve: true) }
            #expect(try await harness.charges(of: "kid@example.com").isEmpty)
        }
    }

    @Test func `Ask to Buy stores nothing before the child confirms, and the payment is pending afterwards`() async throws {
        try await StoreHarness.run { harness in
            let child = try await harness.signIn("kid@example.com", askToBuyEnabled: true)
            var request = PurchaseRequest(
                payment: PaymentID(UUID()), productID: .credits, quantity: 1, appAccountToken: nil, confirmsAskToBuy: false)
            for _ in 1...2 {
                #expect(try await child.call(DeviceEndpoints.purchase, request) == .askToBuyConfirmationRequired)
            }
            #expect(try await harness.pendingApprovals().isEmpty)
            request.confirmsAskToBuy = true
            #expect(try await child.call(DeviceEndpoints.purchase, request) == .deferred)
            // After a kill, the device repeats the request without the confirmation.
            request.confirmsAskToBuy = false
            #expect(try await child.call(DeviceEndpoints.purchase, request) == .deferred)
            #expect(try await harness.charges(of: "kid@example.com").isEmpty)

            let phone = try await harness.signIn()
            request.payment = PaymentID(UUID())
            guard case .purchased = try await phone.call(DeviceEndpoints.purchase, request) else {
                Issue.record("an account without Ask to Buy could not buy")
                return
            }
        }
    }

    @Test func `an unknown payment cannot be approved`() async throws {
        try await StoreHarness.run { harness in
            await #expect(throws: Refused(status: 404, code: "approval.unknown")) { try await harness.decide("no-such", approve: true) }
        }
    }

    @Test func `of two pending purchases of one subscription, one can be approved`() async throws {
        try await StoreHarness.run { harness in
            let child = try await harness.signIn("kid@example.com", askToBuyEnabled: true)
            let (first, second) = (PaymentID(UUID()), PaymentID(UUID()))
            _ = try await child.purchase(.magazine, payment: first)
            _ = try await child.purchase(.magazine, payment: second)
            try await harness.decide(first, approve: true)
            await #expect(throws: Refused(status: 409, code: "approval.refused")) { try await harness.decide(second, approve: true) }
            #expect(try await harness.pendingApprovals().map(\.payment) == [second])
            #expect(try await harness.charges(of: "kid@example.com").count == 1)
        }
    }
}
