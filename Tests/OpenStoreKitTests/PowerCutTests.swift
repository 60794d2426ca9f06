import Foundation
import MonkeyShop
import PurchaseModel
import PurchaseProtocol
import StoreKit
import StoreTestSupport
import Testing

@testable import OpenStoreKit

/// The power goes at every journal write and at every call to the store, one after the other.
@Suite struct PowerCutTests {
    /// Plays `body` on new phones: once with power for everything, and then with power for none, one, two … of its effects.
    private func cutEverywhere(
        _ phone: () async throws -> TestPhone,
        finishing: Bool,
        _ body: (Device) -> Void = { _ in },
        then check: (TestPhone, _ effects: Int) async throws -> Void
    ) async throws {
        let plenty = 1_000
        var cuts = [plenty]
        while let effects = cuts.popLast() {
            let phone = try await phone()
            let power: PowerSupply
            do {
                let device = try phone.launch()
                await device.settle()
                power = try PowerSupply(phone, effects: effects)
                let witness = Witness(finishes: finishing)
                device.paymentQueue.add(witness)
                body(device)
                await device.settle()
                withExtendedLifetime(witness) {}
            }
            let used = effects - (try power.rest)
            try power.cut()
            try power.comeBack()
            try await check(phone, effects)
            if effects == plenty {
                #expect((4...40).contains(used))
                cuts = Array(0..<used)
            }
        }
    }

    private func newPhone() async throws -> TestPhone { try await TestPhone() }

    /// Relaunches and delivers until nothing comes any more; what was heard of.
    private func relaunch(_ phone: TestPhone) async throws -> Witness {
        let device = try phone.launch()
        if device.account == nil {
            try await device.signIn(Credentials(account: phone.account, password: "ladder"))
        }
        let witness = Witness(finishes: true)
        device.paymentQueue.add(witness)
        await device.settle()
        #expect(device.paymentQueue.transactions.isEmpty)
        return witness
    }

    private func expectNothingLeft(_ phone: TestPhone) async throws {
        #expect(try Journal(path: phone.journal).records().isEmpty)
        #expect(try await relaunch(phone).identifiers.isEmpty)
    }

    @Test func `a purchase is charged exactly once and comes back until it is finished`() async throws {
        try await cutEverywhere(newPhone, finishing: true) { device in
            device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.credits5))
        } then: { phone, effects in
            let heard = try await relaunch(phone)
            // Before the first write nobody knows of the payment.
            let charges = try await phone.charges
            #expect(charges.count == (effects == 0 ? 0 : 1), "\(effects) effects")
            #expect(Set(heard.identifiers).isSubset(of: Set(charges.map(\.transaction.rawValue))))
            try await expectNothingLeft(phone)
        }
    }

    @Test func `a purchase that was never finished is there after every cut`() async throws {
        try await cutEverywhere(newPhone, finishing: false) { device in
            device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.sepia))
        } then: { phone, effects in
            let heard = try await relaunch(phone)
            let charged = try await phone.charges.map(\.transaction.rawValue)
            #expect(charged.count == (effects == 0 ? 0 : 1))
            #expect(heard.identifiers == charged, "\(effects) effects")
            try await expectNothingLeft(phone)
        }
    }

    @Test func `a finish is done once and for all, or the transaction comes back`() async throws {
        func phone() async throws -> TestPhone {
            let phone = try await TestPhone()
            try await phone.buy(MonkeyShopProduct.credits10, finishing: false)
            return phone
        }
        try await cutEverywhere(phone, finishing: true) { phone, _ in
            let heard = try await relaunch(phone)
            #expect(heard.identifiers.count <= 1)
            #expect(try await phone.charges.count == 1)
            try await expectNothingLeft(phone)
        }
    }

    @Test func `a restore leaves nothing half-way`() async throws {
        let customer = try await TestPhone()
        let (owner, _) = try await customer.launch(finishing: true)
        owner.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.sepia))
        owner.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.moonlight))
        await owner.settle()
        let charges = try await customer.charges

        func secondPhone() async throws -> TestPhone { try await TestPhone(account: customer.account) }
        try await cutEverywhere(secondPhone, finishing: true) { device in
            device.paymentQueue.restoreCompletedTransactions()
        } then: { phone, _ in
            let heard = try await relaunch(phone)
            // What the store had made for this phone comes, whole, with its originals.
            #expect(heard.originals.count == heard.identifiers.count)
            try await expectNothingLeft(phone)
        }
        #expect(try await customer.charges == charges)
    }
}
