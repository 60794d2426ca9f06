import GRDB
import StoreTestSupport

/// Lets a phone have so many effects — journal writes and calls to the store — and cuts its power after the last.
///
/// The count lies in the journal's own file, and a trigger takes from it: what is written when nothing is left is refused,
/// and so is every call, so nothing of what the dying app still tries reaches the disk or the store.
struct PowerSupply: Sendable {
    private let database: DatabaseQueue
    private let line: FaultyTransport

    init(_ phone: TestPhone, effects: Int) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        let database = try DatabaseQueue(path: phone.journal, configuration: configuration)
        line = phone.line
        self.database = database
        try database.write { database in
            try database.execute(sql: "CREATE TABLE power (rest INTEGER NOT NULL); INSERT INTO power VALUES (\(effects))")
            // An upsert fires the first of these once, whether it inserts or updates.
            for event in ["INSERT", "DELETE"] {
                try database.execute(
                    sql: """
                        CREATE TRIGGER power_\(event) BEFORE \(event) ON payment BEGIN
                            SELECT RAISE(ABORT, 'no power') WHERE (SELECT rest FROM power) = 0;
                            UPDATE power SET rest = rest - 1;
                        END
                        """
                )
            }
        }
        line.set { [database] _ in
            (try? await database.write { database in
                try database.execute(sql: "UPDATE power SET rest = rest - 1 WHERE rest > 0")
                return database.changesCount == 1
            }) ?? false
        }
    }

    /// How many effects are left.
    var rest: Int {
        get throws { try database.read { try Int.fetchOne($0, sql: "SELECT rest FROM power") ?? 0 } }
    }

    /// Cuts it now, for good.
    func cut() throws {
        try database.write { try $0.execute(sql: "UPDATE power SET rest = 0") }
    }

    /// Gives power again, as much as is wanted.
    func comeBack() throws {
        try database.write { try $0.execute(sql: "DROP TRIGGER power_INSERT; DROP TRIGGER power_DELETE; DROP TABLE power") }
        line.set(gate: nil)
    }
}
