/// The reason why a database was not copied or restored; no file was created.
public enum BackupError: Error, Hashable, Sendable {
    /// The database is in memory.
    case memory
    /// The database is one of PostgreSQL, which has its own programs for backups.
    case postgres(PostgresDatabase)
    /// The file to copy does not exist.
    case missing(path: String)
    /// A file with the path of the copy exists, or a file that SQLite keeps next to it.
    case exists(path: String)
    /// Another command writes the same file.
    case busy(path: String)
    /// The copy can't be written.
    case unwritable(path: String)
    /// The disk of the copy is full.
    case full(path: String)
    /// Another process holds the lock of the database.
    case locked(path: String)
    /// The file belongs to another program.
    case foreign(path: String)
    /// A newer version of this program created the file.
    case newer(path: String)
    /// Tables, indexes, triggers or views are not those of this program; `objects` names the first ones.
    case changed(path: String, objects: [String])
    /// The file is damaged; `reason` is SQLite's.
    case damaged(path: String, reason: String)
    /// The key file does not decrypt the secrets of the backup.
    case secretKeyFile(path: String)
    /// SQLite reported another error; `code` is its result code.
    case failed(path: String, code: String)
}

extension BackupError: CustomStringConvertible {
    /// The reason, and the next step.
    public var description: String {
        switch self {
        case .memory: "The database is in memory, and ends with its server. Set the key database to a file."
        case .postgres: "PostgreSQL has its own programs for backups. Use pg_dump and pg_restore, or pg_basebackup."
        case .missing(let path): "\(path) does not exist. Check the path, and the key database of the configuration."
        case .exists(let path): "\(path) exists, and is not replaced. Choose another path, or move the file away."
        case .busy(let path): "Another command writes \(path). Wait until it ends."
        case .unwritable(let path): "\(path) can't be written. Choose a path in a folder that this process can write."
        case .full(let path): "The disk of \(path) is full. Free some space, or choose another disk."
        case .locked(let path): "\(path) is locked by another process. Run the command again."
        case .foreign(let path): "\(path) is not a database of tillroll-server."
        case .newer(let path): "\(path) was created by a newer version of tillroll-server. Use that version."
        case .changed(let path, let objects):
            "\(path) has tables, indexes, triggers or views that are not those of tillroll-server: \(objects.joined(separator: ", ")). Use "
                + "another backup."
        case .damaged(let path, let reason): "\(path) is damaged (\(reason)). Use an earlier backup."
        case .secretKeyFile(let path):
            "\(path) does not contain the key of the secrets in the backup. Copy the key file of the server to this path. It contains the keys "
                + "of earlier backups, unless \"tillroll-server secrets rotate --remove-earlier-keys\" has removed them: then use a copy of the "
                + "file from before."
        case .failed(let path, let code): "SQLite reported \(code) for \(path). Check the disk and the file."
        }
    }
}
