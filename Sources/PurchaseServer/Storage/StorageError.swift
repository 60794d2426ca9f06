import GRDB
package import HTTPTypes
package import PurchaseProtocol
import WireServer

/// The reason why a database operation failed; nothing was written.
///
/// After ``overloaded`` and ``locked``, the same operation can succeed a little later. The other errors require the operator.
public enum StorageError: Error, Hashable, Sendable {
    /// Too many writes wait for the disk.
    case overloaded
    /// Another process holds the lock of the database.
    case locked
    /// The disk is full, or the database has reached its maximum size.
    case full
    /// The database file was deleted or replaced while the server runs, so a write would be lost.
    case fileReplaced
    /// The database reported another error; the associated value is its result code, without data.
    case failed(String)
}

extension StorageError {
    /// Creates an error from an error of SQLite; returns nil for another error, such as one that a transaction's body throws.
    init?(_ error: any Error) {
        if let error = error as? StorageError {
            self = error
            return
        }
        guard let error = error as? DatabaseError else { return nil }
        self =
            switch error.resultCode.primaryResultCode {
            case .SQLITE_BUSY, .SQLITE_LOCKED: .locked
            case .SQLITE_FULL: .full
            default: .failed(error.extendedResultCode.description)
            }
    }
}

extension StorageError: WireRefusal {
    package var status: HTTPResponse.Status { .serviceUnavailable }

    package var wireError: WireError {
        let code =
            switch self {
            case .overloaded: "storage.overloaded"
            case .locked, .full, .fileReplaced, .failed: "storage.unavailable"
            }
        return WireError(code: code, message: "The server can't store data now. Send the same request again later.")
    }

    package var retryAfterSeconds: Int? {
        switch self {
        case .overloaded, .locked: 1
        case .full, .fileReplaced, .failed: 30
        }
    }

    package var operatorMessage: String? {
        switch self {
        case .overloaded: nil
        case .locked: "the database is locked by another process; stop the other process"
        case .full: "the disk of the database is full; free some space"
        case .fileReplaced: "the database file was deleted or replaced; restore the file, and restart the server"
        case .failed(let code): "the database reported \(code); check the disk and the file of the database"
        }
    }
}
