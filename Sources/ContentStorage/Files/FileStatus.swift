import Foundation
import PurchaseModel

#if canImport(Glibc)
    import Glibc
#endif

/// The identity of a regular file's contents: another identity means that the file was changed or replaced.
struct FileStatus: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
    /// The length of the file in bytes.
    let length: Int64
    let seconds: Int64
    let nanoseconds: Int64

    /// Reads the status of an open file; nil for anything but a regular file.
    init?(of descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        length = Int64(status.st_size)
        #if canImport(Glibc)
            let modified = status.st_mtim
        #else
            let modified = status.st_mtimespec
        #endif
        seconds = Int64(modified.tv_sec)
        nanoseconds = Int64(modified.tv_nsec)
    }

    /// The date of the last change.
    var modified: Timestamp {
        Timestamp(milliseconds: 0).adding(seconds: seconds).adding(milliseconds: nanoseconds / 1_000_000)
    }

    /// The identity as an entity tag (RFC 9110, section 8.8.3).
    var entityTag: String {
        "\"\(String(inode, radix: 36))-\(String(length, radix: 36))-\(seconds).\(nanoseconds)\""
    }
}
