import PurchaseStorage

/// The format of a file to import.
public enum ImportFormat: String, CaseIterable, Sendable {
    /// Comma-separated values (RFC 4180), with a header.
    case csv
    /// One JSON object in each line.
    case jsonl
}

/// The reason why a line of a file to import can't be read.
enum ImportDefect: Error, Hashable, Sendable {
    case tooLong
    case nul
    case notUTF8
    case quote
    case unterminatedQuote
    case fieldCount
    case notJSON
    case noProof
    case identifier
    case receipt
    case customer
    case otherStore

    /// The code and the description of the defect.
    var text: (code: String, reason: String) {
        switch self {
        case .tooLong: ("line.too-long", "The record has more than \(ImportSplitter.recordLimit) bytes.")
        case .nul: ("line.nul", "The record contains a NUL character.")
        case .notUTF8: ("line.not-utf-8", "The record is not UTF-8.")
        case .quote: ("line.quote", "A quote must surround a whole field, and a quote in a field must be doubled (RFC 4180).")
        case .unterminatedQuote:
            ("line.unterminated-quote", "The record begins a quoted field that does not end before the end of the file.")
        case .fieldCount: ("line.field-count", "The record has more fields than the header.")
        case .notJSON: ("line.not-json", "The line is not a JSON object.")
        case .noProof: ("line.no-purchase", "The record has neither a transaction identifier nor a receipt.")
        case .identifier: ("line.identifier", "A transaction identifier has 1 to 32 digits.")
        case .receipt: ("line.receipt", "The receipt is not base64.")
        case .otherStore: ("line.other-store", "The purchase is from another store than the App Store.")
        case .customer: ("line.customer", "A customer is a UUID, or an identifier of 1 to 200 bytes without control characters.")
        }
    }
}

/// A record of a file to import: a line of JSON, or a record of CSV, which may have several lines.
struct ImportRecord: Sendable {
    /// The line number in the file at which the record begins, counted from 1.
    let line: Int64
    /// The place after the record.
    let end: ImportPosition
    /// The size of the record in bytes.
    let size: Int
    /// The first bytes of the record.
    let head: [UInt8]
    /// The fields of CSV, or the line of JSON as the only field.
    let fields: Result<[[UInt8]], ImportDefect>
}

/// Splits the bytes of a file to import into records, for chunks of any size.
///
/// The memory is bounded: the splitter discards a record that is too long while it reads the record, and continues with the next line.
/// SwiftCSV is not used, because SwiftCSV keeps the text and all rows of a file in memory.
struct ImportSplitter {
    /// The maximum size of a record, in bytes.
    static let recordLimit = 4 << 20
    private static let headLimit = 1_024
    private static let fieldLimit = 1_000

    fileprivate enum State {
        case start
        case unquoted
        case quoted
        /// The state after a quote in a quoted field; the next byte shows whether the quote ends the field or is doubled.
        case quote
        /// The state after the carriage return that follows a quoted field.
        case quoteAndReturn
        /// The state in a record with a defect, until the end of the line.
        case skipping(ImportDefect)
    }

    private let format: ImportFormat
    private var position: ImportPosition
    private var state = State.start
    private var fields: [[UInt8]] = []
    private var field: [UInt8] = []
    private var head: [UInt8] = []
    private var size = 0
    private var line: Int64

    /// Creates a splitter that begins at a place between two records.
    init(_ format: ImportFormat, at position: ImportPosition) {
        self.format = format
        self.position = position
        line = position.line
    }

    /// Returns the records that end in a chunk; the method omits records without content.
    mutating func split(_ chunk: [UInt8]) -> [ImportRecord] {
        var records: [ImportRecord] = []
        var index = 0
        while index < chunk.count {
            let end = plainEnd(of: chunk, from: index)
            if end > index {
                addPlain(chunk[index..<end])
                index = end
            } else {
                if let record = add(chunk[index]) { records.append(record) }
                index += 1
            }
        }
        return records
    }

