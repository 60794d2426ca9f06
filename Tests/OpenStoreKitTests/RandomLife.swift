import Foundation
import MonkeyShop
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import PurchaseTestSupport
import StoreTestSupport
import Synchronization
import Testing

@testable import OpenStoreKit
@testable import StoreKit

/// Two phones that two customers share, and that something happens to again and again, drawn by lot.
struct RandomLife {
    /// What an app on a phone hears, all its launches together.
    private final class Ear: NSObject, SKPaymentTransactionObserver, Sendable {
        struct Heard {
            /// Every transaction that was handed over, and for restored ones the original.
            var transactions: Set<String> = []
            /// The payments that were added here.
            var begun: Set<PaymentID> = []
            /// Those of them that have failed.
            var failed: Set<PaymentID> = []
            /// How each ended: more than one end is one too many.
            var ends: [PaymentID: Set<String>] = [:]
        }

        let heard = Mutex(Heard())
        let finishes = Mutex(false)

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            for transaction in transactions {
                heard.withLock { heard in
                    switch transaction.transactionState {
                    case .purchasing: heard.begun.insert(transaction.id)
                    case .deferred: break
                    case .failed:
                        heard.failed.insert(transaction.id)
                        heard.ends[transaction.id, default: []].insert("failed")
                    case .purchased, .restored:
                        let identifier = transaction.original?.transactionIdentifier ?? transaction.transactionIdentifier ?? ""
                        heard.transactions.insert(identifier)
                        heard.ends[transaction.id, default: []].insert(identifier)
                    @unknown default: break
                    }
                }
                if finishes.withLock({ $0 }), transaction.transactionState != .purchasing { queue.finishTransaction(transaction) }
            }
        }
    }

    private struct Phone {
        let phone: TestPhone
        let ear = Ear()
        var device: Device

        init(_ phone: TestPhone) throws {
            self.phone = phone
            device = try phone.launch()
        }
    }

    private let harness: StoreHarness
    private let customers: [AccountID]
    private var random: SeededRandom
    private var phones: [Phone] = []
    /// The purchase calls that were answered with a transaction, and those that may or may not be charged.
    private var bought: Set<String> = []
    private var undecided = 0
    private(set) var log: [String] = []

    private let coins = [MonkeyShopProduct.credits5, MonkeyShopProduct.credits10]

    init(seed: UInt64) async throws {
        random = SeededRandom(seed: seed)
        harness = try await StoreHarness.shared
        var customers: [AccountID] = []
        for _ in 0..<2 {
            // Something that a restore brings.
            let phone = try await TestPhone()
            try await phone.buy(MonkeyShopProduct.sepia)
            customers.append(phone.account)
            phones.append(try Phone(try await TestPhone(account: phone.account)))
        }
        self.customers = customers
        for phone in phones { phone.device.paymentQueue.add(phone.ear) }
    }

    /// Lives through so many events.
    mutating func live(_ events: Int) async throws {
        for _ in 0..<events {
            let index = Int.random(in: phones.indices, using: &random)
            let event = Event.allCases.randomElement(using: &random) ?? .buy
            log.append("phone \(index): \(event)")
            try await live(event, index)
            if Bool.random(using: &random) {
                await phones[index].device.settle()
                try await expectOwn(phones[index].device)
            }
        }
    }

    /// Buying is in it twice, so that there is more to lose.
    private enum Event: CaseIterable {
        case buy, buyAgain, call, finish, beginFinishing, restore, loseReply, doubleReply, fail, cut, mend, relaunch, changeAccount,
            signOut, wake
    }

    private mutating func live(_ event: Event, _ index: Int) async throws {
        let (device, line, ear) = (phones[index].device, phones[index].phone.line, phones[index].ear)
        switch event {
        case .buy, .buyAgain: device.paymentQueue.add(TestPhone.payment(coins.randomElement(using: &random) ?? coins[0]))
        case .call: await call(device)
        case .finish: for transaction in device.paymentQueue.transactions { device.paymentQueue.finishTransaction(transaction) }
        case .beginFinishing: ear.finishes.withLock { $0.toggle() }
        case .restore: device.paymentQueue.restoreCompletedTransactions()
        case .loseReply: disturb(line, .lostReply)
        case .doubleReply: disturb(line, .doubled)
        case .fail: disturb(line, .refused(status: 503))
        case .cut: line.set(away: true)
        case .mend: line.set(away: false)
        case .relaunch: try await relaunch(index)
        case .changeAccount: try? await device.signIn(credentials(customers.randomElement(using: &random) ?? customers[0]))
        case .signOut: try await device.signOut()
        case .wake: device.wake()
        }
    }

    private mutating func disturb(_ line: FaultyTransport, _ fault: FaultyTransport.Fault) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: line.fail(DeviceEndpoints.finish, fault)
        case 1: line.fail(DeviceEndpoints.restore, fault)
        case 2: line.fail(DeviceEndpoints.unfinished, fault)
        case 3: line.fail(DeviceEndpoints.purchases, fault)
        default: line.fail(DeviceEndpoints.purchase, fault)
        }
    }

    private mutating func call(_ device: Device) async {
        let request = PaymentRequest(
            id: PaymentID(UUID()), productID: coins.randomElement(using: &random) ?? coins[0], quantity: 1, username: nil, product: nil)
        switch await device.purchase(request) {
        case .purchased(let transaction): bought.insert(transaction.payload.transactionId.rawValue)
        case .pending, .failed: undecided += 1
        case .unverified, .cancelled, .unreachable: break
        }
    }

    private mutating func relaunch(_ index: Int) async throws {
        await phones[index].device.settle()
        phones[index].device = try phones[index].phone.launch()
        phones[index].device.paymentQueue.add(phones[index].ear)
    }

    private func credentials(_ account: AccountID) -> Credentials { Credentials(account: account, password: "ladder") }

    private func charges(_ account: AccountID) async throws -> [Charge] { try await harness.charges(account) }

    /// Whatever is in the queue was bought by who is signed in.
    private func expectOwn(_ device: Device) async throws {
        let owner = device.state.owner
        let shown = device.paymentQueue.transactions.compactMap { $0.original?.transactionIdentifier ?? $0.transactionIdentifier }
        let charged = if let owner { try await charges(owner).map(\.transaction.rawValue) } else { [String]() }
        #expect(Set(shown).isSubset(of: charged), "\(log.joined(separator: "\n"))")
    }

    /// Everything works again, everybody looks into each phone, and everything is finished; then the accounts are done.
    mutating func settleAccounts() async throws {
        for index in phones.indices {
            phones[index].phone.line.mend()
            phones[index].ear.finishes.withLock { $0 = true }
            try await relaunch(index)
            // Who is asked to sign in at launch has answered when the next one comes.
            await phones[index].device.settle()
            for account in customers {
                try await phones[index].device.signIn(credentials(account))
                await phones[index].device.settle()
                try await expectOwn(phones[index].device)
                #expect(phones[index].device.paymentQueue.transactions.isEmpty)
            }
        }
        let story = log.joined(separator: "\n")
        let heard = phones.map { $0.ear.heard.withLock { $0 } }
        let charged = try await customers.asyncMap { try await charges($0) }.flatMap { $0 }.filter { coins.contains($0.productID) }
        let ids = charged.map(\.transaction.rawValue)
        #expect(Set(ids).count == ids.count, "\(story)")
        // Nothing is lost.
        let delivered = heard.reduce(into: bought) { $0.formUnion($1.transactions) }
        #expect(Set(ids).isSubset(of: delivered), "\(story)")
        // Nothing is charged twice, and nothing is forgotten.
        let wanted = heard.reduce(0) { $0 + $1.begun.count - $1.failed.count } + bought.count
        #expect((wanted...wanted + undecided).contains(ids.count), "\(ids.count) charges, \(wanted) wanted\n\(story)")
        // Each payment has had one end.
        for (payment, ends) in heard.flatMap(\.ends) { #expect(ends.count == 1, "\(payment): \(ends)\n\(story)") }
        for account in customers {
            let phone = try await TestPhone(account: account)
            let (device, witness) = try await phone.launch(finishing: false)
            try await device.signIn(credentials(account))
            await device.settle()
            #expect(witness.notes.isEmpty, "\(story)")
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
