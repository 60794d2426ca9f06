public import PurchaseModel

/// What a receipt says, unproven until a verifier has vouched for it.
///
/// Bundle and creation date must be there. Nothing else must: receipts of other years and of Xcode lack this and that, and what
/// is missing is nil or empty. What is there must be what it should be, and be there once.
public struct ReceiptPayload: Hashable, Sendable {
    /// Attribute 0, such as `ProductionSandbox`; empty when it is missing.
    public internal(set) var receiptType = ""
    /// The environment that ``receiptType`` means.
    ///
    /// A type that is not known counts as the sandbox: refusing it would lock out honest users on the day Apple adds one, and
    /// what is not known must never count as paid with real money.
    public internal(set) var environment = AppEnvironment.sandbox
    /// Attribute 1, the app's number in the App Store; 0 in the sandbox and in Xcode.
    public internal(set) var appAppleID: Int64?
    /// Attribute 2.
    public internal(set) var bundleID: BundleID = ""
    /// The octets of attribute 2 with their inner tag and length, as the device hash takes them.
    public internal(set) var bundleOctets: [UInt8] = []
    /// Attribute 3; empty when it is missing.
    public internal(set) var appVersion = ""
    /// Attribute 4, which goes into the device hash.
    public internal(set) var opaqueValue: [UInt8] = []
    /// Attribute 5, the hash that binds the receipt to a device.
    public internal(set) var deviceHash: [UInt8] = []
    /// Attribute 8, probably when the app was last downloaded; empty in the sandbox and in Xcode.
    public internal(set) var downloadDate: Timestamp?
    /// Attribute 9, probably the version of the software that wrote the receipt: four letters as one number.
    public internal(set) var toolVersion: Int64?
    /// Attribute 10, such as `4+`.
    public internal(set) var ageRating: String?
    /// Attribute 11, probably the developer's number; 0 in the sandbox.
    public internal(set) var developerID: Int64?
    /// Attribute 12, at which the chain of certificates is judged.
    public internal(set) var creationDate = Timestamp(milliseconds: 0)
    /// Attribute 13, the system's version: 180602 is 18.6.2.
    public internal(set) var clientVersion: Int64?
    /// Attribute 14, probably the model of the device; 1 on macOS.
    public internal(set) var deviceModel: Int64?
    /// Attribute 15; 0 in the sandbox.
    public internal(set) var downloadID: Int64?
    /// Attribute 16, the number of the app's version in the App Store; 0 in the sandbox.
    public internal(set) var versionExternalID: Int64?
    /// Attributes 17, in the order of the receipt, which is not that of time.
    public internal(set) var purchases: [ReceiptPurchase] = []
    /// Attribute 18, when the app was first bought.
    public internal(set) var originalPurchaseDate: Timestamp?
    /// Attribute 19, the app's version at its first purchase; `1.0` in the sandbox.
    public internal(set) var originalAppVersion: String?
    /// Attribute 21, when the receipt's validity ends; in those of volume purchases, and the year 4001 in Xcode's.
    public internal(set) var expirationDate: Timestamp?
    /// Attribute 23, the organisation that made a volume purchase.
    public internal(set) var organisation: String?
    /// Attribute 25: 2 on macOS and 3 on iOS, as far as known.
    public internal(set) var platform: Int64?
    /// Attribute 32, when the app was ordered before its release.
    public internal(set) var preorderDate: Timestamp?

    private let source: AttributeSource

    /// Every attribute in the order of the receipt, with its bytes; copies them at each call.
    public var attributes: [ReceiptAttribute] { source.all }

    /// The attributes whose meaning is not known, in the order of the receipt; copies them at each call.
    public var unknownAttributes: [ReceiptAttribute] { source.unknown }

    /// Reads the content of a receipt's container in one pass.
    ///
    /// - Parameters:
    ///   - bytes: What the content lies in.
    ///   - range: Where it lies there.
    ///   - isFile: Whether the bytes are those of the file, so that places in them mean something to the reader of an error.
    init(_ bytes: [UInt8], _ range: Range<Int>, isFile: Bool = true) throws(Refusal) {
        source = AttributeSource(octets: bytes[range], isPurchase: false)
        var place = ReceiptPlace()
        do throws(ReadFault) {
            try read(range, bytes, &place)
        } catch {
            let refusal = Refusal(error, at: place.description)
            throw isFile ? refusal : Refusal(refusal.reason, at: refusal.place, refusal.detail)
        }
    }
}
