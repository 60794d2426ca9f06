package import GRDB

extension DatabaseQueue {
    /// Opens a database file that another connection may be writing at the same time.
    ///
    /// A statement waits up to a minute for the other connection's transaction, as a server's own statements wait; without a wait, SQLite
    /// answers `SQLITE_BUSY` at once.
    package static func waiting(path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(60)
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
