import PurchaseModel
import Testing

@testable import OpenStoreKit

@Suite struct StoreKit1DownloadMachineTests {
    private static let failure = PaymentFailure(.unknown, "No.")

    private static func record(_ state: DownloadRecord.State, isStarted: Bool = false, received: Int64 = 0) -> DownloadRecord {
        var record = DownloadRecord(
            transaction: TransactionID("1"), productID: ProductID("book"), content: HostedContent(version: "1.0", length: 10), account: nil)
        record.state = state
        record.isStarted = isStarted
        record.received = received
        if state == .finished { record.contentPath = "there" }
        if state == .failed { record.failure = failure }
        return record
    }

    private static let events: [DownloadRecord.Event] = [
        .start, .pause, .resume, .cancel, .began(offset: 4, entityTag: "tag"), .received(6), .lost, .completed("there"), .refused(failure),
    ]

    /// The expected state for each record and each event of ``events``; nil if the event has no effect.
    private static let table: [(DownloadRecord, [DownloadRecord.State?])] = [
        (record(.waiting), [.waiting, .paused, nil, .cancelled, nil, nil, nil, nil, nil]),
        (record(.waiting, isStarted: true), [nil, .paused, nil, .cancelled, .active, nil, nil, nil, .failed]),
        (record(.active, isStarted: true, received: 4), [nil, .paused, nil, .cancelled, nil, .active, .waiting, .finished, .failed]),
        (record(.paused, received: 4), [.waiting, nil, .waiting, .cancelled, nil, nil, nil, nil, nil]),
        (record(.finished, received: 10), [nil, nil, nil, nil, nil, nil, nil, nil, nil]),
        (record(.failed), [.waiting, nil, nil, .cancelled, nil, nil, nil, nil, nil]),
        (record(.cancelled), [nil, nil, nil, nil, nil, nil, nil, nil, nil]),
    ]

    @Test(arguments: table.indices)
    func `every event in every state has the transition of the table`(_ row: Int) {
        let (before, expected) = Self.table[row]
        for (event, state) in zip(Self.events, expected) {
            var record = before
            let effects = record.handle(event)
            guard let state else {
                #expect(record == before && effects.isEmpty, "\(event) in \(before.state)")
                continue
            }
            #expect(record.state == state && record != before, "\(event) in \(before.state)")
            switch event {
            case .start, .resume: #expect(effects == [.fetch] && record.isStarted && record.failure == nil)
            case .pause: #expect(effects == [.stop] && !record.isStarted && record.received == before.received)
            case .cancel: #expect(effects == [.stop, .discard] && !record.isStarted && record.received == 0)
            case .began: #expect(effects.isEmpty && record.received == 4 && record.entityTag == "tag")
            case .received: #expect(effects.isEmpty && record.progress == 0.6)
            case .lost: #expect(effects.isEmpty && record.isStarted && record.received == 4)
            case .completed: #expect(effects.isEmpty && record.progress == 1 && record.contentPath == "there" && !record.isStarted)
            case .refused: #expect(effects == [.discard] && record.failure == Self.failure && !record.isStarted)
            }
        }
    }

    @Test func `the remaining time follows from the download speed`() {
        var speed = DownloadSpeed()
        let record = Self.record(.active, isStarted: true)
        let now = ContinuousClock.now
        #expect(speed.remaining(of: record) == nil)
        speed.update(2, at: now)
        #expect(speed.remaining(of: record) == nil)
        speed.update(4, at: now + .seconds(1))
        #expect(speed.remaining(of: record) == 3)
        #expect(speed.remaining(of: Self.record(.finished)) == 0)
        #expect(speed.remaining(of: Self.record(.paused)) == nil)
    }
}
