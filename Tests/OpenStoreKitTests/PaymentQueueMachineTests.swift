import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreKit
import Testing

@testable import OpenStoreKit

@Suite struct PaymentQueueMachineTests {
    /// Where a payment can stand.
    enum Place: String, CaseIterable, Sendable {
        case absent, queued, confirmed, deferred, purchased, restored, failed, finished
    }

    /// What can happen to it.
    enum Happening: String, CaseIterable, Sendable {
        case added, confirmed, cancelled, deferred, failed, answered, answeredByAnother, restored, finished, acknowledged
    }

    /// The actions by name, in order; the place is where the payment stands afterwards.
    struct Expectation: Sendable {
        var actions: [String]
        var place: Place
    }

    /// Every pair that changes something; all others change nothing and ask for nothing.
    static let table: [Place: [Happening: Expectation]] = {
        let settled = Expectation(actions: ["persist", "announce"], place: .purchased)
        let restored = Expectation(actions: ["persist", "announce"], place: .restored)
        let failed = Expectation(actions: ["persist", "announce"], place: .failed)
        let finished = Expectation(actions: ["persist", "announceRemoval", "work"], place: .finished)
        // A transaction that can't be this payment's is kept beside it.
        func beside(_ place: Place) -> Expectation { Expectation(actions: ["persist beside", "announce beside"], place: place) }
        return [
            .absent: [
                .added: Expectation(actions: ["persist", "announce", "work"], place: .queued),
                .answered: settled, .restored: restored,
                .answeredByAnother: settled,
            ],
            .queued: [
                .confirmed: Expectation(actions: ["persist", "work"], place: .confirmed),
                .cancelled: failed, .failed: failed, .answered: settled, .restored: restored,
                .answeredByAnother: beside(.queued),
            ],
            .confirmed: [
                .deferred: Expectation(actions: ["persist", "announce"], place: .deferred),
                .failed: failed, .answered: settled, .restored: restored,
                .answeredByAnother: beside(.confirmed),
            ],
            .deferred: [.failed: failed, .answered: settled, .restored: restored, .answeredByAnother: beside(.deferred)],
            .purchased: [.finished: finished, .answeredByAnother: beside(.purchased)],
            .restored: [.finished: finished, .answeredByAnother: beside(.restored)],
            .failed: [
                .finished: Expectation(actions: ["forget", "announceRemoval"], place: .absent),
                .answered: beside(.failed), .restored: beside(.failed), .answeredByAnother: beside(.failed),
            ],
            .finished: [.acknowledged: Expectation(actions: ["forget"], place: .absent), .answeredByAnother: beside(.finished)],
        ]
    }()

    private static let id: PaymentID = "payment"
    private static let pairs = Place.allCases.flatMap { place in Happening.allCases.map { (place, $0) } }

    private func transaction(_ id: TransactionID = "1", product: ProductID = "p") async throws -> VerifiedTransaction {
        let authority = TestAuthority.shared
        return try await authority.verifier().verify(authority.signedData.sign(TransactionPayload.sample(id: id, product: product)))
    }

    private func record(_ state: PaymentRecord.State) -> PaymentRecord {
        PaymentRecord(id: Self.id, sequence: 1, productID: "p", quantity: 1, username: nil, product: nil, state: state)
    }

