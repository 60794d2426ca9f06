import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing

@testable import OpenStoreKit
@testable import StoreKit

/// A sequence of random events on two phones that two accounts share.
struct RandomScenario {
    /// Records the transactions of one phone across all app sessions.
    private final class Observer: NSObject, SKPaymentTransactionObserver, Sendable {
        struct Observations {
            /// The delivered transactions; for a restored transaction, its original.
            var transactions: Set<String> = []
            /// The payments that were added on this phone.
            var added: Set<PaymentID> = []
            /// The added payments that failed.
            var failed: Set<PaymentID> = []
            /// The outcomes of each payment; a correct payment has one.
            var outcomes: [PaymentID: Set<String>] = [:]
        }

        let observations = Mutex(Observations())
        let finishes = Mutex(false)

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            for transaction in transactions {
                observations.withLock { observations in
                    switch transaction.transactionState {
                    case .purchasing: observations.added.insert(transaction.id)
                    case .deferred: break
                    case .failed:
                        observations.failed.insert(transaction.id)
                        observations.outcomes[transaction.id, default: []].insert("failed")
                    case .purchased, .restored:
                        let identifier = transaction.original?.transactionIdentifier ?? transaction.transactionIdentifier ?? ""
                        observations.transactions.insert(identifier)
                        observations.outcomes[transaction.id, default: []].insert(identifier)
                    @unknown default: break
                    }
                }
                if finishes.withLock({ $0 }), transaction.transactionState != .purchasing { queue.finishTransaction(transaction) }
            }
        }
    }

    private struct RunningPhone {
        let phone: Phone
        let observer = Observer()
        var device: Device

        init(_ phone: Phone) throws {
            self.phone = phone
            device = try phone.launch()
        }
    }

    private let harness: StoreHarness
    private let customers: [AccountID]
    private var random: SeededRandom
    private var phones: [RunningPhone] = []
    /// The transactions that purchase calls returned.
    private var bought: Set<String> = []
    /// The number of purchase calls that may or may not be charged.
    private var unresolved = 0
    private(set) var log: [String] = []

    private let coins = [SampleProduct.credits5, SampleProduct.credits10]

    init(seed: UInt64) async throws {
        random = SeededRandom(seed: seed)
        harness = try await StoreHarness.shared
        var customers: [AccountID] = []
        for _ in 0..<2 {
            // A purchase that can be restored.
            let phone = try await Phone()
            try await phone.buy(SampleProduct.sepia)
            customers.append(phone.account)
            phones.append(try RunningPhone(try await Phone(account: phone.account)))
        }
        self.customers = customers
        for phone in phones { phone.device.paymentQueue.add(phone.observer) }
    }

    /// Makes a purchase, so that every scenario has a charge, and runs a number of random events.
    mutating func run(_ events: Int) async throws {
        phones[0].device.paymentQueue.add(Phone.payment(coins[0]))
        await phones[0].device.waitUntilIdle()
        for _ in 0..<events {
            let index = Int.random(in: phones.indices, using: &random)
            let event = Event.allCases.randomElement(using: &random) ?? .buy
            log.append("phone \(index): \(event)")
            try await run(event, index)
            if Bool.random(using: &random) {
                await phones[index].device.waitUntilIdle()
                try await expectOnlyOwnTransactions(phones[index].device)
            }
        }
    }

    /// Two of the cases add a payment, so that purchases are more likely.
    private enum Event: CaseIterable {
        case buy, buyAgain, call, finish, toggleFinishing, restore, loseReply, duplicateReply, fail, disconnect, reconnect, relaunch,
            changeAccount,
            signOut, wake
    }

    private mutating func run(_ event: Event, _ index: Int) async throws {
        let (device, transport, observer) = (phones[index].device, phones[index].phone.transport, phones[index].observer)
        switch event {
        case .buy, .buyAgain: device.paymentQueue.add(Phone.payment(coins.randomElement(using: &random) ?? coins[0]))
        case .call: await call(device)
        case .finish: for transaction in device.paymentQueue.transactions { device.paymentQueue.finishTransaction(transaction) }
        case .toggleFinishing: observer.finishes.withLock { $0.toggle() }
        case .restore: device.paymentQueue.restoreCompletedTransactions()
        case .loseReply: injectFault(transport, .lostReply)
        case .duplicateReply: injectFault(transport, .duplicated)
        case .fail: injectFault(transport, .refused(status: 503))
        case .disconnect: transport.set(offline: true)
        case .reconnect: transport.set(offline: false)
        case .relaunch: try await relaunch(index)
        case .changeAccount: try? await device.signIn(Credentials(of: customers.randomElement(using: &random) ?? customers[0]))
        case .signOut: try await device.signOut()
        case .wake: device.wake()
        }
    }

    private mutating func injectFault(_ transport: FaultyTransport, _ fault: FaultyTransport.Fault) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: transport.fail(DeviceEndpoints.finish, fault)
        case 1: transport.fail(DeviceEndpoints.restore, fault)
        case 2: transport.fail(DeviceEndpoints.unfinished, fault)
        case 3: transport.fail(DeviceEndpoints.history, fault)
        default: transport.fail(DeviceEndpoints.purchase, fault)
        }
    }

    private mutating func call(_ device: Device) async {
        let request = PaymentRequest(
            id: PaymentID(UUID()), productID: coins.randomElement(using: &random) ?? coins[0], quantity: 1, username: nil, product: nil)
        switch await device.purchase(request) {
        case .purchased(let transaction): bought.insert(transaction.payload.transactionId.rawValue)
        case .pending, .failed: unresolved += 1
        case .unverified, .cancelled, .unreachable: break
        }
    }

    private mutating func relaunch(_ index: Int) async throws {
        await phones[index].device.waitUntilIdle()
        phones[index].device = try phones[index].phone.launch()
        phones[index].device.paymentQueue.add(phones[index].observer)
    }

    private func charges(_ account: AccountID) async throws -> [Charge] { try await harness.charges(of: account) }

    /// Expects that the queue contains only transactions of the signed-in account.
    private func expectOnlyOwnTransactions(_ device: Device) async throws {
        let owner = device.state.owner
        let shown = device.paymentQueue.transactions.compactMap { $0.original?.transactionIdentifier ?? $0.transactionIdentifier }
        let charged = if let owner { try await charges(owner).map(\.transactionID.rawValue) } else { [String]() }
        #expect(Set(shown).isSubset(of: charged), "\(log.joined(separator: "\n"))")
    }

    /// Reconnects both phones, signs each account in on each phone, finishes all transactions, and compares them with the charges.
    mutating func verifyOutcome() async throws {
        for index in phones.indices {
            phones[index].phone.transport.reconnect()
            phones[index].observer.finishes.withLock { $0 = true }
            try await relaunch(index)
            // A sign-in prompt at launch is answered before the next account signs in.
            await phones[index].device.waitUntilIdle()
            for account in customers {
                try await phones[index].device.signIn(Credentials(of: account))
                await phones[index].device.waitUntilIdle()
                try await expectOnlyOwnTransactions(phones[index].device)
                #expect(phones[index].device.paymentQueue.transactions.isEmpty)
            }
        }
        let transcript = log.joined(separator: "\n")
        let observations = phones.map { $0.observer.observations.withLock { $0 } }
        let charged = try await customers.asyncMap { try await charges($0) }.flatMap { $0 }.filter { coins.contains($0.productID) }
        let ids = charged.map(\.transactionID.rawValue)
        #expect(!ids.isEmpty && Set(ids).count == ids.count, "\(transcript)")
        // Every charge is delivered.
        let delivered = observations.reduce(into: bought) { $0.formUnion($1.transactions) }
        #expect(Set(ids).isSubset(of: delivered), "\(transcript)")
        // No payment is charged twice, and none is lost.
        let expected = observations.reduce(0) { $0 + $1.added.count - $1.failed.count } + bought.count
        #expect((expected...expected + unresolved).contains(ids.count), "\(ids.count) charges, \(expected) expected\n\(transcript)")
        // Each payment has one outcome.
        for (payment, outcomes) in observations.flatMap(\.outcomes) {
            #expect(outcomes.count == 1, "\(payment): \(outcomes)\n\(transcript)")
        }
        for account in customers {
            let phone = try await Phone(account: account)
            let (device, recorder) = try await phone.launch(finishing: false)
            try await device.signIn(Credentials(of: account))
            await device.waitUntilIdle()
            #expect(recorder.events.isEmpty, "\(transcript)")
        }
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
