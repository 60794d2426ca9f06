import PurchaseModel
import PurchaseProof

/// Reads the results of earlier runs: the last item and the counts.
struct ResultScan {
    /// The number of bytes up to the end of the last complete result.
    private(set) var goodSize = 0
    private(set) var tally = BatchTally()
    /// Whether everything before an incomplete last line is results.
    private(set) var isOfResults = true

    private var lastLine: [UInt8] = []
    private var rest: [UInt8] = []
    private var size = 0

    /// The maximum length of a line that is parsed; file names have at most 255 bytes.
    private static let maximumLength = 64 << 10

    /// The item of the last complete result.
    var last: BatchItem.Origin? {
        Self.origin(of: lastLine)
    }

    /// Reads the next block.
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

    /// Ends the scan: bytes without a line break are an incomplete result, or the file is not a file of results.
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
        goodSize = size
        tally.add(result)
        swap(&lastLine, &rest)
        rest.removeAll(keepingCapacity: true)
    }

    /// The result, found by its bytes.
    ///
    /// A JSON string can't contain these bytes, because its quotation marks are escaped.
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
