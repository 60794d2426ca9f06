import ArgumentParser
import Foundation
import FoundationExtras
import PurchaseProof

/// The file that receives the results of a batch, and from which an interrupted batch resumes.
///
/// A line is a result once its line break is written. Bytes after the last line break are removed before more results are written.
struct ResultFile: Sendable {
    let file: FileDescriptor
    /// The last item that has a result; nil for a file without results.
    let last: BatchItem.Origin?
    /// The numbers of verified, refused and indeterminate results in the file.
    let tally: BatchTally

    /// Opens or creates a file of results, and locks it for this process.
    ///
    /// - Throws: A usage error if the file can't be written, is in use, or contains anything but results; such a file stays unchanged.
    init(_ path: String) throws {
        do { file = try FileDescriptor.opening(path, O_RDWR | O_CREAT) } catch {
            throw ValidationError("\(path) can't be written: \(error). Choose another --output.")
        }
        // Skip the scan of a device or pipe, which stores no results from which a batch could resume.
        guard file.size != nil else {
            last = nil
            tally = BatchTally()
            return
        }
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
            throw ValidationError("\(path) is in use by another call of verify-batch. Wait for its end, or choose another --output.")
        }
        var scan = ResultScan()
        do {
            while case let block = try file.read(atMost: 1 << 20), !block.isEmpty { scan.read(block) }
        } catch {
            throw ValidationError("\(path) can't be read: \(error). Choose another --output.")
        }
        scan.end()
        guard scan.isOfResults else {
            throw ValidationError("\(path) contains data other than results of verify-batch. Choose another --output, or remove the file.")
        }
        guard ftruncate(file.number, off_t(scan.validSize)) == 0, lseek(file.number, 0, SEEK_END) == off_t(scan.validSize) else {
            throw ValidationError("\(path) can't be written: \(SystemError(number: errno)). Choose another --output.")
        }
        last = scan.last
        tally = scan.tally
    }

    /// Appends lines of results.
    func write(_ lines: [UInt8]) throws(SystemError) {
        try file.write(lines)
    }

    /// Writes the results to stable storage (`fsync`); has no effect on a device or pipe that does not support `fsync`.
    func synchronize() throws(SystemError) {
        guard fsync(file.number) != 0, errno != EINVAL, errno != EROFS else { return }
        throw SystemError(number: errno)
    }
}

/// Scans a file of results for the last item that has a result, and counts the results.
struct ResultScan {
    /// The number of bytes up to the end of the last complete result.
    private(set) var validSize = 0
    private(set) var tally = BatchTally()
    /// Whether the scanned data consists of results; the last result may be incomplete.
    private(set) var isOfResults = true

    private var lastLine: [UInt8] = []
    private var rest: [UInt8] = []
    private var size = 0

    /// The maximum length of a result's line in bytes; the file name in the line has at most 255 bytes.
    private static let maximumLength = 64 << 10

    /// The item of the last complete result.
    var last: BatchItem.Origin? {
        Self.origin(of: lastLine)
    }

    /// Scans the next block of the file.
    mutating func read(_ block: [UInt8]) {
        guard isOfResults else { return }
        var unread = block[...]
        while let newline = unread.firstIndex(of: UInt8(ascii: "\n")) {
            rest.append(contentsOf: unread[..<newline])
            unread = unread[(newline + 1)...]
            endLine()
        }
        rest.append(contentsOf: unread)
        if rest.count > Self.maximumLength { isOfResults = false }
    }

    /// Ends the scan, and checks that the bytes after the last line break are the beginning of a result.
    mutating func end() {
        let beginnings = ["{\"line\":", "{\"file\":\""].map { Array($0.utf8) }
        if !beginnings.contains(where: { rest.starts(with: $0.prefix(rest.count)) }) { isOfResults = false }
    }

    private mutating func endLine() {
        guard isOfResults, let result = Self.result(of: rest) else {
            isOfResults = false
            return
        }
        size += rest.count + 1
        validSize = size
        tally.add(result)
        swap(&lastLine, &rest)
        rest.removeAll(keepingCapacity: true)
    }

    /// Returns the verification result that a line states, without parsing the line as JSON.
    ///
    /// The method searches for the bytes of the member `result`, which no file name contains, because JSON escapes quotation marks.
    private static func result(of line: [UInt8]) -> VerificationExplanation.Result? {
        guard line.starts(with: "{\"".utf8), line.last == UInt8(ascii: "}") else { return nil }
        let marker = Array(",\"result\":\"".utf8)
        guard let found = line.firstRange(of: marker) else { return nil }
        let word = line[found.upperBound...].prefix { $0 != UInt8(ascii: "\"") }
        return VerificationExplanation.Result(rawValue: String(decoding: word, as: UTF8.self))
    }

    private static func origin(of line: [UInt8]) -> BatchItem.Origin? {
        guard let json = JSONReader.read(line) else { return nil }
        if case .number(let digits) = json["line"], let number = Int(digits) { return .line(number) }
        return json["file"]?.text.map { .file($0) }
    }
}
