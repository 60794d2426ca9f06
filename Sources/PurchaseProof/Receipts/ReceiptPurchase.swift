public import PurchaseModel

/// One purchase that a receipt lists (attribute 17).
public struct ReceiptPurchase: Hashable, Sendable {
    /// Attribute 1701.
    public internal(set) var quantity: Int
    /// Attribute 1702.
    public internal(set) var productID: ProductID
    /// Attribute 1703.
    public internal(set) var transactionID: TransactionID
    /// Attribute 1705, or 1703 where it is missing.
    public internal(set) var originalTransactionID: TransactionID
    /// Attribute 1704.
    public internal(set) var purchaseDate: Timestamp
    /// Attribute 1706, or 1704 where it is missing.
    public internal(set) var originalPurchaseDate: Timestamp
    /// Attribute 1707; nil where missing or unknown.
    public internal(set) var productType: ProductType?
    /// Attribute 1708.
    public internal(set) var expiresDate: Timestamp?
    /// Attribute 1711 when not 0.
    public internal(set) var webOrderLineItemID: String?
    /// Attribute 1712.
    public internal(set) var cancellationDate: Timestamp?

    /// Reads the octets of an attribute 17.
    init(_ octets: ArraySlice<UInt8>) throws(Refusal) {
        let fields = try ReceiptFields(octets, path: "receipt.17")
        let quantity = try fields.integer(.quantity).flatMap { $0 > 0 ? Int(exactly: $0) : nil }
        self.quantity = try fields.required(.quantity, quantity)
        productID = ProductID(try fields.required(.productID, fields.text(.productID)))
        transactionID = TransactionID(try fields.required(.transactionID, fields.text(.transactionID)))
        purchaseDate = try fields.required(.purchaseDate, fields.date(.purchaseDate))
        // Xcode's receipts lack both originals.
        originalTransactionID = try fields.text(.originalTransactionID).map { TransactionID($0) } ?? transactionID
        originalPurchaseDate = try fields.date(.purchaseOriginalDate) ?? purchaseDate
        productType = try fields.integer(.productType).flatMap { ProductType(receiptCode: $0) }
        expiresDate = try fields.date(.expiresDate)
        webOrderLineItemID = try fields.integer(.webOrderLineItemID).flatMap { $0 == 0 ? nil : String($0) }
        cancellationDate = try fields.date(.cancellationDate)
    }
}
