/// Goes through the attributes of one SET of a receipt, in the order in which they lie there.
///
/// ```
/// SET OF SEQUENCE { INTEGER type, INTEGER version, OCTET STRING value }
/// ```
///
/// The set need not be sorted, since Xcode does not sort it. Numbers that nobody asks for are passed by, so that Apple can add
/// some; one that is read must not be there twice, because two readers could then read two different receipts.
struct ReceiptAttributes {
    /// How many attributes one set may have, purchases among them; the longest receipt of Apple that we know has 205.
    static let maximumCount = 100_000

    private var reader: BERReader
    private let frame: BERReader.Frame
    private var count = 0
    private var seen: UInt64 = 0

    /// Opens the set that those bytes are.
    @inline(__always)
    init(_ range: Range<Int>, _ bytes: Span<UInt8>) throws(ReadFault) {
        reader = BERReader(range)
        frame = try reader.open(BERTag.set, bytes)
    }

    /// The next attribute; nil after the last one, when nothing follows the set.
    @inline(__always)
    mutating func next(_ bytes: Span<UInt8>) throws(ReadFault) -> (type: Int64, version: Int64, octets: BEROctets)? {
        guard !reader.isAtEnd(bytes) else {
            try reader.close(frame, bytes)
            guard reader.isAtEnd(bytes) else { throw ReadFault(.excess, at: reader.position) }
            return nil
        }
        count += 1
        guard count <= Self.maximumCount else { throw ReadFault(.count(limit: Self.maximumCount), at: reader.position) }
        if let short = reader.shortAttribute(bytes) { return (short.type, short.version, .piece(short.octets)) }
        let attribute = try reader.open(BERTag.sequence, bytes)
        let type = try reader.integer(bytes)
        let version = try reader.integer(bytes)
        let octets = try reader.octets(bytes)
        try reader.close(attribute, bytes)
        return (type, version, octets)
    }

    /// Throws when that one of the numbers that are read was asked about before.
    ///
    /// - Parameter number: Below 64.
    @inline(__always)
    mutating func once(_ number: Int64) throws(ReadFault) {
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: number)
        guard seen & bit == 0 else { throw ReadFault(.duplicate, at: reader.position) }
        seen |= bit
    }

    /// Whether that one of the numbers that are read was asked about.
    func met(_ number: Int64) -> Bool {
        seen & (1 &<< UInt64(truncatingIfNeeded: number)) != 0
    }

    /// All of them with their octets copied.
    static func all(in source: ArraySlice<UInt8>) -> [ReceiptAttribute] {
        var all: [ReceiptAttribute] = []
        let bytes = Array(source)
        let span = bytes.span
        // They were read before, so nothing can be wrong with them now.
        guard var attributes = try? ReceiptAttributes(0..<bytes.count, span) else { return [] }
        while let next = try? attributes.next(span) {
            let octets =
                switch next.octets {
                case .piece(let range): Array(bytes[range])
                case .joined(let octets): octets
                }
            all.append(ReceiptAttribute(type: next.type, version: next.version, octets: octets))
        }
        return all
    }
}
