/// What is to change about an app; what is nil stays.
public struct AppRequest: Codable, Hashable, Sendable {
    /// The app's number in the App Store.
    public var appAppleID: Int64?
    /// The version that devices get from now on.
    public var version: String?
    /// A `.storekit` file that takes the place of the catalogue.
    public var storekit: JSONText?
    /// What `verifyReceipt` demands as `password`; empty for none.
    public var sharedSecret: String?
    /// Where notifications of the sandbox go; empty for nowhere.
    public var sandboxURL: String?
    /// Where notifications of production go; empty for nowhere.
    public var productionURL: String?
    /// 2, or 1 for servers that know nothing newer.
    public var notificationVersion: Int?
    /// In which order `latest_receipt_info` comes.
    public var receiptOrder: ReceiptInfoOrder?

    /// Creates a request that changes nothing.
    public init() {}
}
