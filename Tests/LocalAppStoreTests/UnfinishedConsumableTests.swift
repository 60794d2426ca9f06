import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore

/// Tests of a second purchase of a consumable while the transaction of the first one is unfinished.
@Suite struct UnfinishedConsumableTests {
    private static func set(_ isOn: Bool, _ harness: StoreHarness) async throws {
        var app = AppRequest()
        app.restoresUnfinishedConsumables = isOn
        _ = try await harness.call(ControlEndpoints.setApp, app, ["bundle": BundleID.test.rawValue])
    }

    /// What happens between two purchases, whether the setting is on, and the number of charges.
    @Test(
        arguments: [
            ("nothing", true, 1), ("nothing", false, 2), ("finished", true, 2), ("refunded", true, 2), ("another quantity", true, 2),
            ("another account", true, 1), ("outside the app", true, 2), ("another product", true, 2),
        ] as [(String, Bool, Int)])
    func `an unfinished consumable is not charged again`(_ situation: String, _ isOn: Bool, _ charges: Int) async throws {
        try await StoreHarness.run { harness in
            try await Self.set(isOn, harness)
            let phone = try await harness.signIn()
            let first = try await phone.buy(.credits)
            var second: TransactionPayload?
            switch situation {
            case "finished": try await phone.finish(first.transactionId)
            case "refunded": try await harness.refund(first.transactionId)
            case "another quantity": second = try await phone.buy(.credits, 2)
            case "another account": second = try await harness.signIn("ben@example.com", device: .second).buy(.credits)
            case "outside the app": _ = try await harness.buy(.credits, for: phone.account)
            case "another product": second = try await phone.buy(.book)
            default: break
            }
            if second == nil, situation != "outside the app" { second = try await phone.buy(.credits) }
            #expect(try await harness.charges().filter { $0.amount.milliunits > 0 }.count == charges)
            if situation == "nothing" { #expect((second?.transactionId == first.transactionId) == isOn) }
        }
    }

    @Test func `a repeated payment gets the open transaction, also after it is finished`() async throws {
        try await StoreHarness.run { harness in
            try await Self.set(true, harness)
            let phone = try await harness.signIn()
            let first = try await phone.buy(.credits).transactionId
            let request = PurchaseRequest(payment: "again", productID: .credits, quantity: 1, appAccountToken: nil)
            for _ in 0..<2 {
                guard case .purchased(let signed, _) = try await phone.call(DeviceEndpoints.purchase, request) else {
                    return #expect(Bool(false), "the payment was not completed")
                }
                #expect(try await harness.verifier.verify(signed).payload.transactionId == first)
                try await phone.finish(first)
            }
            #expect(try await harness.charges().count == 1)
            #expect(try await phone.unfinishedTransactions().isEmpty)
        }
    }

    @Test func `a new store and a new app return unfinished consumables`() async throws {
        #expect(LocalAppStoreConfiguration(bundleID: .test, catalog: .empty, database: .memory).restoresUnfinishedConsumables)
        try await StoreHarness.run { harness in
            _ = try await harness.call(ControlEndpoints.setApp, AppRequest(), ["bundle": "com.example.other"])
            #expect(harness.store.context.apps["com.example.other"]?.row.restoresUnfinishedConsumables == true)
        }
    }
}
