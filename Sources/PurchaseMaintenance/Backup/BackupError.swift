public import PurchaseStorage

/// The reason why a database was not copied or restored; no file was created.
public enum BackupError: Error, Hashable, Sendable {
    /// The database is in memory.
    case memory
    /// The database is in PostgreSQL, which has separate backup programs.
    case postgres(PostgresDatabase)
    /// The file to copy does not exist.
    case missing(path: String)
    /// A file exists at the path of the copy, or at the path of the copy's `-wal`, `-shm` or `-journal` file.
    case exists(path: String)
    /// Another command writes the same file.
    case busy(path: String)
    /// The copy can't be written.
    case unwritable(path: String)
    /// The disk of the copy is full.
    case full(path: String)
    /// Another process holds the lock of the database.
    case locked(path: String)
    /// Another program created the file.
    case foreign(path: String)
    /// A newer version of this program created the file.
    case newer(path: String)
    /// The schema differs from the schema of this program; `objects` names the first tables, indexes, triggers and views that differ.
    case changed(path: String, objects: [String])
    /// The file is damaged; `reason` is SQLite's description of the damage.
    case damaged(path: String, reason: String)
    /// The key file does not decrypt the secrets of the backup.
    case secretKeyFile(path: String)
    /// SQLite reported another error; `code` is its result code.
    case failed(path: String, code: String)
}

extension BackupError: CustomStringConvertible {
    /// The reason for the failure, and the next step.
    public var description: String {
        switch self {
        case .memory: "The database is in memory and has no file to copy. Set the configuration key \"database\" to the path of a file."
        case .postgres: "PostgreSQL has its own programs for backups. Use pg_dump and pg_restore, or pg_basebackup."
        case .missing(let path): "\(path) does not exist. Check the path, and the configuration key \"database\"."
        case .exists(let path): "\(path) exists, and the command replaces no file. Choose another path, or move the file away."
        case .busy(let path): "Another command writes \(path). Run this command after the other command has ended."
        case .unwritable(let path): "\(path) can't be written. Choose a path in a folder that this process can write."
        case .full(let path): "The disk of \(path) is full. Free some space, or choose another disk."
        case .locked(let path): "\(path) is locked by another process. Run the command again."
        case .foreign(let path): "\(path) is not a database of tillroll-server."
        case .newer(let path): "\(path) was created by a newer version of tillroll-server. Use the newer version."
        case .changed(let path, let objects):
            "\(path) has tables, indexes, triggers or views that are not those of tillroll-server: \(objects.joined(separator: ", ")). Use "
                + "another backup."
        case .damaged(let path, let reason): "\(path) is damaged (\(reason)). Use an earlier backup."
        case .secretKeyFile(let path):
            "\(path) does not contain the key of the secrets in the backup. Copy the server's key file to this path. The key "
                + "file also contains the keys of earlier backups, unless \"tillroll-server secrets rotate --remove-earlier-keys\" has "
                + "removed the keys. After a removal, use a copy of the key file from the time of the backup."
        case .failed(let path, let code): "SQLite reported \(code) for \(path). Check the disk and the file."
        }
    }
}