    /// Returns the end of the bytes that change neither the state nor the line number: the next line break or, in JSON, the next NUL.
    private func plainEnd(of chunk: [UInt8], from start: Int) -> Int {
        let isSkipping: Bool
        switch state {
        case .skipping: isSkipping = true
        case .start where format == .jsonl: isSkipping = false
        default: return start
        }
        // Stop at the maximum size of a record, because `add` detects a record that is too long.
        let limit = isSkipping ? chunk.count : min(chunk.count, start + max(0, Self.recordLimit - size))
        var end = start
        while end < limit, chunk[end] != UInt8(ascii: "\n"), isSkipping || chunk[end] != 0 { end += 1 }
        return end
    }

    private mutating func addPlain(_ bytes: ArraySlice<UInt8>) {
        position.offset += Int64(bytes.count)
        if head.count < Self.headLimit { head.append(contentsOf: bytes.prefix(Self.headLimit - head.count)) }
        // Ignore the bytes of a discarded record, which needs no size and no fields.
        guard case .start = state else { return }
        size += bytes.count
        field.append(contentsOf: bytes)
    }

    /// Returns the last record of the file, which needs no line break; nil if no byte follows the last line break.
    mutating func finish() -> ImportRecord? {
        guard size > 0 else { return nil }
        switch state {
        case .quoted: return end(.failure(.unterminatedQuote))
        case .skipping(let defect): return end(.failure(defect))
        case .start, .unquoted, .quote, .quoteAndReturn: return endRecord()
        }
    }

    private mutating func add(_ byte: UInt8) -> ImportRecord? {
        let isLineEnd = byte == UInt8(ascii: "\n")
        position.offset += 1
        if isLineEnd { position.line += 1 }
        size += 1
        if head.count < Self.headLimit { head.append(byte) }
        if case .skipping(let defect) = state { return isLineEnd ? end(.failure(defect)) : nil }
        if byte == 0 { return skip(.nul) }
        if size > Self.recordLimit { return isLineEnd ? end(.failure(.tooLong)) : skip(.tooLong) }
        guard format == .csv else {
            if isLineEnd { return endRecord() }
            field.append(byte)
            return nil
        }
        return addToCSV(byte)
    }

    private mutating func addToCSV(_ byte: UInt8) -> ImportRecord? {
        let (quote, comma, lineEnd, carriageReturn) = (UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        switch (state, byte) {
        case (.start, quote): state = .quoted
        case (.unquoted, quote): return skip(.quote)
        case (.quoted, quote): state = .quote
        case (.quoted, _): field.append(byte)
        case (.quote, quote):
            field.append(byte)
            state = .quoted
        case (.quote, carriageReturn): state = .quoteAndReturn
        case (_, lineEnd): return endRecord()
        case (.start, comma), (.unquoted, comma), (.quote, comma):
            guard fields.count < Self.fieldLimit else { return skip(.fieldCount) }
            fields.append(field)
            field = []
            state = .start
        case (.quote, _), (.quoteAndReturn, _): return skip(.quote)
        default:
            field.append(byte)
            state = .unquoted
        }
        return nil
    }

    private mutating func skip(_ defect: ImportDefect) -> ImportRecord? {
        state = .skipping(defect)
        (fields, field) = ([], [])
        return nil
    }

    private mutating func endRecord() -> ImportRecord? {
        if format == .jsonl || !(state.isQuoted), field.last == UInt8(ascii: "\r") { field.removeLast() }
        return end(.success(fields + [field]))
    }

    private mutating func end(_ result: Result<[[UInt8]], ImportDefect>) -> ImportRecord? {
        let record = ImportRecord(line: line, end: position, size: size, head: head, fields: result)
        (state, fields, field, head, size, line) = (.start, [], [], [], 0, position.line)
        if case .success(let fields) = result, fields.allSatisfy({ $0.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } })
        {
            return nil
        }
        return record
    }
}

extension ImportSplitter.State {
    fileprivate var isQuoted: Bool {
        switch self {
        case .quote, .quoteAndReturn, .quoted: true
        case .start, .unquoted, .skipping: false
        }
    }
}
