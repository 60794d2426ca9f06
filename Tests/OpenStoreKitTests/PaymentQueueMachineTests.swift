import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreKit
import Testing

@testable import OpenStoreKit

@Suite struct PaymentQueueMachineTests {
    /// The state of a payment.
    enum Stage: String, CaseIterable, Sendable {
        case absent, queued, confirmed, deferred, purchased, restored, failed, finished
    }

    /// An event of a payment.
    enum EventKind: String, CaseIterable, Sendable {
        case added, confirmed, cancelled, deferred, failed, answered, answeredWithOtherTransaction, restored, finished, acknowledged
    }

    /// The expected actions, in order, and the payment's state afterward.
    struct Expectation: Sendable {
        var actions: [String]
        var stage: Stage
    }

    /// The pairs of state and event that have an effect. Every other pair leaves the state unchanged and has no actions.
    static let table: [Stage: [EventKind: Expectation]] = {
        let purchased = Expectation(actions: ["persist", "announce"], stage: .purchased)
        let restored = Expectation(actions: ["persist", "announce"], stage: .restored)
        let failed = Expectation(actions: ["persist", "announce"], stage: .failed)
        let finished = Expectation(actions: ["persist", "announceRemoval", "startPass"], stage: .finished)
        // A transaction that does not match the payment gets a separate record.
        func separateRecord(_ stage: Stage) -> Expectation {
            Expectation(actions: ["persist separate record", "announce separate record"], stage: stage)
        }
        return [
            .absent: [
                .added: Expectation(actions: ["persist", "announce", "startPass"], stage: .queued),
                .answered: purchased, .restored: restored,
                .answeredWithOtherTransaction: purchased,
            ],
            .queued: [
                .confirmed: Expectation(actions: ["persist"], stage: .confirmed),
                .cancelled: failed, .failed: failed, .answered: purchased, .restored: restored,
                .answeredWithOtherTransaction: separateRecord(.queued),
            ],
            .confirmed: [
                .deferred: Expectation(actions: ["persist", "announce"], stage: .deferred),
                .failed: failed, .answered: purchased, .restored: restored,
                .answeredWithOtherTransaction: separateRecord(.confirmed),
            ],
            .deferred: [
                .failed: failed, .answered: purchased, .restored: restored, .answeredWithOtherTransaction: separateRecord(.deferred),
            ],
            .purchased: [.finished: finished, .answeredWithOtherTransaction: separateRecord(.purchased)],
            .restored: [.finished: finished, .answeredWithOtherTransaction: separateRecord(.restored)],
            .failed: [
                .finished: Expectation(actions: ["forget", "announceRemoval"], stage: .absent),
                .answered: separateRecord(.failed), .restored: separateRecord(.failed),
                .answeredWithOtherTransaction: separateRecord(.failed),
            ],
            .finished: [
                .acknowledged: Expectation(actions: ["forget"], stage: .absent), .answeredWithOtherTransaction: separateRecord(.finished),
            ],
        ]
    }()

    private static let id: PaymentID = "payment"
    private static let pairs = Stage.allCases.flatMap { stage in EventKind.allCases.map { (stage, $0) } }

    private func transaction(_ id: TransactionID = "1", product: ProductID = "p") async throws -> VerifiedTransaction {
        let authority = TestAuthority.shared
        return try await authority.verifier().verify(authority.signedData.sign(TransactionPayload.sample(id: id, product: product)))
    }

    private let request = PaymentRequest(id: id, productID: "p", quantity: 1, username: nil, product: nil)

    private func record(_ state: PaymentQueueRecord.State) -> PaymentQueueRecord {
        PaymentQueueRecord(request, sequence: 1, state: state)
    }

    private func machine(_ stage: Stage) async throws -> PaymentQueueMachine {
        let known = RecordedTransaction(try await transaction())
        let state: PaymentQueueRecord.State? =
            switch stage {
            case .absent: nil
            case .queued: .queued
            case .confirmed: .confirmed
            case .deferred: .deferred
            case .purchased: .purchased(known)
            case .restored: .restored(known, original: known)
            case .failed: .failed(PaymentFailure(.unknown))
            case .finished: .finished(known.id)
            }
        return PaymentQueueMachine(journal: state.map { [record($0)] } ?? [])
    }

