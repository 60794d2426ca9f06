import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// Creates large files that have their name only when they are complete and on the disk.
///
/// The contents are written under the name with `.incomplete`, which the process locks, and renamed at the end. A killed process leaves the
/// incomplete file, which the next attempt replaces.
package enum CompleteFile {
    /// The reason why a file was not created.
    package enum Failure: Error, Equatable, Sendable {
        /// A file has the name.
        case exists
        /// Another process writes a file with the name.
        case busy
        /// The file can't be created, synchronized or renamed.
        case write
    }

    /// Creates a private file, unless a file has its name.
    ///
    /// - Parameter write: Writes the contents to the file with the passed path, which exists and is empty, and closes it.
    /// - Throws: ``Failure``, or the error of `write`, after which no file remains.
    package static func create<Value>(_ path: String, write: (_ incomplete: String) throws -> Value) throws -> Value {
        let incomplete = path + ".incomplete"
        let file: Int32
        do throws(LockedFile.Failure) { file = try LockedFile.openEmpty(incomplete, waits: false) } catch {
            throw error == .busy ? Failure.busy : Failure.write
        }
        // The end of the lock is the last step, because closing the file releases the locks of SQLite on it, too.
        defer { _ = close(file) }
        do {
            guard !exists(path) else { throw Failure.exists }
            let value = try write(incomplete)
            guard fsync(file) == 0 else { throw Failure.write }
            // Other writers of this name wait for the lock.
            guard !exists(path) else { throw Failure.exists }
            do { try DurableFile.move(incomplete, to: path) } catch { throw Failure.write }
            return value
        } catch {
            _ = unsafe unlink(incomplete)
            throw error
        }
    }

    /// Returns whether a file, a folder or a link has a path.
    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 || errno != ENOENT
    }
}
