public import PurchaseModel

/// One purchase of a receipt (attribute 17).
///
/// Product, transaction and a date are required. Xcode's receipts lack both original values, so missing ones are derived.
public struct ReceiptPurchase: Hashable, Sendable {
    /// Attribute 1701; 1 when it is missing.
    public internal(set) var quantity = 1
    /// Attribute 1702.
    public internal(set) var productID: ProductID = ""
    /// Attribute 1703.
    public internal(set) var transactionID: TransactionID = ""
    /// Attribute 1705, or 1703 where it is missing.
    public internal(set) var originalTransactionID: TransactionID = ""
    /// Attribute 1704, or 1706 where it is missing.
    public internal(set) var purchaseDate = noDate
    /// Attribute 1706, or 1704 where it is missing.
    public internal(set) var originalPurchaseDate = noDate
    /// Attribute 1707.
    public internal(set) var productTypeCode: Int64?
    /// Attribute 1708, in auto-renewable subscriptions only.
    public internal(set) var expiresDate: Timestamp?
    /// Attribute 1710, the product's identifier in the App Store; 0 in the sandbox.
    public internal(set) var itemID: Int64?
    /// Attribute 1711, the identifier of a subscription period; 0 for other purchases.
    public internal(set) var webOrderLineItemNumber: Int64?
    /// Attribute 1712, the date of the refund.
    public internal(set) var cancellationDate: Timestamp?
    /// Attribute 1713.
    public internal(set) var isTrialPeriod: Bool?
    /// Attribute 1719, in auto-renewable subscriptions, and in all purchases of Xcode's receipts.
    public internal(set) var isInIntroOfferPeriod: Bool?
    /// Attribute 1720: 1 for a problem with the app, 0 for another reason.
    public internal(set) var cancellationReason: Int64?
    /// Attribute 1721, in purchases with an offer.
    public internal(set) var promotionalOfferID: String?
    /// Attribute 1722: 0 for a purchase by the customer, 1 for Family Sharing, in known receipts.
    public internal(set) var ownership: Int64?

    let source: AttributeSource

    /// The product type of attribute 1707; nil when it is missing or unknown.
    public var productType: ProductType? {
        productTypeCode.flatMap { ProductType(receiptCode: $0) }
    }

    /// Attribute 1711 when not 0.
    public var webOrderLineItemID: String? {
        webOrderLineItemNumber.flatMap { $0 == 0 ? nil : String($0) }
    }

    /// Every attribute in the order of the receipt, with its octets.
    ///
    /// Each access copies them.
    public var attributes: [ReceiptAttribute] { source.all }

    /// The attributes whose meaning is unknown, in the order of the receipt.
    ///
    /// Each access copies them.
    public var unknownAttributes: [ReceiptAttribute] { source.unknown }

    /// Reads the octets of an attribute 17.
    ///
    /// - Parameters:
    ///   - range: The range of the octets.
    ///   - cache: Values of the previous purchases.
    ///   - place: Records the attribute that is read.
    init(_ range: Range<Int>, _ bytes: [UInt8], _ cache: inout PurchaseCache, _ place: inout ReceiptPlace) throws(ParseError) {
        source = AttributeSource(octets: bytes[range], isPurchase: true)
        try read(range, bytes, &cache, &place)
    }
}

extension ReceiptPurchase {
    /// The value for a missing date, which no date text represents.
    static let noDate = Timestamp(milliseconds: .min)

    /// Reads the SET at a range.
    @inline(__always)
    mutating func read(
        _ range: Range<Int>, _ bytes: [UInt8], _ cache: inout PurchaseCache, _ place: inout ReceiptPlace
    ) throws(ParseError) {
        let span = bytes.span
        cache.transaction = 0..<0
        var attributes = try ReceiptAttributes(range, span)
        while let next = try attributes.next(span) {
            guard next.type >= 1700, next.type < 1764, let field = ReceiptField(rawValue: next.type), field.isRead
            else { continue }
            place.number = next.type
            try attributes.requireUnseen(next.type - 1700)
            switch next.octets {
            case .piece(let range):
                try read(field, ReceiptValue(range), bytes, &cache)
            case .joined(let octets):
                var cache = PurchaseCache()
                try read(field, ReceiptValue(0..<octets.count), octets, &cache)
            }
            place.number = nil
        }
        try deriveMissingValues(&place, at: range.upperBound)
    }

    /// Derives missing values from others, and throws when a required value is missing.
    private mutating func deriveMissingValues(_ place: inout ReceiptPlace, at end: Int) throws(ParseError) {
        if productID.rawValue.isEmpty { place.number = ReceiptField.productID.rawValue }
        if transactionID.rawValue.isEmpty { place.number = ReceiptField.transactionID.rawValue }
        if originalTransactionID.rawValue.isEmpty { originalTransactionID = transactionID }
        if purchaseDate == Self.noDate { purchaseDate = originalPurchaseDate }
        if originalPurchaseDate == Self.noDate { originalPurchaseDate = purchaseDate }
        if purchaseDate == Self.noDate { place.number = ReceiptField.purchaseDate.rawValue }
        guard place.number == nil else { throw ParseError(.missing, at: end) }
    }

