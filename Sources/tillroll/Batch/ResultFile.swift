import ArgumentParser
import Foundation

/// The file that receives the results of a batch, and from which an interrupted batch resumes.
///
/// A line is a result once its line break is written. Bytes after the last line break are removed before more results are written.
struct ResultFile: Sendable {
    let file: FileDescriptor
    /// The last item that has a result; nil for a file without results.
    let last: BatchItem.Origin?
    /// The counts of the results in the file.
    let tally: BatchTally

    /// Opens or creates a file of results, and locks it for this process.
    ///
    /// - Throws: A usage error if the file can't be written, is in use, or contains anything but results; such a file stays unchanged.
    init(_ path: String) throws {
        do { file = try FileDescriptor.opening(path, O_RDWR | O_CREAT) } catch {
            throw ValidationError("\(path) can't be written: \(error). Choose another --output.")
        }
        // Devices and pipes keep no results from which a batch could resume.
        guard file.size != nil else {
            last = nil
            tally = BatchTally()
            return
        }
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
            throw ValidationError("\(path) is being written by another verify-batch. Wait for it, or choose another --output.")
        }
        var scan = ResultScan()
        do {
            while case let block = try file.read(atMost: 1 << 20), !block.isEmpty { scan.read(block) }
        } catch {
            throw ValidationError("\(path) can't be read: \(error). Choose another --output.")
        }
        scan.end()
        guard scan.isOfResults else {
            throw ValidationError("\(path) holds something else than results of verify-batch. Choose another --output, or remove it.")
        }
        guard ftruncate(file.number, off_t(scan.goodSize)) == 0, lseek(file.number, 0, SEEK_END) == off_t(scan.goodSize) else {
            throw ValidationError("\(path) can't be written: \(SystemError(number: errno)). Choose another --output.")
        }
        last = scan.last
        tally = scan.tally
    }

    /// Appends lines of results.
    func write(_ lines: [UInt8]) throws(SystemError) {
        try file.write(lines)
    }

    /// Waits until the written results survive a power failure; devices without that guarantee ignore the request.
    func synchronize() throws(SystemError) {
        guard fsync(file.number) != 0, errno != EINVAL, errno != EROFS else { return }
        throw SystemError(number: errno)
    }
}
