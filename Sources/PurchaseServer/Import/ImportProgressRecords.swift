import PurchaseModel

/// The progress of the import of a file, after which an interrupted import continues.
public struct ImportProgress: Codable, Hashable, Sendable {
    /// The SHA-256 of the file, in hexadecimal.
    public let file: String
    /// The place in the file up to which the import has processed every record.
    public var position: ImportPosition
    /// The length of the file of refused lines.
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

/// The progress of imports, in a transaction of a storage.
///
/// The database stores the progress together with the purchases, so that a restored backup does not count lost purchases as imported.
public protocol ImportProgressRecords {
    /// Returns the progress of the import of a file; nil if the import did not begin.
    func importProgress(ofFile digest: String) throws -> ImportProgress?

    /// Inserts or replaces the progress of the import of a file.
    func put(_ progress: ImportProgress) throws
}

extension SQLiteSchema {
    /// The table of the progress of imports.
    static let importTables = """
        CREATE TABLE import_progress (
            app TEXT NOT NULL,
            file TEXT NOT NULL,
            progress TEXT NOT NULL,
            PRIMARY KEY (app, file)
        ) STRICT;
        """
}

extension SQLTransaction {
    private static let putImportProgress = upsert("import_progress", key: ["app", "file"], ["progress"])

    func importProgress(ofFile digest: String) throws -> ImportProgress? {
        try first("SELECT progress FROM import_progress WHERE app = ?1 AND file = ?", digest) { try record(try $0["progress"]) }
    }

    func put(_ progress: ImportProgress) throws {
        try execute(Self.putImportProgress, progress.file, try json(progress))
    }
}