    @inline(__always)
    private mutating func read(
        _ field: ReceiptField, _ value: ReceiptValue, _ bytes: [UInt8], _ cache: inout PurchaseCache
    ) throws(ParseError) {
        switch field {
        case .quantity:
            if let number = try value.integer(bytes.span) {
                // A quantity below 1 would reduce a balance.
                guard number > 0 else { throw ParseError(.value, at: value.range.lowerBound) }
                quantity = Int(number)
            }
        case .productID: productID = ProductID(try cache.product.text(value, bytes) ?? "")
        case .transactionID:
            transactionID = TransactionID(try value.text(bytes) ?? "")
            cache.transaction = try value.content(bytes.span)
        case .purchaseDate: if let date = try cache.date.date(value, bytes.span) { purchaseDate = date }
        case .originalTransactionID:
            if bytes.span.isSame(try value.content(bytes.span), cache.transaction) {
                originalTransactionID = transactionID
            } else {
                originalTransactionID = TransactionID(try cache.original.text(value, bytes) ?? "")
            }
        case .purchaseOriginalDate: if let date = try cache.date.date(value, bytes.span) { originalPurchaseDate = date }
        case .productType: productTypeCode = try value.integer(bytes.span)
        case .expiresDate: expiresDate = try value.date(bytes.span)
        case .itemID: itemID = try value.integer(bytes.span)
        case .webOrderLineItemID: webOrderLineItemNumber = try value.integer(bytes.span)
        case .cancellationDate: cancellationDate = try value.date(bytes.span)
        case .isTrialPeriod: isTrialPeriod = try value.integer(bytes.span).map { $0 != 0 }
        case .isInIntroOfferPeriod: isInIntroOfferPeriod = try value.integer(bytes.span).map { $0 != 0 }
        case .cancellationReason: cancellationReason = try value.integer(bytes.span)
        case .promotionalOfferID: promotionalOfferID = try value.text(bytes)
        case .ownership: ownership = try value.integer(bytes.span)
        default: break
        }
    }
}

/// Values of the previous purchases, so that a repeated text is not created again.
struct PurchaseCache {
    /// The previous products.
    var product = CachedTexts()
    /// The range of the current transaction identifier, which is usually also the original one.
    var transaction = 0..<0
    /// The previous original transaction, which all renewals of a subscription share.
    var original = CachedText()
    /// The previous date.
    ///
    /// A purchase usually states the same date twice.
    var date = CachedDate()
}

/// A date, and the range of its text.
struct CachedDate {
    private var range = 0..<0
    private var date = Timestamp(milliseconds: 0)

    /// The date of a value, parsed only when it differs from the cached one; nil when it is empty.
    @inline(__always)
    mutating func date(_ value: ReceiptValue, _ bytes: Span<UInt8>) throws(ParseError) -> Timestamp? {
        let content = try value.content(bytes)
        if content.isEmpty { return nil }
        if bytes.isSame(content, range) { return date }
        guard let date = Timestamp(rfc3339: content, bytes) else { throw ParseError(.date, at: content.lowerBound) }
        (self.date, self.range) = (date, content)
        return date
    }
}

/// A text, and its range.
struct CachedText {
    private var range = 0..<0
    private var text = ""

    /// The text of a value, created only when it differs from the cached one; nil when it is empty.
    @inline(__always)
    mutating func text(_ value: ReceiptValue, _ bytes: [UInt8]) throws(ParseError) -> String? {
        let span = bytes.span
        let content = try value.content(span)
        if content.isEmpty { return nil }
        if span.isSame(content, range) { return text }
        guard let text = try value.text(bytes) else { return nil }
        (self.text, self.range) = (text, content)
        return text
    }
}

/// The texts of a few values, and their ranges.
struct CachedTexts {
    private static let maximumCount = 8

    private var known: [(range: Range<Int>, text: String)] = []
    private var oldest = 0

    /// The text of a value, created only when it is not cached; nil when it is empty.
    @inline(__always)
    mutating func text(_ value: ReceiptValue, _ bytes: [UInt8]) throws(ParseError) -> String? {
        let span = bytes.span
        let content = try value.content(span)
        for index in known.indices where span.isSame(content, known[index].range) { return known[index].text }
        guard let text = try value.text(bytes) else { return nil }
        if known.count < Self.maximumCount {
            known.append((content, text))
        } else {
            known[oldest] = (content, text)
            oldest = (oldest + 1) % Self.maximumCount
        }
        return text
    }
}
