public import PurchaseModel

/// One attribute of a receipt, whether or not its meaning is known.
///
/// ```
/// ReceiptAttribute ::= SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }
/// ```
public struct ReceiptAttribute: Hashable, Sendable {
    /// The number of the attribute.
    public let type: Int64
    /// The version: 1, and 2 for Apple's attribute 4.
    public let version: Int64
    /// The value, usually another ASN.1 value.
    public let octets: [UInt8]

    /// The value when it is a UTF8String or an IA5String.
    public var text: String? {
        let value = ReceiptValue(0..<octets.count)
        guard let text = try? value.text(octets) else { return nil }
        return text
    }

    /// The value when it is an INTEGER.
    public var integer: Int64? {
        (try? ReceiptValue(0..<octets.count).integer(octets.span)) ?? nil
    }

    /// The value when it is a date in text.
    public var date: Timestamp? {
        (try? ReceiptValue(0..<octets.count).date(octets.span)) ?? nil
    }
}

/// The receipt attributes that this project reads or writes.
package enum ReceiptField: Int64, CaseIterable, Sendable {
    // About the app.
    case receiptType = 0
    case appAppleID = 1
    case bundleID = 2
    case appVersion = 3
    case opaqueValue = 4
    case deviceHash = 5
    case unknown6 = 6
    case unknown7 = 7
    case downloadDate = 8
    case toolVersion = 9
    case ageRating = 10
    case developerID = 11
    case creationDate = 12
    case clientVersion = 13
    case deviceModel = 14
    case downloadID = 15
    case versionExternalID = 16
    case purchase = 17
    case originalPurchaseDate = 18
    case originalAppVersion = 19
    case unknown20 = 20
    case expirationDate = 21
    case unknown22 = 22
    case organization = 23
    case platform = 25
    case preorderDate = 32

    // About one purchase.
    case quantity = 1701
    case productID = 1702
    case transactionID = 1703
    case purchaseDate = 1704
    case originalTransactionID = 1705
    case purchaseOriginalDate = 1706
    case productType = 1707
    case expiresDate = 1708
    case unknown1709 = 1709
    case itemID = 1710
    case webOrderLineItemID = 1711
    case cancellationDate = 1712
    case isTrialPeriod = 1713
    case unknown1714 = 1714
    case unknown1715 = 1715
    case unknown1716 = 1716
    case unknown1717 = 1717
    case unknown1718 = 1718
    case isInIntroOfferPeriod = 1719
    case cancellationReason = 1720
    case promotionalOfferID = 1721
    case ownership = 1722

    /// Whether the meaning is known, so that the attribute is read and must not occur twice.
    var isRead: Bool {
        switch self {
        case .unknown6, .unknown7, .unknown20, .unknown22: false
        case .unknown1709, .unknown1714, .unknown1715, .unknown1716, .unknown1717, .unknown1718: false
        default: true
        }
    }
}

/// Iterates over the attributes of one SET of a receipt, in their order.
///
/// ```
/// SET OF SEQUENCE { INTEGER type, INTEGER version, OCTET STRING value }
/// ```
///
/// The SET need not be sorted, because Xcode does not sort it. Unknown attributes are skipped, because Apple can add attributes. A
/// known attribute must not occur twice, because two readers could then use different values.
struct ReceiptAttributes {
    /// The maximum number of attributes of a SET, purchases among them.
    ///
    /// The longest known receipt from Apple has 205.
    static let maximumCount = 100_000

    private var reader: BERReader
    private let frame: BERReader.Frame
    private var count = 0
    private var seen: UInt64 = 0

    /// Opens a SET.
    @inline(__always)
    init(_ range: Range<Int>, _ bytes: Span<UInt8>) throws(ParseError) {
        reader = BERReader(range)
        frame = try reader.open(BERTag.set, bytes)
    }

    /// The next attribute; nil after the last one, when nothing follows the SET.
    @inline(__always)
    mutating func next(_ bytes: Span<UInt8>) throws(ParseError) -> (type: Int64, version: Int64, octets: BEROctets)? {
        guard !reader.isAtEnd(bytes) else {
            try reader.close(frame, bytes)
            guard reader.isAtEnd(bytes) else { throw ParseError(.excess, at: reader.position) }
            return nil
        }
        count += 1
        guard count <= Self.maximumCount else { throw ParseError(.count(limit: Self.maximumCount), at: reader.position) }
        if let short = reader.shortAttribute(bytes) { return (short.type, short.version, .piece(short.octets)) }
        let attribute = try reader.open(BERTag.sequence, bytes)
        let type = try reader.integer(bytes)
        let version = try reader.integer(bytes)
        let octets = try reader.octets(bytes)
        try reader.close(attribute, bytes)
        return (type, version, octets)
    }

