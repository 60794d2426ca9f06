import ArgumentParser
import Foundation

/// The file that takes the results of a batch, and from which a batch that was killed goes on.
///
/// A line is a result once its line break is there; whatever follows the last one is cut off before writing goes on.
struct ResultFile: Sendable {
    let file: FileDescriptor
    /// The last item that has a result; nil for none.
    let last: BatchItem.Origin?
    /// What the results in it say.
    let tally: BatchTally

    /// Opens a file of results, or makes it, and takes it for this process.
    ///
    /// - Throws: A usage error when it can't be written, is in use, or holds something else than results: nothing of that is
    ///   changed.
    init(_ path: String) throws {
        do { file = try FileDescriptor.opening(path, O_RDWR | O_CREAT) } catch {
            throw ValidationError("\(path) can't be written: \(error). Choose another --output.")
        }
        // Devices and pipes keep nothing to go on from.
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

    /// Appends results.
    func write(_ lines: [UInt8]) throws(SystemError) {
        try file.write(lines)
    }

    /// Waits until what was written survives a power cut; devices that can't promise it are asked in vain.
    func synchronize() throws(SystemError) {
        guard fsync(file.number) != 0, errno != EINVAL, errno != EROFS else { return }
        throw SystemError(number: errno)
    }
}
