import Foundation
import PurchaseModel
import PurchaseProtocol
import Testing

@testable import LocalAppStore

@Suite struct AskToBuyTests {
    private func decide(_ harness: StoreHarness, _ payment: PaymentID, approve: Bool) async throws {
        _ = try await harness.call(ControlEndpoints.decide, DecisionRequest(approve: approve), ["payment": payment.rawValue])
    }

    @Test func `a child's payment waits, is charged when approved, and arrives unfinished`() async throws {
        try await StoreHarness.run { harness in
            let child = try await harness.phone("kid@example.com", asksToBuy: true)
            let payment = PaymentID(UUID())
            #expect(try await child.purchase(.credits, 2, payment: payment) == .deferred)
            #expect(try await child.purchase(.credits, 2, payment: payment) == .deferred)
            let pending = try await harness.call(ControlEndpoints.approvals, Empty()).pending
            #expect(pending == [.init(payment: payment, account: "kid@example.com", productID: .credits, quantity: 2)])
            #expect(try await harness.charges(of: "kid@example.com").isEmpty)

            try await decide(harness, payment, approve: true)
            try await decide(harness, payment, approve: true)
            #expect(try await harness.call(ControlEndpoints.approvals, Empty()).pending.isEmpty)
            #expect(try await harness.charges(of: "kid@example.com").map(\.amount.milliunits) == [1980])
            let unfinished = try await child.unfinished()
            #expect(unfinished.transactions.map(\.payment) == [payment])
            #expect(unfinished.declined.isEmpty)
            #expect(try await child.buy(.credits, 2, payment: payment).quantity == 2)
        }
    }

    @Test func `a declined payment is never charged and named each time the device asks`() async throws {
        try await StoreHarness.run { harness in
            let child = try await harness.phone("kid@example.com", asksToBuy: true)
            let payment = PaymentID(UUID())
            _ = try await child.purchase(.credits, payment: payment)
            try await decide(harness, payment, approve: false)
            #expect(try await child.unfinished().declined == [payment])
            #expect(try await child.unfinished().transactions.isEmpty)
            #expect(try await child.unfinished().declined == [payment])
            guard case .refused = try await child.purchase(.credits, payment: payment) else {
                Issue.record("a declined payment was sold")
                return
            }
            await #expect(throws: Refused(status: 409, code: "approval.decided")) { try await decide(harness, payment, approve: true) }
            #expect(try await harness.charges(of: "kid@example.com").isEmpty)
        }
    }

    @Test func `a payment whose child has not agreed to ask leaves nothing, and waits once the child agrees`() async throws {
        try await StoreHarness.run { harness in
            let child = try await harness.phone("kid@example.com", asksToBuy: true)
            var request = PurchaseRequest(
                payment: PaymentID(UUID()), productID: .credits, quantity: 1, appAccountToken: nil, agreesToAsk: false)
            for _ in 1...2 {
                #expect(try await harness.call(DeviceEndpoints.purchase, request, token: child.token) == .permissionNeeded)
            }
            #expect(try await harness.call(ControlEndpoints.approvals, Empty()).pending.isEmpty)
            request.agreesToAsk = true
            #expect(try await harness.call(DeviceEndpoints.purchase, request, token: child.token) == .deferred)
            // Killed since, the device knows no more of it.
            request.agreesToAsk = false
            #expect(try await harness.call(DeviceEndpoints.purchase, request, token: child.token) == .deferred)
            #expect(try await harness.charges(of: "kid@example.com").isEmpty)

            let phone = try await harness.phone()
            request.payment = PaymentID(UUID())
            guard case .purchased = try await harness.call(DeviceEndpoints.purchase, request, token: phone.token) else {
                Issue.record("who asks nobody was not sold to")
                return
            }
        }
    }

    @Test func `a payment that does not wait cannot be decided`() async throws {
        try await StoreHarness.run { harness in
            await #expect(throws: Refused(status: 404, code: "approval.unknown")) { try await decide(harness, "no-such", approve: true) }
        }
    }

    @Test func `of two subscriptions that wait, one can be approved`() async throws {
        try await StoreHarness.run { harness in
            let child = try await harness.phone("kid@example.com", asksToBuy: true)
            let (first, second) = (PaymentID(UUID()), PaymentID(UUID()))
            _ = try await child.purchase(.magazine, payment: first)
            _ = try await child.purchase(.magazine, payment: second)
            try await decide(harness, first, approve: true)
            await #expect(throws: Refused(status: 409, code: "approval.refused")) { try await decide(harness, second, approve: true) }
            #expect(try await harness.call(ControlEndpoints.approvals, Empty()).pending.map(\.payment) == [second])
            #expect(try await harness.charges(of: "kid@example.com").count == 1)
        }
    }
}
