package import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// A private file that describes a running process to other processes.
///
/// The file appears with all of its contents when the process publishes it, and is removed when the process is done. A killed process
/// leaves the file. The process has therefore locked it, and the system tells other processes which process holds the lock. An identifier in
/// the contents would not do: it could belong to another process by now, or come from another container.
package final class ProcessFile: Sendable {
    /// The reason why a path can't be reserved, or a file can't be published.
    package enum Failure: Error, Equatable, Sendable {
        /// A running process has published a file at the path.
        case published
        /// Another process has reserved the path, and has not published a file yet.
        case reserved
        /// A file of another kind, a folder or a link has the path.
        case unrelated
        /// The file can't be created, locked, written or renamed.
        case write
    }

    /// A published file.
    package struct Published: Sendable {
        /// The contents of the file.
        package let data: Data
        /// Whether the process that has published the file still runs.
        package let isRunning: Bool
        /// The identifier of the running process; nil if it has ended, or runs in a container that this process does not see into.
        package let process: Int32?
    }

    private let path: String
    private let file: Int32
    private let name: Mutex<String?>

    /// The largest file that is read; the file of another program can have any length.
    private static let maximumSize = 1 << 20

    /// Reserves a path for this process, and removes the file that a killed process left there.
    ///
    /// - Parameters:
    ///   - path: The path at which the process will publish a file.
    ///   - isRemnant: Returns whether the contents of an existing file are those of a killed process. An empty file is always replaced.
    package init(reserving path: String, isRemnant: (Data) -> Bool) throws(Failure) {
        let new = path + ".new"
        do throws(LockedFile.Failure) { file = try LockedFile.openEmpty(new, waits: false) } catch {
            throw error == .busy ? .reserved : .write
        }
        self.path = path
        name = Mutex(new)
        do throws(Failure) {
            try Self.lock(file)
            // No other process publishes a file at the path now, because it would have to reserve the path.
            try Self.removeRemnant(path, isRemnant)
        } catch {
            remove()
            throw error
        }
    }

    /// Writes the contents, after which the file has its path.
    package func publish(_ data: Data) throws(Failure) {
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: false)
        do {
            try handle.write(contentsOf: data)
            try handle.synchronize()
            try DurableFile.move(path + ".new", to: path)
        } catch {
            throw .write
        }
        name.withLock { name in
            if name != nil { name = path }
        }
    }

    /// Removes the file and ends the reservation; further calls have no effect.
    package func remove() {
        name.withLock { current in
            guard let removed = current else { return }
            var (own, named) = (stat(), stat())
            // Somebody can have put another file in the place of this one.
            let isOwn =
                unsafe fstat(file, &own) == 0 && lstat(removed, &named) == 0 && own.st_ino == named.st_ino && own.st_dev == named.st_dev
            if isOwn { _ = unsafe unlink(removed) }
            // The end of the lock is the last step.
            _ = close(file)
            current = nil
        }
    }

    /// Returns the file at a path; nil if there is no regular file that can be read, or a longer one than a process publishes.
    ///
    /// The process that has published the file must not call this function for it, because closing any descriptor of the file ends the lock.
    package static func published(at path: String) -> Published? {
        // Opening a pipe would wait for its writer.
        let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { _ = close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= maximumSize else { return nil }
        var lock = exclusiveLock
        guard unsafe fcntl(file, F_GETLK, &lock) == 0,
            let data = try? FileHandle(fileDescriptor: file, closeOnDealloc: false).read(upToCount: maximumSize) ?? Data()
        else { return nil }
        let isRunning = lock.l_type != Int16(F_UNLCK)
        return Published(data: data, isRunning: isRunning, process: isRunning && lock.l_pid > 0 ? lock.l_pid : nil)
    }

    /// A lock of a whole file.
    private static var exclusiveLock: flock {
        var lock = flock()
        (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
        return lock
    }

    /// Locks the file with the kind of lock whose holder the system names.
    private static func lock(_ file: Int32) throws(Failure) {
        var lock = exclusiveLock
        guard unsafe fcntl(file, F_SETLK, &lock) == 0 else { throw .write }
    }

    private static func removeRemnant(_ path: String, _ isRemnant: (Data) -> Bool) throws(Failure) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard let remnant = published(at: path) else { throw .unrelated }
        guard !remnant.isRunning else { throw .published }
        guard remnant.data.isEmpty || isRemnant(remnant.data) else { throw .unrelated }
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .write }
    }
}
