public import PurchaseModel

/// The signed content of a transaction receipt (`purchase-info`).
///
/// The content is authentic only as part of a ``VerifiedTransactionReceipt``.
///
/// The bundle identifier, the product identifier, the transaction identifier and the purchase date are required. The other members are
/// missing in the receipts of some years.
public struct TransactionReceiptPayload: Hashable, Sendable {
    /// All members in the order of the receipt, including members whose meaning is unknown.
    public let entries: [TransactionReceiptEntry]
    /// The app's bundle identifier (`bid`).
    public let bundleID: BundleID
    /// The app's version (`bvrs`); empty when the member is missing.
    public let appVersion: String
    /// The identifier of the purchased product (`product-id`).
    public let productID: ProductID
    /// The identifier of the transaction (`transaction-id`).
    public let transactionID: TransactionID
    /// The identifier of the original transaction (`original-transaction-id`); ``transactionID`` when the member is missing.
    public let originalTransactionID: TransactionID
    /// The number of purchased items (`quantity`); 1 when the member is missing.
    public let quantity: Int
    /// The date of the purchase, renewal or restore (`purchase-date-ms`, or `purchase-date` when the former is missing).
    public let purchaseDate: Timestamp
    /// The purchase date of the original transaction (`original-purchase-date-ms`, or `original-purchase-date` when the former is missing);
    /// ``purchaseDate`` when both members are missing.
    public let originalPurchaseDate: Timestamp
    /// The date when the subscription period ends (`expires-date`); nil when the member is missing.
    public let expiresDate: Timestamp?
    /// The date when the purchase was refunded (`cancellation-date-ms`, or `cancellation-date` when the former is missing); nil for a
    /// purchase that is not refunded.
    public let cancellationDate: Timestamp?
    /// The product's identifier in the App Store (`item-id`); nil when the member is missing.
    public let itemID: Int64?
    /// The app's `appAppleId` (`app-item-id`); nil when the member is missing.
    public let appAppleID: Int64?
    /// The identifier of the app's version in the App Store (`version-external-identifier`); 0 in the sandbox, and nil when the member is
    /// missing.
    public let versionExternalID: Int64?
    /// Whether the subscription period is a free trial (`is-trial-period`); nil when the member is missing.
    public let isTrialPeriod: Bool?
    /// Whether the subscription period has an introductory price (`is-in-intro-offer-period`); nil when the member is missing.
    public let isInIntroOfferPeriod: Bool?

    /// The identifier of the subscription period (`web-order-line-item-id`); nil when the member is missing.
    public var webOrderLineItemID: String? { self["web-order-line-item-id"] }
    /// The ownership of the purchase (`in-app-ownership-type`), `PURCHASED` or `FAMILY_SHARED`; nil when the member is missing.
    public var ownershipType: String? { self["in-app-ownership-type"] }
    /// The device's `identifierForVendor` (`unique-vendor-identifier`); nil when the member is missing.
    public var uniqueVendorIdentifier: String? { self["unique-vendor-identifier"] }

    /// Returns the value of the member with a name; nil when the member is missing or empty.
    public subscript(name: String) -> String? {
        TransactionReceiptFields(entries)[name]
    }

    /// Parses the property list that the signature covers.
    ///
    /// - Throws: ``Refusal/Reason/malformed`` or ``Refusal/Reason/tooLarge(limit:)``, with the place of the first error.
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
        // A negative quantity would reduce the balance of an app that adds the quantity to a balance. App receipts have the same rule.
        guard quantity > 0 else { throw Refusal(.malformed, at: "purchase-info.quantity", "Invalid value: `quantity` must be positive.") }
        self.quantity = Int(quantity)
        guard let purchaseDate = try fields.date("purchase-date") else { throw fields.missing("purchase-date") }
        self.purchaseDate = purchaseDate
        originalPurchaseDate = try fields.date("original-purchase-date") ?? purchaseDate
        // The member `expires-date` is in milliseconds, although its name lacks the suffix `-ms`.
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
    /// The name of the member, such as `product-id`.
    public let name: String
    /// The value of the member, in which escape sequences are decoded.
    public let value: String
}

/// Typed accessors for the members of a transaction receipt's property list.
struct TransactionReceiptFields {
    private let entries: [TransactionReceiptEntry]

    init(_ entries: [TransactionReceiptEntry]) {
        self.entries = entries
    }

    /// Returns the value of the member with a name; nil when the member is missing or empty.
    subscript(name: String) -> String? {
        entries.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// Returns the value of a required member, and throws when the member is missing or empty.
    func required(_ name: String) throws(Refusal) -> String {
        guard let text = self[name] else { throw missing(name) }
        return text
    }

    /// Returns the refusal of a receipt in which a required member is missing.
    func missing(_ name: String) -> Refusal {
        Refusal(.malformed, at: "purchase-info.\(name)", "A required member of the transaction receipt is missing.")
    }

    /// Returns the value of a member as an integer; nil when the member is missing or empty.
    ///
    /// - Throws: ``Refusal/Reason/malformed`` when the value is not an integer.
    func number(_ name: String) throws(Refusal) -> Int64? {
        guard let text = self[name] else { return nil }
        guard let number = Int64(text) else {
            throw Refusal(.malformed, at: "purchase-info.\(name)", "Invalid value: this member must be an integer of at most 64 bits.")
        }
        return number
    }

    /// Returns the value of a member as a Boolean; nil when the member is missing or empty.
    ///
    /// - Throws: ``Refusal/Reason/malformed`` when the value is not a Boolean.
    func flag(_ name: String) throws(Refusal) -> Bool? {
        switch self[name] {
        case nil: nil
        case "true", "1": true
        case "false", "0": false
        default:
            throw Refusal(.malformed, at: "purchase-info.\(name)", "Invalid value: this member must be a Boolean: true, false, 1 or 0.")
        }
    }

    /// Returns the date of the member `name` with the suffix `-ms`, or of the member `name`; nil when both are missing.
    ///
    /// The member with the suffix is in milliseconds since 1970. The member without it is a text such as `2012-07-12 12:54:35 Etc/GMT`.
    ///
    /// - Throws: ``Refusal/Reason/malformed`` when the value has another format.
    func date(_ name: String) throws(Refusal) -> Timestamp? {
        if let milliseconds = try number("\(name)-ms") { return Timestamp(milliseconds: milliseconds) }
        guard let text = self[name] else { return nil }
        let suffix = " Etc/GMT"
        guard text.hasSuffix(suffix), let date = Timestamp(rfc3339: text.dropLast(suffix.count).replacing(" ", with: "T") + "Z") else {
            throw Refusal(
                .malformed, at: "purchase-info.\(name)", "Invalid value: this member must be a date such as 2012-07-12 12:54:35 Etc/GMT.")
        }
        return date
    }
}
