public import PurchaseModel

/// What a receipt says, unproven until a verifier has vouched for it.
public struct ReceiptPayload: Hashable, Sendable {
    /// Attribute 0, such as `ProductionSandbox`.
    public internal(set) var receiptType: String
    /// The environment that ``receiptType`` means.
    ///
    /// A type that is not known counts as the sandbox: refusing it would lock out honest users on the day Apple adds one, and
    /// what is not known must never count as paid with real money.
    public internal(set) var environment: AppEnvironment
    /// Attribute 2.
    public internal(set) var bundleID: BundleID
    /// Attribute 3.
    public internal(set) var appVersion: String
    /// Attribute 12.
    public internal(set) var creationDate: Timestamp
    /// Attribute 18.
    public internal(set) var originalPurchaseDate: Timestamp?
    /// Attribute 19.
    public internal(set) var originalAppVersion: String?
    /// Attribute 21.
    public internal(set) var expirationDate: Timestamp?
    /// Attributes 17, in the order of the receipt.
    public internal(set) var purchases: [ReceiptPurchase]

    /// The octets of attribute 2 with their inner tag and length, as the device hash takes them.
    let bundleOctets: [UInt8]
    /// Attribute 4.
    let opaqueValue: [UInt8]
    /// Attribute 5.
    let deviceHash: [UInt8]

    /// Reads the content of a receipt's container.
    init(_ content: ArraySlice<UInt8>) throws(Refusal) {
        let fields = try ReceiptFields(content, path: "receipt")
        receiptType = try fields.required(.receiptType, fields.text(.receiptType))
        environment = Self.environment(of: receiptType)
        bundleID = BundleID(try fields.required(.bundleID, fields.text(.bundleID)))
        appVersion = try fields.required(.appVersion, fields.text(.appVersion))
        creationDate = try fields.required(.creationDate, fields.date(.creationDate))
        originalPurchaseDate = try fields.date(.originalPurchaseDate)
        originalAppVersion = try fields.text(.originalAppVersion)
        expirationDate = try fields.date(.expirationDate)
        bundleOctets = Array(try fields.required(.bundleID, fields.octets(.bundleID)))
        opaqueValue = Array(try fields.required(.opaqueValue, fields.octets(.opaqueValue)))
        deviceHash = Array(try fields.required(.deviceHash, fields.octets(.deviceHash)))
        purchases = []
        for octets in fields.all(.purchase) {
            purchases.append(try ReceiptPurchase(octets))
        }
    }

    private static func environment(of receiptType: String) -> AppEnvironment {
        switch receiptType {
        case "Production", "ProductionVPP": .production
        case "Xcode": .xcode
        default: .sandbox
        }
    }
}
