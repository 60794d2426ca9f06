import PurchaseModel

/// Writes integers, texts and bytes one after the other.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(byte: UInt8) { bytes.append(byte) }

    mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    /// Writes a nonnegative number with seven bits in each byte, the lowest bits first.
    mutating func write(count: Int) {
        var rest = UInt64(max(count, 0))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func write(_ value: Int64) {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: value >> Int64(shift))) }
    }

    /// Writes the number of bytes, and then the bytes.
    mutating func write(_ value: some Collection<UInt8>) {
        write(count: value.count)
        bytes += value
    }

    mutating func write(_ text: String) { write(text.utf8) }

    mutating func write(_ transactions: [TransactionID]) {
        for transaction in transactions { write(transaction.rawValue) }
    }

    mutating func write(_ date: Timestamp) { write(date.milliseconds) }
}

/// Reads integers, texts and bytes that a ``ByteWriter`` has written.
///
/// Bytes in any other form are refused as ``VaultError/tampered``.
struct ByteReader {
    private let bytes: [UInt8]
    private var position: Int
    private let end: Int

    init(_ bytes: [UInt8]) {
        self.init(bytes, bytes.indices)
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { position == end }

    mutating func byte() throws(VaultError) -> UInt8 {
        guard position < end else { throw .tampered }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func flag() throws(VaultError) -> Bool { try byte() == 1 }

    mutating func count() throws(VaultError) -> Int {
        var count: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 28, by: 7) {
            let byte = try byte()
            count |= UInt64(byte & 0x7F) << shift
            guard byte >= 0x80 else {
                guard let count = Int(exactly: count) else { throw .tampered }
                return count
            }
        }
        throw .tampered
    }

    mutating func integer() throws(VaultError) -> Int64 {
        guard end - position >= 8 else { throw .tampered }
        var value: UInt64 = 0
        for index in position..<position + 8 { value = value << 8 | UInt64(bytes[index]) }
        position += 8
        return Int64(bitPattern: value)
    }

    mutating func slice() throws(VaultError) -> ArraySlice<UInt8> {
        let count = try count()
        guard count <= end - position else { throw .tampered }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Reads the length of a sequence of bytes, and returns a reader of the sequence.
    mutating func nested() throws(VaultError) -> ByteReader {
        let slice = try slice()
        return ByteReader(bytes, slice.startIndex..<slice.endIndex)
    }

    mutating func text() throws(VaultError) -> String { String(decoding: try slice(), as: UTF8.self) }

    mutating func date() throws(VaultError) -> Timestamp { Timestamp(milliseconds: try integer()) }
}