    private func event(_ kind: EventKind) async throws -> PaymentQueueMachine.Event {
        switch kind {
        case .added: .added(request)
        case .confirmed: .confirmed(Self.id, true)
        case .cancelled: .confirmed(Self.id, false)
        case .deferred: .deferred(Self.id)
        case .failed: .failed(Self.id, PaymentFailure(.paymentInvalid))
        case .answered: .received(Self.id, try await transaction(), restoredFrom: nil)
        case .answeredWithOtherTransaction: .received(Self.id, try await transaction("2", product: "q"), restoredFrom: nil)
        case .restored: .received(Self.id, try await transaction(), restoredFrom: try await transaction())
        case .finished: .finished(Self.id)
        case .acknowledged: .acknowledged(Self.id)
        }
    }

    private func stage(_ record: PaymentQueueRecord?) -> Stage {
        switch record?.state {
        case nil: .absent
        case .queued: .queued
        case .confirmed: .confirmed
        case .deferred: .deferred
        case .purchased: .purchased
        case .restored: .restored
        case .failed: .failed
        case .finished: .finished
        }
    }

    private func name(_ action: PaymentQueueMachine.Action) -> String {
        switch action {
        case .persist(let record): record.id == Self.id ? "persist" : "persist separate record"
        case .announce(let record): record.id == Self.id ? "announce" : "announce separate record"
        case .forget: "forget"
        case .announceRemoval: "announceRemoval"
        case .completeCall: "completeCall"
        case .setOwner: "setOwner"
        case .startPass: "startPass"
        }
    }

    @Test(arguments: pairs)
    func `every event in every state has the actions of the table`(_ stage: Stage, _ kind: EventKind) async throws {
        var machine = try await machine(stage)
        let actions = machine.handle(try await event(kind))
        let expected = Self.table[stage]?[kind] ?? Expectation(actions: [], stage: stage)
        #expect(actions.map(name) == expected.actions)
        #expect(self.stage(machine.records[Self.id]) == expected.stage)
    }

    @Test(arguments: pairs)
    func `no change is announced or processed before it is persisted`(_ stage: Stage, _ kind: EventKind) async throws {
        var machine = try await machine(stage)
        let first = machine.handle(try await event(kind)).first
        switch first {
        case nil, .persist, .forget, .setOwner: break
        case .announce, .announceRemoval, .completeCall, .startPass: Issue.record("\(stage) \(kind): \(String(describing: first))")
        }
    }

    @Test(arguments: pairs)
    func `a repeated event has no effect`(_ stage: Stage, _ kind: EventKind) async throws {
        var machine = try await machine(stage)
        _ = machine.handle(try await event(kind))
        let before = machine.records
        // The first finish of a failed payment removes its record, so the second one is not a repeat.
        let again = machine.handle(try await event(kind))
        let isRepeat = !(stage == .failed && kind == .finished)
        if isRepeat {
            #expect(again.isEmpty)
            #expect(machine.records == before)
        }
    }

