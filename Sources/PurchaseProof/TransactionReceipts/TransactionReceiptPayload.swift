public import PurchaseModel

/// The signed content of a transaction receipt (`purchase-info`).
///
/// The content is authentic only as part of a ``VerifiedTransactionReceipt``.
///
/// App, product, transaction and date are required. The other members differ from year to year.
public struct TransactionReceiptPayload: Hashable, Sendable {
    /// Every member in the order of the receipt, whether or not it is known.
    public let entries: [TransactionReceiptEntry]
    /// `bid`.
    public let bundleID: BundleID
    /// `bvrs`, the app's version; empty when it is missing.
    public let appVersion: String
    /// `product-id`.
    public let productID: ProductID
    /// `transaction-id`.
    public let transactionID: TransactionID
    /// `original-transaction-id`, or the transaction identifier where it is missing.
    public let originalTransactionID: TransactionID
    /// `quantity`; 1 when it is missing.
    public let quantity: Int
    /// `purchase-date-ms`, or `purchase-date` where it is missing.
    public let purchaseDate: Timestamp
    /// `original-purchase-date-ms`, or `original-purchase-date`, or the purchase date.
    public let originalPurchaseDate: Timestamp
    /// `expires-date`, the end of a subscription's period.
    public let expiresDate: Timestamp?
    /// `cancellation-date-ms` or `cancellation-date`, the date of the refund.
    public let cancellationDate: Timestamp?
    /// `item-id`, the product's identifier in the App Store.
    public let itemID: Int64?
    /// `app-item-id`, the app's `appAppleId`.
    public let appAppleID: Int64?
    /// `version-external-identifier`, the identifier of the app's version in the App Store; 0 in the sandbox.
    public let versionExternalID: Int64?
    /// `is-trial-period`.
    public let isTrialPeriod: Bool?
    /// `is-in-intro-offer-period`.
    public let isInIntroOfferPeriod: Bool?

    /// `web-order-line-item-id`, the identifier of a subscription period.
    public var webOrderLineItemID: String? { self["web-order-line-item-id"] }
    /// `in-app-ownership-type`, `PURCHASED` or `FAMILY_SHARED`.
    public var ownershipType: String? { self["in-app-ownership-type"] }
    /// `unique-vendor-identifier`, the device's identifier for the developer's apps.
    public var uniqueVendorIdentifier: String? { self["unique-vendor-identifier"] }

    /// The value of a member; nil when there is none of that name.
    public subscript(name: String) -> String? {
        TransactionReceiptFields(entries)[name]
    }

    /// Parses the signed list.
    init(_ bytes: [UInt8]) throws(Refusal) {
        do throws(ParseError) {
            entries = try PropertyListReader.read(bytes)
        } catch { throw Refusal(error, at: "purchase-info") }
        let fields = TransactionReceiptFields(entries)
        bundleID = BundleID(try fields.required("bid"))
        appVersion = fields["bvrs"] ?? ""
        productID = ProductID(try fields.required("product-id"))
        transactionID = TransactionID(try fields.required("transaction-id"))
        originalTransactionID = fields["original-transaction-id"].map { TransactionID($0) } ?? transactionID
        let quantity = try fields.number("quantity") ?? 1
        // As in app receipts.
        guard quantity > 0 else { throw Refusal(.malformed, at: "purchase-info.quantity", "Invalid value: `quantity` must be positive.") }
        self.quantity = Int(quantity)
        guard let purchaseDate = try fields.date("purchase-date") else { throw fields.missing("purchase-date") }
        self.purchaseDate = purchaseDate
        originalPurchaseDate = try fields.date("original-purchase-date") ?? purchaseDate
        // Milliseconds, without the suffix `-ms`.
        expiresDate = try fields.number("expires-date").map { Timestamp(milliseconds: $0) }
        cancellationDate = try fields.date("cancellation-date")
        itemID = try fields.number("item-id")
        appAppleID = try fields.number("app-item-id")
        versionExternalID = try fields.number("version-external-identifier")
        isTrialPeriod = try fields.flag("is-trial-period")
        isInIntroOfferPeriod = try fields.flag("is-in-intro-offer-period")
    }
}

/// One member of the property lists of a transaction receipt.
public struct TransactionReceiptEntry: Hashable, Sendable {
    /// The name, such as `product-id`.
    public let name: String
    /// The value.
    public let value: String
}

/// Typed accessors for the members of a transaction receipt.
struct TransactionReceiptFields {
    private let entries: [TransactionReceiptEntry]

    init(_ entries: [TransactionReceiptEntry]) {
        self.entries = entries
    }

    /// The value of a member; nil when it is missing or empty.
    subscript(name: String) -> String? {
        entries.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// The value of a required member.
    func required(_ name: String) throws(Refusal) -> String {
        guard let text = self[name] else { throw missing(name) }
        return text
    }

    /// The refusal for a missing required member.
    func missing(_ name: String) -> Refusal {
        Refusal(.malformed, at: "purchase-info.\(name)", "A required member is missing.")
    }

    /// An integer.
    func number(_ name: String) throws(Refusal) -> Int64? {
        guard let text = self[name] else { return nil }
        guard let number = Int64(text) else {
            throw Refusal(.malformed, at: "purchase-info.\(name)", "Invalid value: it must be an integer.")
        }
        return number
    }

    /// A Boolean.
    func flag(_ name: String) throws(Refusal) -> Bool? {
        switch self[name] {
        case nil: nil
        case "true", "1": true
        case "false", "0": false
        default: throw Refusal(.malformed, at: "purchase-info.\(name)", "Invalid value: it must be a Boolean.")
        }
    }

    /// A date in milliseconds, or as text: `2012-07-12 12:54:35 Etc/GMT`.
    func date(_ name: String) throws(Refusal) -> Timestamp? {
        if let milliseconds = try number("\(name)-ms") { return Timestamp(milliseconds: milliseconds) }
        guard let text = self[name] else { return nil }
        let suffix = " Etc/GMT"
        guard text.hasSuffix(suffix), let date = Timestamp(rfc3339: text.dropLast(suffix.count).replacing(" ", with: "T") + "Z") else {
            throw Refusal(.malformed, at: "purchase-info.\(name)", "Invalid value: it must be a date such as 2012-07-12 12:54:35 Etc/GMT.")
        }
        return date
    }
}
