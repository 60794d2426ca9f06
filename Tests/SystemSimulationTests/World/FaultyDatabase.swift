import GRDB

/// Applies ``ProcessFaults`` to the commits of a SQLite database, without a change of the code that writes.
final class FaultyDatabase: TransactionObserver, Sendable {
    /// The error of a commit after the end of its process.
    struct Ended: Error {}

    private let faults: ProcessFaults

    init(_ faults: ProcessFaults) {
        self.faults = faults
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseWillCommit() throws {
        switch faults.decide() {
        case .succeeds, .ends(isKept: true): break
        case .ends(isKept: false), .hasEnded: throw Ended()
        case .findsFullDisk: throw DatabaseError(resultCode: .SQLITE_FULL)
        }
    }

    func databaseDidCommit(_ db: Database) {}

    func databaseDidRollback(_ db: Database) {}
}
