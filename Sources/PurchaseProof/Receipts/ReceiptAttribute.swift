public import PurchaseModel

/// One attribute of an app receipt, whether or not the meaning of the attribute is known.
///
/// ```
/// ReceiptAttribute ::= SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }
/// ```
public struct ReceiptAttribute: Hashable, Sendable {
    /// The type of the attribute, such as 2 for the bundle identifier.
    public let type: Int64
    /// The version of the attribute, which is 2 for attribute 4 in Apple's receipts, and 1 for all other attributes.
    public let version: Int64
    /// The octets of the attribute's value, which usually encode another ASN.1 value.
    public let octets: [UInt8]

    /// The value as text; nil unless the value is a UTF8String or an IA5String that is not empty.
    public var text: String? {
        let value = ReceiptValue(0..<octets.count)
        guard let text = try? value.text(octets) else { return nil }
        return text
    }

    /// The value as a number; nil unless the value is an INTEGER of at most 64 bits.
    public var integer: Int64? {
        (try? ReceiptValue(0..<octets.count).integer(octets.span)) ?? nil
    }

    /// The value as a date; nil unless the value is a text such as `2025-01-31T12:34:56Z`.
    public var date: Timestamp? {
        (try? ReceiptValue(0..<octets.count).date(octets.span)) ?? nil
    }
}

/// The types of receipt attributes that this package reads or writes; the raw value is the type in the receipt.
package enum ReceiptField: Int64, CaseIterable, Sendable {
    // Attributes of the receipt, about the app.
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

    // Attributes of a purchase, which are nested in attribute 17.
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

    /// Whether the meaning of the attribute is known, so that the parser reads the attribute and refuses a second occurrence of it.
    var isRead: Bool {
        switch self {
        case .unknown6, .unknown7, .unknown20, .unknown22: false
        case .unknown1709, .unknown1714, .unknown1715, .unknown1716, .unknown1717, .unknown1718: false
        default: true
        }
    }
}

/// An iterator over the attributes of a receipt or of one of its purchases, which are the elements of an ASN.1 SET.
///
/// ```
/// SET OF SEQUENCE { INTEGER type, INTEGER version, OCTET STRING value }
/// ```
///
/// The elements need not be sorted as in DER, because Xcode does not sort them. Unknown attributes are allowed, because Apple can add
/// attributes. A known attribute must not occur twice, because two programs could then read different values.
struct ReceiptAttributes {
    /// The maximum number of attributes of a receipt, including its purchases, and of a purchase.
    ///
    /// The longest known receipt from Apple has 205 attributes.
    static let maximumCount = 100_000

    private var reader: BERReader
    private let frame: BERReader.Frame
    private var count = 0
    private var seen: UInt64 = 0

    /// Creates an iterator over the attributes of the SET at a range of the bytes.
    @inline(__always)
    init(_ range: Range<Int>, _ bytes: Span<UInt8>) throws(ParseError) {
        reader = BERReader(range)
        frame = try reader.open(BERTag.set, bytes)
    }

    /// Returns the next attribute, or nil after the last one.
    ///
    /// - Throws: When the attribute is malformed, when the SET has more than ``maximumCount`` attributes, or when bytes follow the SET.
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

