import Crypto
import Foundation
import FoundationExtras
import PurchaseStorage

/// The progress of a copy, which the destination stores together with the rows.
///
/// The table of the progress exists only in the destination of an unfinished copy.
struct CopyProgress: Codable, Hashable, Sendable {
    /// The identifier of the source, without a password.
    let source: String
    /// The number of rows that were copied.
    var rows: Int64 = 0
    /// The current table; the tables are copied in the order of their names.
    var table = ""
    /// The primary key of the last copied row of the table; nil before the first row.
    var key: [SQLValue]?

    init(source: PurchaseDatabase) {
        self.source = Self.identifier(of: source)
    }

    /// Returns an identifier of a database: a digest of the path, or of hosts, ports and name.
    private static func identifier(of database: PurchaseDatabase) -> String {
        let text =
            switch database {
            case .memory: ""
            case .file(let path): URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
            case .postgres(let database): location(database.url)
            }
        return Hexadecimal.encode(SHA256.hash(data: Data(text.utf8)))
    }

    /// Returns the part of a URI that locates a database: without account, password and other parameters.
    private static func location(_ url: String) -> String {
        let rest = url.range(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let hosts = parts[0].lastIndex(of: "@").map { parts[0][parts[0].index(after: $0)...] } ?? parts[0]
        let query = parts.count > 1 ? parts[1].split(separator: "&") : []
        let names = ["host=", "hostaddr=", "port=", "dbname="]
        return ([hosts] + query.filter { item in names.contains { item.hasPrefix($0) } }.sorted()).joined(separator: "&")
    }

    // MARK: Statements

    /// Reads the progress of the destination.
    static func stored(in connection: any SQLConnection) throws -> CopyProgress? {
        try connection.query("SELECT progress FROM \(CopyProgressTable.name) WHERE id = 1", [], limit: 1) { row in
            try JSONDecoder().decode(CopyProgress.self, from: Data((try row["progress"] as String).utf8))
        }.first
    }

    /// Creates the table with this progress.
    func create(in connection: any SQLConnection) throws {
        try connection.execute(CopyProgressTable.creation, [])
        try connection.execute("INSERT INTO \(CopyProgressTable.name) (id, progress) VALUES (1, ?)", [.text(try json)])
    }

    /// Replaces the stored progress with a later progress.
    ///
    /// - Throws: ``CopyError/anotherCopy`` if another process has changed the stored progress.
    func advance(to later: CopyProgress, in connection: any SQLConnection) throws {
        let count = try connection.changes(
            "UPDATE \(CopyProgressTable.name) SET progress = ? WHERE id = 1 AND progress = ?", [.text(try later.json), .text(try json)])
        guard count == 1 else { throw CopyError.anotherCopy }
    }

    private var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