    @Test(arguments: Stage.allCases)
    func `only its finish removes a transaction`(_ stage: Stage) async throws {
        for kind in EventKind.allCases {
            var machine = try await machine(stage)
            let received = Set(machine.records.values.filter(\.isVisible).compactMap(\.transactionID))
            _ = machine.handle(try await event(kind))
            let left = Set(machine.records.values.compactMap(\.transactionID))
            #expect(left.isSuperset(of: received), "\(kind)")
            if kind == .answeredWithOtherTransaction { #expect(left.contains("2"), "\(stage)") }
        }
    }

    @Test(arguments: pairs)
    func `the journal equals the records in memory after every event`(_ stage: Stage, _ kind: EventKind) async throws {
        try await TemporaryFolder.with { folder in
            let journal = try Journal(path: folder.file("journal").path())
            var machine = try await machine(stage)
            try journal.write(machine.ordered.map { .persist($0) })
            try journal.write(machine.handle(try await event(kind)))
            #expect(try journal.records() == machine.ordered)
        }
    }

    @Test(arguments: pairs)
    func `events decided together have the actions of events decided one by one`(_ stage: Stage, _ kind: EventKind) async throws {
        for next in EventKind.allCases {
            var machine = try await machine(stage)
            let events = [try await event(kind), try await event(next), .ownerChanged("ada"), try await event(kind)]
            let together = machine.decide(events)
            let oneByOne = events.flatMap { machine.handle($0) }
            #expect(together == oneByOne, "\(next)")
        }
    }

    @Test func `a decision does not change the queue`() async throws {
        for stage in Stage.allCases {
            let machine = try await machine(stage)
            let before = machine.records
            for kind in EventKind.allCases { _ = machine.decide([try await event(kind), .ownerChanged("ada")]) }
            #expect(machine.records == before && machine.owner == nil, "\(stage)")
        }
    }

    @Test func `a payment receives its transaction even if the app already finished it from the history`() async throws {
        var machine = PaymentQueueMachine(journal: [record(.confirmed)])
        _ = machine.handle(.delivered(try await transaction()))
        let actions = machine.handle(.received(Self.id, try await transaction(), restoredFrom: nil))
        #expect(actions.map(name) == ["forget", "persist", "announce"])
        #expect(machine.records.keys.sorted() == [Self.id])
        #expect(stage(machine.records[Self.id]) == .purchased)
        #expect(machine.record(of: "1")?.id == Self.id)
    }

    @Test func `a transaction that may belong to a confirmed payment is awaited`() async throws {
        let transaction = try await transaction().payload
        let other = try await self.transaction(product: "q").payload
        for stage in Stage.allCases {
            let machine = try await machine(stage)
            #expect(machine.awaits(transaction) == (stage == .confirmed), "\(stage)")
            #expect(!machine.awaits(other), "\(stage)")
        }
    }

    @Test func `payments are processed in the order of addition, and finishes independently`() async throws {
        var machine = PaymentQueueMachine()
        for number in 1...3 {
            let request = PaymentRequest(id: PaymentID("\(number)"), productID: "p", quantity: 1, username: nil, product: nil)
            _ = machine.handle(.added(request))
        }
        #expect(machine.nextPayment?.id == "1")
        _ = machine.handle(.confirmed("1", true))
        #expect(machine.nextPayment?.id == "1")
        _ = machine.handle(.deferred("1"))
        #expect(machine.nextPayment?.id == "2")
        _ = machine.handle(.received("1", try await transaction(), restoredFrom: nil))
        #expect(machine.nextFinish == nil)
        _ = machine.handle(.finished("1"))
        #expect(machine.nextFinish?.id == "1")
        #expect(machine.nextPayment?.id == "2")
        _ = machine.handle(.acknowledged("1"))
        #expect(machine.nextFinish == nil)
        let restarted = PaymentQueueMachine(journal: machine.ordered.reversed())
        #expect(restarted.nextPayment?.id == "2")
        #expect(restarted.nextSequence == machine.nextSequence)
    }

    @Test func `a journal with the greatest sequence number does not trap`() {
        let machine = PaymentQueueMachine(journal: [
            PaymentQueueRecord(request, sequence: .max)
        ])
        #expect(machine.nextSequence == .max)
    }

    @Test func `ten thousand restored transactions are added and finished without quadratic cost`() async throws {
        let transaction = RecordedTransaction(try await transaction())
        var machine = PaymentQueueMachine()
        let clock = ContinuousClock()
        let time = clock.measure {
            for number in 1...10_000 {
                machine.apply([
                    .persist(
                        PaymentQueueRecord(
                            PaymentRequest(id: PaymentID("\(number)"), productID: "p", quantity: 1, username: nil, product: nil),
                            sequence: Int64(number), state: .purchased(transaction))
                    )
                ])
            }
            for number in 1...10_000 { _ = machine.handle(.finished(PaymentID("\(number)"))) }
            while let record = machine.nextFinish { _ = machine.handle(.acknowledged(record.id)) }
        }
        #expect(machine.records.isEmpty)
        // A search or a sort for each transaction would take minutes.
        #expect(time < .seconds(10))
    }
}

extension PaymentQueueMachine {
    /// Decides an event and applies the actions, as the payment queue does after it has written them.
    fileprivate mutating func handle(_ event: Event) -> [Action] {
        let actions = decide([event])
        apply(actions)
        return actions
    }
}
