import PurchaseModel

/// A place in a file to import, between two records.
public struct ImportPosition: Codable, Hashable, Sendable {
    /// The number of bytes before the place.
    public var offset: Int64 = 0
    /// The number of the line that begins at the place, counted from 1.
    public var line: Int64 = 1

    /// Creates a place; by default, the beginning of a file.
    public init(offset: Int64 = 0, line: Int64 = 1) {
        self.offset = offset
        self.line = line
    }
}

/// A line of an import file that was not imported.
public struct ImportRefusal: Codable, Hashable, Sendable {
    /// The line number in the import file, counted from 1.
    public let line: Int64
    /// The code of the reason, such as `line.not-utf-8` or `proof.refused`.
    public let code: String
    /// The reason for the refusal.
    public let reason: String

    /// Creates a refusal.
    public init(line: Int64, code: String, reason: String) {
        self.line = line
        self.code = code
        self.reason = reason
    }
}

/// The result of an import, or the counts of a running import.
public struct ImportReport: Codable, Hashable, Sendable {
    /// The maximum number of listed refusals.
    public static let listLimit = 20

    /// The number of processed records.
    public var records: Int64 = 0
    /// The number of records with a new transaction or a new customer.
    public var imported: Int64 = 0
    /// The number of records whose purchases were already stored.
    public var known: Int64 = 0
    /// The number of records that are unknown to the App Store.
    public var unknown: Int64 = 0
    /// The number of refused records.
    public var refused: Int64 = 0
    /// The first records that are unknown or were refused, at most ``listLimit``.
    public var refusals: [ImportRefusal] = []
    /// Whether the whole file was processed.
    public var isComplete = false
    /// The reason why the import ended before the end of the file, and the next step; nil after a complete import.
    public var message: String?

    /// Creates the report of a new import.
    public init() {}
}

/// The progress of the import of a file, from which an interrupted import continues.
public struct ImportProgress: Codable, Hashable, Sendable {
    /// The SHA-256 of the file, in hexadecimal.
    public let file: String
    /// The place in the file up to which the import has processed every record.
    public var position: ImportPosition
    /// The length of the file of refused lines in bytes.
    public var refusedLength: Int64
    /// The identity of the file of refused lines; nil before the file was created.
    public var refusedFile: String?
    /// The SHA-256 of the first ``refusedLength`` bytes of the file of refused lines, in hexadecimal.
    ///
    /// The value is nil before the first lines are stored, and in a record of an earlier version.
    public var refusedDigest: String?
    /// The counts of the processed records.
    public var report: ImportReport

    /// Creates a record.
    public init(
        file: String, position: ImportPosition = ImportPosition(), refusedLength: Int64 = 0, report: ImportReport = ImportReport()
    ) {
        self.file = file
        self.position = position
        self.refusedLength = refusedLength
        self.report = report
    }
}

/// Reads and writes the progress of imports within one database transaction.
///
/// The database stores the progress together with the purchases, so that a restored backup does not count lost purchases as imported.
public protocol ImportProgressRecords {
    /// Returns the progress of the import of a file; nil before the import begins.
    func importProgress(ofFile digest: String) throws -> ImportProgress?

    /// Inserts or replaces the progress of the import of a file.
    func put(_ progress: ImportProgress) throws
}

extension SQLiteSchema {
    static let importTables = """
        CREATE TABLE import_progress (
            app TEXT NOT NULL,
            file TEXT NOT NULL,
            progress TEXT NOT NULL,
            PRIMARY KEY (app, file)
        ) STRICT;
        """
}

extension PostgresSchema {
    static let importTables = """
        CREATE TABLE import_progress (
            app TEXT COLLATE "C" NOT NULL,
            file TEXT COLLATE "C" NOT NULL,
            progress TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, file)
        );
        """
}

extension SQLTransaction {
    private static let putImportProgress = upsert("import_progress", key: ["app", "file"], ["progress"])

    package func importProgress(ofFile digest: String) throws -> ImportProgress? {
        try first("SELECT progress FROM import_progress WHERE app = ?1 AND file = ?", digest) { try record(try $0["progress"]) }
    }

    package func put(_ progress: ImportProgress) throws {
        try execute(Self.putImportProgress, progress.file, try json(progress))
    }
}
