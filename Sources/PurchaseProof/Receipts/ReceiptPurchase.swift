public import PurchaseModel

/// One in-app purchase in an app receipt (attribute 17 of the receipt).
///
/// A purchase without a product identifier, a transaction identifier or a date is refused. Receipts from Xcode lack the original
/// transaction identifier and the original purchase date, so missing values are derived from the other attributes.
public struct ReceiptPurchase: Hashable, Sendable {
    /// The number of purchased items (attribute 1701); 1 when the attribute is missing.
    public internal(set) var quantity = 1
    /// The identifier of the purchased product (attribute 1702).
    public internal(set) var productID: ProductID = ""
    /// The identifier of the transaction (attribute 1703).
    public internal(set) var transactionID: TransactionID = ""
    /// The identifier of the original transaction (attribute 1705); ``transactionID`` when the attribute is missing.
    public internal(set) var originalTransactionID: TransactionID = ""
    /// The date of the purchase, renewal or restore (attribute 1704); ``originalPurchaseDate`` when the attribute is missing.
    public internal(set) var purchaseDate = noDate
    /// The purchase date of the original transaction (attribute 1706); ``purchaseDate`` when the attribute is missing.
    public internal(set) var originalPurchaseDate = noDate
    /// The number of the product type (attribute 1707), which ``productType`` interprets; nil when the attribute is missing.
    public internal(set) var productTypeCode: Int64?
    /// The date when the subscription period ends (attribute 1708); nil for products other than auto-renewable subscriptions.
    public internal(set) var expiresDate: Timestamp?
    /// The product's identifier in the App Store (attribute 1710); 0 in the sandbox, and nil when the attribute is missing.
    public internal(set) var itemID: Int64?
    /// The identifier of the subscription period (attribute 1711); 0 for other products, and nil when the attribute is missing.
    public internal(set) var webOrderLineItemNumber: Int64?
    /// The date when the purchase was refunded or revoked (attribute 1712); nil for a purchase that is not refunded.
    public internal(set) var cancellationDate: Timestamp?
    /// Whether the subscription period is a free trial (attribute 1713); nil when the attribute is missing.
    public internal(set) var isTrialPeriod: Bool?
    /// Whether the subscription period has an introductory price (attribute 1719); nil when the attribute is missing.
    ///
    /// The App Store states the attribute for auto-renewable subscriptions only, and Xcode for all purchases.
    public internal(set) var isInIntroOfferPeriod: Bool?
    /// The reason for the refund (attribute 1720): 1 for an issue with the app, and 0 for another reason; nil when the attribute is
    /// missing.
    public internal(set) var cancellationReason: Int64?
    /// The identifier of the redeemed promotional offer (attribute 1721); nil for a purchase without such an offer.
    public internal(set) var promotionalOfferID: String?
    /// The ownership (attribute 1722): 0 for a purchase by the customer, and 1 for Family Sharing; nil when the attribute is missing.
    public internal(set) var ownership: Int64?

    let source: AttributeSource

    /// The product type; nil when attribute 1707 is missing or has an unknown value.
    public var productType: ProductType? {
        productTypeCode.flatMap { ProductType(receiptCode: $0) }
    }

    /// The identifier of the subscription period as text; nil when attribute 1711 is missing or 0.
    public var webOrderLineItemID: String? {
        webOrderLineItemNumber.flatMap { $0 == 0 ? nil : String($0) }
    }

    /// All attributes of the purchase, in the order of the receipt.
    ///
    /// Each access parses the purchase again, and copies the octets of the attributes.
    public var attributes: [ReceiptAttribute] { source.all }

    /// The attributes of the purchase whose meaning is unknown, in the order of the receipt.
    ///
    /// Each access parses the purchase again, and copies the octets of the attributes.
    public var unknownAttributes: [ReceiptAttribute] { source.unknown }

    /// Parses the octets of an attribute 17.
    ///
    /// - Parameters:
    ///   - range: The range of the attribute's octets in `bytes`.
    ///   - bytes: The bytes that contain the content of the receipt.
    ///   - cache: The values of the purchases that were parsed before.
    ///   - place: Set to the place of the attribute that is being parsed, so that the caller can report it when the initializer throws.
    init(_ range: Range<Int>, _ bytes: [UInt8], _ cache: inout PurchaseCache, _ place: inout ReceiptPlace) throws(ParseError) {
        source = AttributeSource(octets: bytes[range], isPurchase: true)
        try read(range, bytes, &cache, &place)
    }
}

extension ReceiptPurchase {
    /// The value that stands for a missing date while a purchase is parsed; no text in the format of dates represents it.
    static let noDate = Timestamp(milliseconds: .min)

    /// Reads the attributes from the SET at a range of the bytes, and derives missing values.
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

    /// Derives missing values from other attributes, and throws when a required attribute is missing.
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
                // A negative quantity would reduce the balance of an app that adds the quantity to a balance.
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

/// A cache of values from the purchases of a receipt, so that a value that occurs repeatedly is parsed once.
struct PurchaseCache {
    /// The product identifiers of purchases that were parsed before.
    var product = CachedTexts()
    /// The range of the transaction identifier of the purchase that is being parsed; it usually equals the original transaction identifier.
    var transaction = 0..<0
    /// The last original transaction identifier that was parsed, which the renewals of a subscription share.
    ///
    /// An original transaction identifier that equals the transaction identifier of the same purchase is not parsed.
    var original = CachedText()
    /// The most recently parsed date.
    ///
    /// The purchase date and the original purchase date of a purchase are usually equal.
    var date = CachedDate()
}

/// A cache of one date, with the range of the date's text in the receipt.
struct CachedDate {
    private var range = 0..<0
    private var date = Timestamp(milliseconds: 0)

    /// Returns the date that an attribute's value contains; nil when the value is empty.
    ///
    /// The method parses the text only when it differs from the text of the cached date.
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

/// A cache of one string, with the range of its text in the receipt.
struct CachedText {
    private var range = 0..<0
    private var text = ""

    /// Returns the text that an attribute's value contains; nil when the value is empty.
    ///
    /// The method creates a string only when the text differs from the cached one.
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

/// A cache of up to eight strings, with the ranges of their texts in the receipt.
struct CachedTexts {
    private static let maximumCount = 8

    private var known: [(range: Range<Int>, text: String)] = []
    private var oldest = 0

    /// Returns the text that an attribute's value contains; nil when the value is empty.
    ///
    /// The method creates a string only when the text is not in the cache.
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
