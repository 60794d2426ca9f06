public import PurchaseModel

/// What a receipt says, unproven until a verifier has vouched for it.
public struct ReceiptPayload: Hashable, Sendable {
    /// Attribute 0, such as `ProductionSandbox`.
    public internal(set) var receiptType: String
    /// The environment that ``receiptType`` means; an unknown type counts as the sandbox… see the initialiser.
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
}
