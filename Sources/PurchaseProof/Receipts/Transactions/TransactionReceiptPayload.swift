public import PurchaseModel

/// What the receipt of one transaction says (`purchase-info`), unproven until a verifier has vouched for it.
///
/// App, product, transaction and date must be there; the rest came and went with the years.
public struct TransactionReceiptPayload: Hashable, Sendable {
    /// Every member in the order of the receipt, known or not.
    public let entries: [TransactionReceiptEntry]
    /// `bid`.
    public let bundleID: BundleID
    /// `bvrs`, the app's version; empty when it is missing.
    public let appVersion: String
    /// `product-id`.
    public let productID: ProductID
    /// `transaction-id`.
    public let transactionID: TransactionID
    /// `original-transaction-id`, or the transaction itself where it is missing.
    public let originalTransactionID: TransactionID
    /// `quantity`; 1 when it is missing.
    public let quantity: Int
    /// `purchase-date-ms`, or `purchase-date` where it is missing.
    public let purchaseDate: Timestamp
    /// `original-purchase-date-ms`, or `original-purchase-date`, or the purchase date.
    public let originalPurchaseDate: Timestamp
    /// `expires-date`, the end of a subscription's period.
    public let expiresDate: Timestamp?
    /// `cancellation-date-ms` or `cancellation-date`, when it was refunded.
    public let cancellationDate: Timestamp?
    /// `item-id`, the product's number in the App Store.
    public let itemID: Int64?
    /// `app-item-id`, the app's number in the App Store.
    public let appAppleID: Int64?
    /// `version-external-identifier`, the number of the app's version in the App Store; 0 in the sandbox.
    public let versionExternalID: Int64?
    /// `is-trial-period`.
    public let isTrialPeriod: Bool?
    /// `is-in-intro-offer-period`.
    public let isInIntroOfferPeriod: Bool?

    /// `web-order-line-item-id`, the purchase of one subscription period.
    public var webOrderLineItemID: String? { self["web-order-line-item-id"] }
    /// `in-app-ownership-type`, `PURCHASED` or `FAMILY_SHARED`.
    public var ownershipType: String? { self["in-app-ownership-type"] }
    /// `unique-identifier`, the device as the store knew it.
    public var uniqueIdentifier: String? { self["unique-identifier"] }
    /// `unique-vendor-identifier`, the device as the developer's apps know it.
    public var uniqueVendorIdentifier: String? { self["unique-vendor-identifier"] }
    /// `purchase-date` as it is written, such as `2012-07-12 12:54:35 Etc/GMT`.
    public var purchaseDateText: String? { self["purchase-date"] }
    /// `purchase-date-pst` as it is written, in the time of Los Angeles.
    public var purchaseDateInLosAngeles: String? { self["purchase-date-pst"] }
    /// `original-purchase-date` as it is written.
    public var originalPurchaseDateText: String? { self["original-purchase-date"] }
    /// `original-purchase-date-pst` as it is written, in the time of Los Angeles.
    public var originalPurchaseDateInLosAngeles: String? { self["original-purchase-date-pst"] }
    /// `expires-date-formatted` as it is written.
    public var expiresDateText: String? { self["expires-date-formatted"] }
    /// `expires-date-formatted-pst` as it is written, in the time of Los Angeles.
    public var expiresDateInLosAngeles: String? { self["expires-date-formatted-pst"] }

    /// The text of a member; nil when there is none of that name.
    public subscript(name: String) -> String? {
        TransactionReceiptFields(entries)[name]
    }

    /// Reads the list that is signed.
    init(_ bytes: [UInt8]) throws(Refusal) {
        do throws(ReadFault) {
            entries = try PropertyListReader.read(bytes)
        } catch { throw Refusal(error, at: "purchase-info") }
        let fields = TransactionReceiptFields(entries)
        bundleID = BundleID(try fields.required("bid"))
        appVersion = fields["bvrs"] ?? ""
        productID = ProductID(try fields.required("product-id"))
        transactionID = TransactionID(try fields.required("transaction-id"))
        originalTransactionID = fields["original-transaction-id"].map { TransactionID($0) } ?? transactionID
        let quantity = try fields.number("quantity") ?? 1
        // As in app receipts: nothing, or less than nothing, can't be bought.
        guard quantity > 0 else { throw Refusal(.malformed, at: "purchase-info.quantity", "A quantity above 0 was expected.") }
        self.quantity = Int(quantity)
        guard let purchaseDate = try fields.date("purchase-date") else { throw fields.missing("purchase-date") }
        self.purchaseDate = purchaseDate
        originalPurchaseDate = try fields.date("original-purchase-date") ?? purchaseDate
        // Milliseconds without a suffix that says so.
        expiresDate = try fields.number("expires-date").map { Timestamp(milliseconds: $0) }
        cancellationDate = try fields.date("cancellation-date")
        itemID = try fields.number("item-id")
        appAppleID = try fields.number("app-item-id")
        versionExternalID = try fields.number("version-external-identifier")
        isTrialPeriod = try fields.flag("is-trial-period")
        isInIntroOfferPeriod = try fields.flag("is-in-intro-offer-period")
    }
}
