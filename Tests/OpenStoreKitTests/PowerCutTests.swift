import Foundation
import PurchaseModel
import StoreKit
import StoreProtocol
import StoreTestSupport
import Testing

@testable import OpenStoreKit

/// Power cuts before each journal write and each request to the store.
@Suite struct PowerCutTests {
    /// Runs `body` on new phones: first without a power cut, and then with a cut after 0, 1, 2 … of its effects.
    private func cutPowerAtEachEffect(
        _ phone: () async throws -> Phone,
        finishing: Bool,
        _ body: (Device) -> Void = { _ in },
        then check: (Phone, _ effects: Int) async throws -> Void
    ) async throws {
        let unlimited = 1_000
        var cuts = [unlimited]
        while let effects = cuts.popLast() {
            let phone = try await phone()
            let power: PowerSupply
            do {
                let device = try phone.launch()
                await device.waitUntilIdle()
                power = try PowerSupply(phone, effects: effects)
                let recorder = RecordingObserver(finishes: finishing)
                device.paymentQueue.add(recorder)
                body(device)
                await device.waitUntilIdle()
                withExtendedLifetime(recorder) {}
            }
            let used = effects - (try power.remaining)
            try power.cutPower()
            try power.restorePower()
            try await check(phone, effects)
            if effects == unlimited {
                #expect((4...40).contains(used))
                cuts = Array(0..<used)
            }
        }
    }

    private func newPhone() async throws -> Phone { try await Phone() }

    /// Relaunches, finishes all transactions, and returns the observer.
    private func relaunch(_ phone: Phone) async throws -> RecordingObserver {
        let device = try phone.launch()
        if device.account == nil {
            try await device.signIn(phone.credentials)
        }
        let recorder = RecordingObserver(finishes: true)
        device.paymentQueue.add(recorder)
        await device.waitUntilIdle()
        #expect(device.paymentQueue.transactions.isEmpty)
        return recorder
    }

    private func expectNothingLeft(_ phone: Phone) async throws {
        #expect(try Journal(path: phone.journal).records().isEmpty)
        #expect(try await relaunch(phone).identifiers.isEmpty)
    }

    @Test func `a purchase is charged exactly once and delivered until it is finished`() async throws {
        try await cutPowerAtEachEffect(newPhone, finishing: true) { device in
            device.paymentQueue.add(Phone.payment(SampleProduct.credits5))
        } then: { phone, effects in
            let recorder = try await relaunch(phone)
            // Before the first write the payment does not exist.
            let charges = try await phone.charges
            #expect(charges.count == (effects == 0 ? 0 : 1), "\(effects) effects")
            #expect(Set(recorder.identifiers).isSubset(of: Set(charges.map(\.transactionID.rawValue))))
            try await expectNothingLeft(phone)
        }
    }

    @Test func `an unfinished purchase is delivered after every power cut`() async throws {
        try await cutPowerAtEachEffect(newPhone, finishing: false) { device in
            device.paymentQueue.add(Phone.payment(SampleProduct.sepia))
        } then: { phone, effects in
            let recorder = try await relaunch(phone)
            let charged = try await phone.charges.map(\.transactionID.rawValue)
            #expect(charged.count == (effects == 0 ? 0 : 1))
            #expect(recorder.identifiers == charged, "\(effects) effects")
            try await expectNothingLeft(phone)
        }
    }

    @Test func `a finish is permanent, or the transaction is delivered again`() async throws {
        func phone() async throws -> Phone {
            let phone = try await Phone()
            try await phone.buy(SampleProduct.credits10, finishing: false)
            return phone
        }
        try await cutPowerAtEachEffect(phone, finishing: true) { phone, _ in
            let recorder = try await relaunch(phone)
            #expect(recorder.identifiers.count <= 1)
            #expect(try await phone.charges.count == 1)
            try await expectNothingLeft(phone)
        }
    }

    @Test func `an interrupted restore leaves no partial state`() async throws {
        let firstPhone = try await Phone()
        let (owner, _) = try await firstPhone.launch(finishing: true)
        owner.paymentQueue.add(Phone.payment(SampleProduct.sepia))
        owner.paymentQueue.add(Phone.payment(SampleProduct.moonlight))
        await owner.waitUntilIdle()
        let charges = try await firstPhone.charges

        func secondPhone() async throws -> Phone { try await Phone(account: firstPhone.account) }
        try await cutPowerAtEachEffect(secondPhone, finishing: true) { device in
            device.paymentQueue.restoreCompletedTransactions()
        } then: { phone, _ in
            let recorder = try await relaunch(phone)
            // Every restored transaction is delivered with its original transaction.
            #expect(recorder.originals.count == recorder.identifiers.count)
            try await expectNothingLeft(phone)
        }
        #expect(try await firstPhone.charges == charges)
    }
}