    private func machine(_ place: Place) async throws -> PaymentQueueMachine {
        let known = RecordedTransaction(try await transaction())
        let state: PaymentRecord.State? =
            switch place {
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

    private func event(_ happening: Happening) async throws -> PaymentQueueMachine.Event {
        switch happening {
        case .added: .added(record(.queued))
        case .confirmed: .confirmed(Self.id, true)
        case .cancelled: .confirmed(Self.id, false)
        case .deferred: .deferred(Self.id)
        case .failed: .failed(Self.id, PaymentFailure(.paymentInvalid))
        case .answered: .held(Self.id, try await transaction(), restoredFrom: nil)
        case .answeredByAnother: .held(Self.id, try await transaction("2", product: "q"), restoredFrom: nil)
        case .restored: .held(Self.id, try await transaction(), restoredFrom: try await transaction())
        case .finished: .finished(Self.id)
        case .acknowledged: .acknowledged(Self.id)
        }
    }

    private func place(_ record: PaymentRecord?) -> Place {
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
        case .persist(let record): record.id == Self.id ? "persist" : "persist beside"
        case .announce(let record): record.id == Self.id ? "announce" : "announce beside"
        case .forget: "forget"
        case .announceRemoval: "announceRemoval"
        case .conclude: "conclude"
        case .own: "own"
        case .work: "work"
        }
    }

    @Test(arguments: pairs)
    func `every event in every state has its answer`(_ place: Place, _ happening: Happening) async throws {
        var machine = try await machine(place)
        let actions = machine.handle(try await event(happening))
        let expected = Self.table[place]?[happening] ?? Expectation(actions: [], place: place)
        #expect(actions.map(name) == expected.actions)
        #expect(self.place(machine.records[Self.id]) == expected.place)
    }

    @Test(arguments: pairs)
    func `nothing is announced or worked on before it was written`(_ place: Place, _ happening: Happening) async throws {
        var machine = try await machine(place)
        let first = machine.handle(try await event(happening)).first
        switch first {
        case nil, .persist, .forget, .own: break
        case .announce, .announceRemoval, .conclude, .work: Issue.record("\(place) \(happening): \(String(describing: first))")
        }
    }

    @Test(arguments: pairs)
    func `a second time changes nothing`(_ place: Place, _ happening: Happening) async throws {
        var machine = try await machine(place)
        _ = machine.handle(try await event(happening))
        let before = machine.records
        // What was cancelled has failed and may be finished, what is gone may be added or come back: those are not repeats.
        let again = machine.handle(try await event(happening))
        let isRepeat = !(place == .failed && happening == .finished)
        if isRepeat {
            #expect(again.isEmpty)
            #expect(machine.records == before)
        }
    }

    @Test(arguments: Place.allCases)
    func `no event but its finish takes a transaction away`(_ place: Place) async throws {
        for happening in Happening.allCases {
            var machine = try await machine(place)
            let held = Set(machine.records.values.filter(\.isVisible).compactMap(\.transactionID))
            _ = machine.handle(try await event(happening))
            let left = Set(machine.records.values.compactMap(\.transactionID))
            #expect(left.isSuperset(of: held), "\(happening)")
            if happening == .answeredByAnother { #expect(left.contains("2"), "\(place)") }
        }
    }

    @Test(arguments: pairs)
    func `memory and journal agree after every event`(_ place: Place, _ happening: Happening) async throws {
        try await TemporaryFolder.with { folder in
            let journal = try Journal(path: folder.file("journal").path())
            var machine = try await machine(place)
            try journal.write(machine.ordered.map { .persist($0) })
            try journal.write(machine.handle(try await event(happening)))
            #expect(try journal.records() == machine.ordered)
        }
    }

    @Test func `a payment gets its transaction although the app has already finished it from the history`() async throws {
        var machine = PaymentQueueMachine(journal: [record(.confirmed)])
        _ = machine.handle(.delivered(try await transaction()))
        let actions = machine.handle(.held(Self.id, try await transaction(), restoredFrom: nil))
        #expect(actions.map(name) == ["forget", "persist", "announce"])
        #expect(machine.records.keys.sorted() == [Self.id])
        #expect(place(machine.records[Self.id]) == .purchased)
        #expect(machine.record(of: "1")?.id == Self.id)
    }

    @Test func `a transaction that an open payment may have led to is awaited`() async throws {
        let transaction = try await transaction().payload
        let other = try await self.transaction(product: "q").payload
        for place in Place.allCases {
            let machine = try await machine(place)
            #expect(machine.awaits(transaction) == (place == .confirmed), "\(place)")
            #expect(!machine.awaits(other), "\(place)")
        }
    }

    @Test func `payments are worked on in the order in which they were added, and finishes beside them`() async throws {
        var machine = PaymentQueueMachine()
        for number in 1...3 {
            let request = PaymentRequest(id: PaymentID("\(number)"), productID: "p", quantity: 1, username: nil, product: nil)
            _ = machine.handle(.added(request.record(sequence: machine.nextSequence)))
        }
        #expect(machine.nextPayment?.id == "1")
        _ = machine.handle(.confirmed("1", true))
        #expect(machine.nextPayment?.id == "1")
        _ = machine.handle(.deferred("1"))
        #expect(machine.nextPayment?.id == "2")
        _ = machine.handle(.held("1", try await transaction(), restoredFrom: nil))
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

    @Test func `a journal with the greatest order number does not trap`() {
        let machine = PaymentQueueMachine(journal: [
            PaymentRecord(id: "a", sequence: .max, productID: "p", quantity: 1, username: nil, product: nil, state: .queued)
        ])
        #expect(machine.nextSequence == .max)
    }

    @Test func `ten thousand restored transactions are taken and finished without squaring the effort`() async throws {
        let transaction = RecordedTransaction(try await transaction())
        var machine = PaymentQueueMachine()
        let clock = ContinuousClock()
        let time = clock.measure {
            for number in 1...10_000 {
                machine.apply([
                    .persist(
                        PaymentRecord(
                            id: PaymentID("\(number)"), sequence: Int64(number), productID: "p", quantity: 1, username: nil, product: nil,
                            state: .purchased(transaction)
                        )
                    )
                ])
            }
            for number in 1...10_000 { _ = machine.handle(.finished(PaymentID("\(number)"))) }
            while let record = machine.nextFinish { _ = machine.handle(.acknowledged(record.id)) }
        }
        #expect(machine.records.isEmpty)
        // With a search or a sort for each it took minutes.
        #expect(time < .seconds(10))
    }
}
