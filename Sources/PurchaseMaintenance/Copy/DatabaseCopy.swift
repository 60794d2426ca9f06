import Foundation
import PurchaseServer
public import PurchaseStorage

/// Copies the database of a server to an empty database, such as from SQLite to PostgreSQL or back, and compares both databases.
///
/// The copy reads the tables, the columns and the primary keys from the catalogs of the databases, so that a new table requires no new
/// code. One transaction of the destination stores each page of rows together with the progress, so that a copy can continue after its
/// process was killed. No server should use the databases during the copy: the comparison reports each row that a server changes after the
/// row was copied.
public struct DatabaseCopy: Sendable {
    /// The maximum number of differences that a copy reports individually.
    public static let reportedDifferences: Int64 = 100

    private let from: PurchaseDatabase
    private let to: PurchaseDatabase

    /// Creates a copy.
    ///
    /// - Parameters:
    ///   - source: The database of a server; the copy migrates tables that an earlier version created.
    ///   - destination: An empty database, or the destination of an interrupted copy of the same source.
    public init(from source: PurchaseDatabase, to destination: PurchaseDatabase) {
        (from, to) = (source, destination)
    }

    /// Copies all rows, or the remaining rows of an interrupted copy, and compares all rows.
    ///
    /// - Parameters:
    ///   - restarting: Whether the copy first deletes the rows of an interrupted copy.
    ///   - report: A closure that receives each event.
    /// - Throws: ``CopyError``, `ConfigurationError` if a database can't be opened, or `StorageError` if a database becomes
    ///   unavailable.
    public func run(restarting: Bool = false, _ report: @escaping @Sendable (CopyEvent) -> Void) async throws -> CopyReport {
        guard from != .memory, to != .memory else { throw CopyError.memory }
        var progress = CopyProgress(source: from)
        guard progress.source != CopyProgress(source: to).source else { throw CopyError.sameDatabase }
        try await requireSource()
        let (source, destination) = (try await Self.open(from), try await Self.open(to))

        let sourceTables = try await CopyTable.all(in: source)
        var destinationTables = try await CopyTable.all(in: destination)
        guard sourceTables[CopyProgressTable.name] == nil else { throw CopyError.unfinishedSource }
        let isInterrupted = destinationTables.removeValue(forKey: CopyProgressTable.name) != nil
        let tables = try CopyTable.common(sourceTables, destinationTables)
        progress = try await Self.begin(progress, isInterrupted: isInterrupted, restarting: restarting, tables, in: destination)
        if progress.key != nil { report(.continued(rows: progress.rows)) }

        let rows = try await source.read { connection in try tables.reduce(0) { try $0 + $1.count(in: connection) } }
        for table in tables {
            while let later = try await Self.copyPage(of: table, after: progress, from: source, to: destination) {
                progress = later
                report(.progress(completed: min(progress.rows, rows), total: 2 * rows, pass: .copy))
            }
        }

        var result = CopyReport(tables: tables.count, rows: 0, differences: 0)
        for table in tables {
            var comparison = CopyComparison(table, of: source, with: destination)
            while let (count, differences) = try await comparison.next() {
                for difference in differences.prefix(Int(max(0, Self.reportedDifferences - result.differences))) {
                    report(.difference(difference))
                }
                result.rows += count
                result.differences += Int64(differences.count)
                report(.progress(completed: rows + min(result.rows, rows), total: 2 * rows, pass: .comparison))
            }
        }
        if result.differences == 0 { try await destination.write { try $0.execute("DROP TABLE \(CopyProgressTable.name)", []) } }
        return result
    }

    /// Refuses a source that does not exist, because opening the source would create it.
    private func requireSource() async throws {
        switch from {
        case .memory: break
        case .file(let path): guard FileManager.default.fileExists(atPath: path) else { throw CopyError.noSource(path: path) }
        case .postgres(let database):
            // Ignore the error of an unreachable database, because `open` throws a more precise error.
            guard (try? await PostgresCopyDatabase(database).hasTables) ?? true else { throw CopyError.emptySource }
        }
    }

    private static func open(_ database: PurchaseDatabase) async throws -> any CopyDatabase {
        let storage = try await PurchaseServer.open(database)
        if case .postgres(let database) = database { return PostgresCopyDatabase(database) }
        guard let storage = storage as? SQLitePurchaseStorage else { throw CopyError.memory }
        return SQLiteCopyDatabase(storage: storage)
    }

    /// Returns the stored progress of an interrupted copy, or stores and returns the progress of a new copy.
    private static func begin(
        _ new: CopyProgress, isInterrupted: Bool, restarting: Bool, _ tables: [CopyTable], in destination: any CopyDatabase
    ) async throws -> CopyProgress {
        try await destination.write { connection in
            guard isInterrupted else {
                for table in tables where try table.hasRows(in: connection) { throw CopyError.notEmpty(table: table.name) }
                try new.create(in: connection)
                return new
            }
            guard let stored = try CopyProgress.stored(in: connection) else { throw CopyError.anotherCopy }
            guard restarting else {
                guard stored.source == new.source else { throw CopyError.otherSource }
                return stored
            }
            try stored.advance(to: new, in: connection)
            for table in tables { try connection.execute("DELETE FROM \(CopyTable.quoted(table.name))", []) }
            return new
        }
    }

    /// Copies the next page of a table, and returns the progress after the page; returns nil at the end of the table.
    private static func copyPage(
        of table: CopyTable, after progress: CopyProgress, from source: any CopyDatabase, to destination: any CopyDatabase
    ) async throws -> CopyProgress? {
        guard progress.table <= table.name else { return nil }
        let page = try await table.page(after: progress.table == table.name ? progress.key : nil, of: source)
        guard let last = page.last else { return nil }
        var later = progress
        later.rows += Int64(page.count)
        (later.table, later.key) = (table.name, table.key(of: last))
        return try await destination.write { [later] connection in
            try progress.advance(to: later, in: connection)
            for row in page { try connection.execute(table.insertion, row) }
            return later
        }
    }
}
