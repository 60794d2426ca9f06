import GRDB
import StoreTestSupport

/// Allows a phone a number of effects (journal writes and requests to the store), and cuts its power afterward.
///
/// A table in the journal's file holds the count, and a trigger decrements it. At 0, every write and every request fails,
/// so that the app's further attempts reach neither the disk nor the store.
struct PowerSupply: Sendable {
    private let database: DatabaseQueue
    private let transport: FaultyTransport

    init(_ phone: Phone, effects: Int) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        let database = try DatabaseQueue(path: phone.journal, configuration: configuration)
        transport = phone.transport
        self.database = database
        try database.write { database in
            try database.execute(sql: "CREATE TABLE power (rest INTEGER NOT NULL); INSERT INTO power VALUES (\(effects))")
            // An upsert fires the INSERT trigger once, whether it inserts or updates.
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
        transport.set { [database] _ in
            (try? await database.write { database in
                try database.execute(sql: "UPDATE power SET rest = rest - 1 WHERE rest > 0")
                return database.changesCount == 1
            }) ?? false
        }
    }

    /// The number of remaining effects.
    var remaining: Int {
        get throws { try database.read { try Int.fetchOne($0, sql: "SELECT rest FROM power") ?? 0 } }
    }

    /// Cuts the power now.
    func cutPower() throws {
        try database.write { try $0.execute(sql: "UPDATE power SET rest = 0") }
    }

    /// Restores the power without a limit.
    func restorePower() throws {
        try database.write { try $0.execute(sql: "DROP TRIGGER power_INSERT; DROP TRIGGER power_DELETE; DROP TABLE power") }
        transport.set(gate: nil)
    }
}
