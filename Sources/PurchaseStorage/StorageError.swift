import GRDB
import LibPQ

/// The reason why a database operation failed.
///
/// The operation wrote nothing, with two exceptions: ``unreplicated``, and ``unreachable`` if the connection was lost during the commit.
/// After ``overloaded`` and ``locked``, the operation is retryable. Any other error requires an action of the operator.
public enum StorageError: Error, Hashable, Sendable {
    /// Too many writes wait for the disk.
    case overloaded
    /// Another process holds the lock of the database.
    case locked
    /// The database server can't be reached, or is starting, stopping or a standby.
    case unreachable
    /// The database server committed the write without its synchronous standbys, so that a failover can lose the write.
    case unreplicated
    /// The disk is full, or the database has reached its maximum size.
    case full
    /// The database file was deleted or replaced while the server was running, so a write would be lost.
    case fileReplaced
    /// The database reported another error; the associated value is its result code, without data.
    case failed(String)
}

extension StorageError {
    /// Creates an error from an error of SQLite or PostgreSQL; returns nil for another error, such as an error of a transaction's body.
    package init?(_ error: any Error) {
        if let error = error as? StorageError {
            self = error
            return
        }
        if let error = error as? PostgresError {
            self = StorageError(postgres: error)
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

extension StorageError {
    private init(postgres error: PostgresError) {
        self =
            switch error.sqlState {
            case _ where error.isUnavailable: .unreachable
            case _ where error == .unreplicated: .unreplicated
            case _ where error.isSerializationFailure, "53300", "53200", "57014": .overloaded
            case "55P03": .locked
            case "53100": .full
            case let state?: .failed(state)
            case nil: .failed(error.description)
            }
    }
}
