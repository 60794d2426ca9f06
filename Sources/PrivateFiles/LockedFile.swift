import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// Locks files and folders, so that several processes change them one after another.
///
/// The system removes a lock when its process ends.
package enum LockedFile {
    /// The reason why a file or a folder was not locked.
    package enum Failure: Error, Equatable, Sendable {
        /// Another process has locked it.
        case busy
        /// The file can't be created, or the folder can't be opened.
        case open
    }

    /// Creates or empties a private file, and locks it; the caller closes the descriptor, which ends the lock.
    ///
    /// - Parameter waits: Whether the call waits for another process that has locked the file.
    static func openEmpty(_ path: String, waits: Bool) throws(Failure) -> Int32 {
        for _ in 0..<(waits ? 1_000 : 10) {
            // Opening a pipe would wait for its reader.
            let file = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
            guard file >= 0 else {
                let error = errno
                if error == EINTR { continue }
                // A link, a socket or a file of another user is replaced, and not followed. After another error, such as one of too many
                // open files, the file can be one that another process has locked.
                let isReplaceable = error == ELOOP || error == ENXIO || error == EACCES
                guard isReplaceable, unsafe unlink(path) == 0 else { throw .open }
                continue
            }
            var (locked, named) = (stat(), stat())
            guard flock(file, waits ? LOCK_EX : LOCK_EX | LOCK_NB) == 0 else {
                let isInterrupted = errno == EINTR
                _ = close(file)
                if isInterrupted { continue }
                throw .busy
            }
            // Another process can have renamed its file between the two calls.
            if unsafe fstat(file, &locked) == 0, unsafe lstat(path, &named) == 0, locked.st_ino == named.st_ino,
                locked.st_dev == named.st_dev
            {
                let isOwn = locked.st_mode & S_IFMT == S_IFREG && locked.st_nlink == 1
                if isOwn, fchmod(file, 0o600) == 0, ftruncate(file, 0) == 0 { return file }
                let isRemoved = unsafe !isOwn && unlink(path) == 0
                guard isRemoved else {
                    _ = close(file)
                    throw .open
                }
            }
            _ = close(file)
        }
        throw .busy
    }

    /// The errors of `flock` in file systems that do not lock folders, such as network file systems.
    private static let unsupported: [Int32] = [EBADF, EINVAL, ENOLCK, ENOSYS, ENOTSUP, EOPNOTSUPP]

    /// Runs `body` while no other process runs one with the same folder.
    ///
    /// In a file system that does not lock folders, `body` runs without a lock.
    ///
    /// - Parameter seconds: The time for which the call waits for another process.
    /// - Throws: ``Failure``, or the error of `body`.
    package static func withFolder<Value>(_ path: String, seconds: Int, _ body: () throws -> Value) throws -> Value {
        let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Failure.open }
        defer { _ = close(folder) }
        let deadline = ContinuousClock.now + .seconds(seconds)
        while flock(folder, LOCK_EX | LOCK_NB) != 0 {
            let error = errno
            if unsupported.contains(error) { break }
            guard error == EWOULDBLOCK || error == EINTR, ContinuousClock.now < deadline else { throw Failure.busy }
            usleep(5_000)
        }
        return try body()
    }
}
