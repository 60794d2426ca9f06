import PurchaseModel
public import PurchaseStorage

extension ImportReport {
    /// The counts as one line of text.
    public var summary: String {
        "Records: \(records) (\(imported) imported, \(known) already known, \(unknown) unknown to the App Store, \(refused) refused)"
    }

    /// The report of a repeated import, in which the imported records count as known.
    var repeated: ImportReport {
        var report = self
        (report.imported, report.known) = (0, imported + known)
        return report
    }

    mutating func add(_ result: ImportResult) {
        records += 1
        switch result {
        case .imported: imported += 1
        case .known: known += 1
        case .refused(let refusal, let isUnknown):
            if isUnknown { unknown += 1 } else { refused += 1 }
            if refusals.count < Self.listLimit { refusals.append(refusal) }
        }
    }
}

/// The result of one record.
enum ImportResult: Hashable, Sendable {
    case imported
    case known
    case refused(ImportRefusal, isUnknown: Bool)
}

/// The progress of a running import.
public struct ImportStatus: Sendable {
    /// The number of bytes of the file up to the last processed record.
    public let completedBytes: Int64
    /// The size of the file in bytes.
    public let totalBytes: Int64
    /// The counts of the processed records.
    public let report: ImportReport
}

/// The reason why an import can't begin or continue.
public enum PurchaseImportError: Error, Hashable, Sendable {
    /// The file does not exist, is not a regular file, or can't be read.
    case unreadable(path: String)
    /// The first line of the CSV file names neither a transaction identifier nor a receipt.
    case header(path: String)
    /// The file of refused lines can't be written.
    case refusedFile(path: String)
    /// A file with the path of the file of refused lines exists, and this import did not create the file.
    case refusedFileExists(path: String)
    /// Another import writes the file of refused lines.
    case refusedFileBusy(path: String)
    /// The file of refused lines is shorter than the progress of the import states.
    case refusedFileLost(path: String)
    /// The file was changed during the import.
    case changed(path: String)
    /// The App Store refuses the key of the App Store Server API.
    case unauthorized
}

extension PurchaseImportError: CustomStringConvertible {
    /// The reason for the failure, and the next step.
    public var description: String {
        switch self {
        case .unreadable(let path): "The file \(path) can't be read. Name a regular file that this user can read."
        case .header(let path):
            "The first line of \(path) names neither original_transaction_id nor receipt. Add a header, or use --format jsonl."
        case .refusedFile(let path): "The file \(path) can't be written. Name another file with --refused-file."
        case .refusedFileExists(let path):
            "\(path) exists, and the import replaces no file. Import the corrected lines, move the file, or set another --refused-file."
        case .refusedFileBusy(let path): "Another import writes \(path). Wait for the end of that import, or set another --refused-file."
        case .refusedFileLost(let path):
            "The file \(path) does not contain the lines that were refused so far. Restore the file, or begin again with --restart."
        case .changed(let path): "The file \(path) was changed during the import. Run the command again, which imports the changed file."
        case .unauthorized:
            "The App Store refuses the key. Check app-store-server-api.issuer-id, .key-id and .private-key-file, and the clock of this machine."
        }
    }
}