    /// Throws when a known attribute occurs for the second time.
    ///
    /// - Parameter number: The attribute, below 64.
    @inline(__always)
    mutating func requireUnseen(_ number: Int64) throws(ParseError) {
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: number)
        guard seen & bit == 0 else { throw ParseError(.duplicate, at: reader.position) }
        seen |= bit
    }

    /// Whether a known attribute has occurred.
    func hasSeen(_ number: Int64) -> Bool {
        seen & (1 &<< UInt64(truncatingIfNeeded: number)) != 0
    }

    /// All attributes, with copies of their octets.
    static func all(in source: ArraySlice<UInt8>) -> [ReceiptAttribute] {
        var all: [ReceiptAttribute] = []
        let bytes = Array(source)
        let span = bytes.span
        // The SET was parsed before, so it is valid.
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

/// The bytes of a SET of attributes, for access to unknown attributes.
///
/// Two values are equal when their unknown attributes are equal, regardless of the encoding.
struct AttributeSource: Hashable, Sendable {
    /// The SET.
    let octets: ArraySlice<UInt8>
    /// Whether the SET belongs to a purchase, rather than to the app.
    let isPurchase: Bool

    /// All attributes, in their order.
    var all: [ReceiptAttribute] {
        ReceiptAttributes.all(in: octets)
    }

    /// The unknown attributes, in their order.
    var unknown: [ReceiptAttribute] {
        let numbers: Range<Int64> = isPurchase ? 1700..<1764 : 0..<64
        return all.filter { !numbers.contains($0.type) || ReceiptField(rawValue: $0.type)?.isRead != true }
    }

    static func == (one: AttributeSource, other: AttributeSource) -> Bool {
        one.octets == other.octets || one.unknown == other.unknown
    }

    func hash(into hasher: inout Hasher) {
        // Equal values can have different bytes.
    }
}

/// The octets of one attribute, with accessors for its types.
///
/// Empty octets are a missing value, like the empty text that Apple writes.
struct ReceiptValue {
    /// The range of the octets.
    let range: Range<Int>

    init(_ range: Range<Int>) {
        self.range = range
    }

    /// The range of the content of a UTF8String or IA5String.
    @inline(__always)
    func content(_ bytes: Span<UInt8>) throws(ParseError) -> Range<Int> {
        guard !range.isEmpty else { return range }
        var reader = BERReader(range)
        let tag = bytes[range.lowerBound] == BERTag.utf8String ? BERTag.utf8String : BERTag.ia5String
        let content = try reader.primitive(tag, bytes)
        guard content.upperBound == range.upperBound else { throw ParseError(.excess, at: content.upperBound) }
        return content
    }

    /// A UTF8String or IA5String; nil when it is empty.
    func text(_ bytes: [UInt8]) throws(ParseError) -> String? {
        let content = try content(bytes.span)
        guard !content.isEmpty else { return nil }
        // Nearly all texts are ASCII, which requires no validation as UTF-8.
        if bytes.span.isASCII(content) { return String(decoding: bytes[content], as: UTF8.self) }
        guard let text = String(validating: bytes[content], as: UTF8.self) else { throw ParseError(.text, at: content.lowerBound) }
        return text
    }

    /// An INTEGER; nil without octets.
    @inline(__always)
    func integer(_ bytes: Span<UInt8>) throws(ParseError) -> Int64? {
        guard !range.isEmpty else { return nil }
        var reader = BERReader(range)
        let value = try reader.integer(bytes)
        guard reader.position == range.upperBound else { throw ParseError(.excess, at: reader.position) }
        return value
    }

    /// A date in text; nil when it is empty.
    @inline(__always)
    func date(_ bytes: Span<UInt8>) throws(ParseError) -> Timestamp? {
        let content = try content(bytes)
        guard !content.isEmpty else { return nil }
        guard let date = Timestamp(rfc3339: content, bytes) else { throw ParseError(.date, at: content.lowerBound) }
        return date
    }
}
