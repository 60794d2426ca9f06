package import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// A small file that is replaced as a whole and is on the disk when the call returns.
///
/// A crash leaves the old bytes or the new ones, never a mixture: the new file is written beside the old one, synchronized,
/// and renamed over it; then the folder is synchronized, without which the rename itself could be lost.
package enum DurableFile {
    /// Why a file could not be replaced: the step that failed.
    package enum Failure: Error, Equatable, Sendable {
        /// The new file can't be made, for lack of room or permission.
        case write
        /// The new file can't take the old one's place.
        case rename
        /// The folder can't be synchronized.
        case synchronize
    }

    /// Replaces the file at `path`.
    ///
    /// - Parameter isPublic: Whether everybody may read it, such as a certificate; otherwise its owner alone.
    package static func replace(_ path: String, with data: Data, isPublic: Bool = false) throws(Failure) {
        // Two at once would take each other's new file away.
        try turn.withLock { _ throws(Failure) in try replaceInTurn(path, with: data, isPublic: isPublic) }
    }

    private static let turn = Mutex(())

    private static func replaceInTurn(_ path: String, with data: Data, isPublic: Bool) throws(Failure) {
        let new = path + ".new"
        // What a crash left there.
        _ = unsafe unlink(new)
        do { try PrivateFiles.makeFile(new) } catch { throw .write }
        guard unsafe !isPublic || chmod(new, 0o644) == 0, let handle = FileHandle(forWritingAtPath: new) else { throw .write }
        do {
            try handle.write(contentsOf: data)
            try handle.synchronize()
            try handle.close()
        } catch {
            throw .write
        }
        try move(new, to: path)
    }

    /// Moves a finished file to its place, durably.
    package static func move(_ new: String, to path: String) throws(Failure) {
        guard unsafe rename(new, path) == 0 else { throw .rename }
        // A folder can be opened for reading only, and synchronized all the same.
        guard let folder = FileHandle(forReadingAtPath: URL(filePath: path).deletingLastPathComponent().path) else { throw .synchronize }
        do {
            try folder.synchronize()
            try folder.close()
        } catch {
            throw .synchronize
        }
    }
}
