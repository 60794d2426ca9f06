import Foundation
import GRDB
import PrivateFiles
import PurchaseModel

/// The database of a device, with its payments and its transaction history.
///
/// Every payment is written before it is sent, and kept until the store has acknowledged that its transaction is finished.
struct Journal: Sendable {
    /// The error for a file that is the database of another program.
    struct ForeignDatabase: Error {}

    /// The `application_id` that identifies a journal's database: the text `TRLJ`.
    static let applicationID: Int32 = 0x5452_4C4A

    /// The time for which a process waits until another one has opened the journal.
    ///
    /// That process can wait for ten seconds for the one before it.
    private static let lockSeconds = 30

    let database: DatabaseQueue
    private let step: @Sendable (DeviceStep) -> Void

    /// Opens the journal in a file, and creates the file if it does not exist.
    ///
    /// Cost: each write is one SQLite transaction that is on the disk when the call returns (`synchronous=FULL`).
    ///
    /// - Parameter step: Called before and after each write.
    /// - Throws: ``ForeignDatabase`` if the file is the database of another program; the file then stays unchanged.
    init(path: String, step: @escaping @Sendable (DeviceStep) -> Void = { _ in }) throws {
        self.step = step
        // Two processes could create the same tables, or change the journal mode of a new file at the same time, which SQLite refuses.
        let folder = URL(filePath: path).deletingLastPathComponent().path
        database = try LockedFile.withFolder(folder, seconds: Self.lockSeconds) { try Self.open(path) }
    }

    /// Opens the database, and creates or migrates its tables, while no other process opens one in the same folder.
    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        // The process of the previous app session may still be exiting with the journal open.
        configuration.busyMode = .timeout(10)
        if !FileManager.default.fileExists(atPath: path) { try PrivateFiles.createDatabase(path) }
        let database = try DatabaseQueue(path: path, configuration: configuration)
        guard try database.read(Self.isOurs) else { throw ForeignDatabase() }
        try PrivateFiles.createDatabase(path)
        try database.writeWithoutTransaction { database in
            if try Int32.fetchOne(database, sql: "PRAGMA application_id") != Self.applicationID {
                try database.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
            }
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        try Self.migrator.migrate(database)
        return database
    }

    /// Returns whether a database is a journal, or an empty database that can become a journal.
    private static func isOurs(_ database: Database) throws -> Bool {
        switch try Int32.fetchOne(database, sql: "PRAGMA application_id") {
        case applicationID: return true
        case 0: return try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
        default: return false
        }
    }

    /// Returns all payments in the journal, in the order in which they were added.
    ///
    /// A row that can't be decoded, or whose columns contradict its record, is deleted, because it must not block the other rows. A
    /// purchase that the store has charged is fetched again with the store's unfinished transactions.
    func records() throws -> [PaymentQueueRecord] {
        try database.write { database in
            var records: [PaymentQueueRecord] = []
            for row in try Row.fetchAll(database, sql: "SELECT rowid, id, transactionID, record FROM payment") {
                let blob = Data.fromDatabaseValue(row["record"])
                if let record = blob.flatMap({ try? PaymentJournalRecord.read($0) }),
                    String.fromDatabaseValue(row["id"]) == record.id.rawValue,
                    String.fromDatabaseValue(row["transactionID"]) == record.transactionID?.rawValue
                {
                    records.append(record)
                } else {
                    try database.execute(sql: "DELETE FROM payment WHERE rowid = ?", arguments: [Int64.fromDatabaseValue(row["rowid"])])
                }
            }
            return records.sorted { $0.sequence < $1.sequence }
        }
    }

    /// Writes the changes that actions require, in one SQLite transaction.
    ///
    /// A transaction enters the account's history in the same write in which it enters the payment queue.
    func write(_ actions: [PaymentQueueMachine.Action]) throws {
        try change("queue") { database in
            for action in actions {
                switch action {
                case .persist(let record):
                    try database.cachedStatement(
                        sql: """
                            INSERT INTO payment (id, transactionID, record) VALUES (?, ?, ?)
                            ON CONFLICT (id) DO UPDATE SET transactionID = excluded.transactionID, record = excluded.record
                            """
                    ).execute(arguments: [record.id.rawValue, record.transactionID?.rawValue, try PaymentJournalRecord.write(record)])
                    try Self.updateHistory(with: record, database)
                case .forget(let id):
                    try database.cachedStatement(sql: "DELETE FROM payment WHERE id = ?").execute(arguments: [id.rawValue])
                case .announce, .announceRemoval, .completeCall, .setOwner, .startPass:
                    break
                }
            }
        }
    }

    /// Runs one durable SQLite transaction.
    ///
    /// - Parameter what: The kind of change, which is reported as a ``DeviceStep``.
    func change<Value>(_ what: String, _ body: (Database) throws -> Value) throws -> Value {
        step(.writing(what))
        let value = try database.write(body)
        step(.written(what))
        return value
    }
}