    /// Records the occurrence of a known attribute, and throws when the attribute has occurred before.
    ///
    /// - Parameter number: The type of the attribute, relative to 1700 in a purchase; it is below 64.
    @inline(__always)
    mutating func requireUnseen(_ number: Int64) throws(ParseError) {
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: number)
        guard seen & bit == 0 else { throw ParseError(.duplicate, at: reader.position) }
        seen |= bit
    }

    /// Returns whether a known attribute has occurred.
    ///
    /// - Parameter number: The type of the attribute, relative to 1700 in a purchase; it is below 64.
    func hasSeen(_ number: Int64) -> Bool {
        seen & (1 &<< UInt64(truncatingIfNeeded: number)) != 0
    }

    /// Returns all attributes of the SET that `source` encodes, with copies of their octets.
    static func all(in source: ArraySlice<UInt8>) -> [ReceiptAttribute] {
        var all: [ReceiptAttribute] = []
        let bytes = Array(source)
        let span = bytes.span
        // The initializer of the payload or of the purchase has already parsed the SET, so it is valid.
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

/// The encoded attributes of a receipt or of one of its purchases, from which unknown attributes are read when requested.
///
/// Two values are equal when their unknown attributes are equal, even if their bytes differ. The properties of ``ReceiptPayload`` and
/// ``ReceiptPurchase`` compare the known attributes.
struct AttributeSource: Hashable, Sendable {
    /// The bytes of the ASN.1 SET of attributes.
    let octets: ArraySlice<UInt8>
    /// Whether the attributes are those of a purchase, rather than those of the receipt.
    let isPurchase: Bool

    /// All attributes, in the order of the receipt.
    var all: [ReceiptAttribute] {
        ReceiptAttributes.all(in: octets)
    }

    /// The attributes whose meaning is unknown, in the order of the receipt.
    var unknown: [ReceiptAttribute] {
        let numbers: Range<Int64> = isPurchase ? 1700..<1764 : 0..<64
        return all.filter { !numbers.contains($0.type) || ReceiptField(rawValue: $0.type)?.isRead != true }
    }

    static func == (one: AttributeSource, other: AttributeSource) -> Bool {
        one.octets == other.octets || one.unknown == other.unknown
    }

    func hash(into hasher: inout Hasher) {
        // Equal values can have different bytes, so the bytes do not contribute to the hash.
    }
}

/// The value of one receipt attribute, with accessors for the types that a value can have.
///
/// Apple writes an empty text for a missing value. The accessors return nil for an empty text and for a value without octets.
struct ReceiptValue {
    /// The range of the value's octets in the bytes that each accessor receives.
    let range: Range<Int>

    init(_ range: Range<Int>) {
        self.range = range
    }

    /// Returns the range of the characters of a UTF8String or IA5String; an empty range when the value has no octets.
    ///
    /// - Throws: When the value has another type, or when bytes follow it.
    @inline(__always)
    func content(_ bytes: Span<UInt8>) throws(ParseError) -> Range<Int> {
        guard !range.isEmpty else { return range }
        var reader = BERReader(range)
        let tag = bytes[range.lowerBound] == BERTag.utf8String ? BERTag.utf8String : BERTag.ia5String
        let content = try reader.primitive(tag, bytes)
        guard content.upperBound == range.upperBound else { throw ParseError(.excess, at: content.upperBound) }
        return content
    }

    /// Returns the text of a UTF8String or IA5String; nil when it is empty.
    func text(_ bytes: [UInt8]) throws(ParseError) -> String? {
        let content = try content(bytes.span)
        guard !content.isEmpty else { return nil }
        // Nearly all texts in receipts are ASCII, and ASCII is always valid UTF-8.
        if bytes.span.isASCII(content) { return String(decoding: bytes[content], as: UTF8.self) }
        guard let text = String(validating: bytes[content], as: UTF8.self) else { throw ParseError(.text, at: content.lowerBound) }
        return text
    }

    /// Returns the number of an INTEGER; nil when the value has no octets.
    @inline(__always)
    func integer(_ bytes: Span<UInt8>) throws(ParseError) -> Int64? {
        guard !range.isEmpty else { return nil }
        var reader = BERReader(range)
        let value = try reader.integer(bytes)
        guard reader.position == range.upperBound else { throw ParseError(.excess, at: reader.position) }
        return value
    }

    /// Returns the date that a UTF8String or IA5String contains; nil when it is empty.
    @inline(__always)
    func date(_ bytes: Span<UInt8>) throws(ParseError) -> Timestamp? {
        let content = try content(bytes)
        guard !content.isEmpty else { return nil }
        guard let date = Timestamp(rfc3339: content, bytes) else { throw ParseError(.date, at: content.lowerBound) }
        return date
    }
}
