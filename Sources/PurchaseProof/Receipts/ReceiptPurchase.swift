public import PurchaseModel

/// One purchase that a receipt lists (attribute 17).
///
/// Product, transaction and a date must be there; Xcode's receipts lack both originals, so each stands for the other.
public struct ReceiptPurchase: Hashable, Sendable {
    /// Attribute 1701; 1 when it is missing, which is what a listed purchase is at least.
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
    /// Attribute 1708; empty but for auto-renewable subscriptions.
    public internal(set) var expiresDate: Timestamp?
    /// Attribute 1710, the product's number in the App Store; 0 in the sandbox.
    public internal(set) var itemID: Int64?
    /// Attribute 1711, the purchase of one subscription period; 0 when it is none.
    public internal(set) var webOrderLineItemNumber: Int64?
    /// Attribute 1712, when it was refunded.
    public internal(set) var cancellationDate: Timestamp?
    /// Attribute 1713.
    public internal(set) var isTrialPeriod: Bool?
    /// Attribute 1719; in auto-renewable subscriptions, and in all of Xcode's.
    public internal(set) var isInIntroOfferPeriod: Bool?
    /// Attribute 1720: 1 for a problem with the app, 0 for another reason.
    public internal(set) var cancellationReason: Int64?
    /// Attribute 1721; there when an offer was used.
    public internal(set) var promotionalOfferID: String?
    /// Attribute 1722: 0 for the customer's own, 1 for one that the family shares, as far as known.
    public internal(set) var ownership: Int64?

    let source: AttributeSource

    /// The kind that attribute 1707 stands for; nil where it is missing or unknown.
    public var productType: ProductType? {
        productTypeCode.flatMap { ProductType(receiptCode: $0) }
    }

    /// Attribute 1711 when not 0.
    public var webOrderLineItemID: String? {
        webOrderLineItemNumber.flatMap { $0 == 0 ? nil : String($0) }
    }

    /// Every attribute in the order of the receipt, with its bytes; copies them at each call.
    public var attributes: [ReceiptAttribute] { source.all }

    /// The attributes whose meaning is not known, in the order of the receipt; copies them at each call.
    public var unknownAttributes: [ReceiptAttribute] { source.unknown }

    /// Reads the octets of an attribute 17.
    ///
    /// - Parameters:
    ///   - range: Where they lie in the bytes.
    ///   - memory: What the purchases before it said.
    ///   - place: Takes down which attribute is being read.
    init(_ range: Range<Int>, _ bytes: [UInt8], _ memory: inout PurchaseMemory, _ place: inout ReceiptPlace) throws(ReadFault) {
        source = AttributeSource(octets: bytes[range], isPurchase: true)
        try read(range, bytes, &memory, &place)
    }
}
