public import PurchaseModel

/// The signed content of an app receipt.
///
/// The content is authentic only as part of a ``VerifiedReceipt``.
///
/// A receipt without a bundle identifier or a creation date is refused. Other attributes are missing in receipts of some years and in
/// receipts from Xcode. The property of a missing attribute is nil or empty. A known attribute has a valid value and occurs at most once,
/// except the purchases.
public struct ReceiptPayload: Hashable, Sendable {
    /// The type of the receipt (attribute 0), such as `ProductionSandbox`; empty when the attribute is missing.
    public internal(set) var receiptType = ""
    /// The environment that ``receiptType`` implies.
    ///
    /// An unknown receipt type implies the sandbox, so that it is never accepted as production. It is not refused, because otherwise a new
    /// type from Apple would lock out customers.
    public internal(set) var environment = AppEnvironment.sandbox
    /// The app's `appAppleId` (attribute 1); 0 in the sandbox and in Xcode, and nil when the attribute is missing.
    public internal(set) var appAppleID: Int64?
    /// The app's bundle identifier (attribute 2).
    public internal(set) var bundleID: BundleID = ""
    /// The octets of attribute 2: the bundle identifier as a UTF8String with its tag and length, which ``deviceHash`` covers.
    public internal(set) var bundleOctets: [UInt8] = []
    /// The app's version (attribute 3); empty when the attribute is missing.
    public internal(set) var appVersion = ""
    /// Random octets that ``deviceHash`` covers (attribute 4); empty when the attribute is missing.
    public internal(set) var opaqueValue: [UInt8] = []
    /// The SHA-1 hash that binds the receipt to a device (attribute 5), which ``DeviceHashCheck`` verifies; empty when the attribute is
    /// missing.
    public internal(set) var deviceHash: [UInt8] = []
    /// Probably the date of the app's last download (attribute 8); nil in the sandbox and in Xcode, and when the attribute is missing.
    public internal(set) var downloadDate: Timestamp?
    /// Probably the version of the App Store software that created the receipt (attribute 9), which encodes four characters as one number.
    public internal(set) var toolVersion: Int64?
    /// The app's age rating (attribute 10), such as `4+`; nil when the attribute is missing.
    public internal(set) var ageRating: String?
    /// Probably the developer's identifier (attribute 11); 0 in the sandbox, and nil when the attribute is missing.
    public internal(set) var developerID: Int64?
    /// The date when the receipt was created and signed (attribute 12), at which the certificate chain is verified.
    public internal(set) var creationDate = Timestamp(milliseconds: 0)
    /// The version of the device's system as a number (attribute 13), such as 180602 for 18.6.2; nil when the attribute is missing.
    public internal(set) var clientVersion: Int64?
    /// Probably the model of the device (attribute 14); 1 on macOS, and nil when the attribute is missing.
    public internal(set) var deviceModel: Int64?
    /// The identifier of the app's download (attribute 15); 0 in the sandbox, and nil when the attribute is missing.
    public internal(set) var downloadID: Int64?
    /// The identifier of the app's version in the App Store (attribute 16); 0 in the sandbox, and nil when the attribute is missing.
    public internal(set) var versionExternalID: Int64?
    /// The in-app purchases (attributes 17) in the order of the receipt, which is not chronological.
    public internal(set) var purchases: [ReceiptPurchase] = []
    /// The date when the customer first purchased the app (attribute 18); nil when the attribute is missing.
    public internal(set) var originalPurchaseDate: Timestamp?
    /// The app's version at the first purchase of the app (attribute 19); `1.0` in the sandbox, and nil when the attribute is missing.
    public internal(set) var originalAppVersion: String?
    /// The date when the receipt expires (attribute 21); nil for a receipt that does not expire.
    ///
    /// The App Store states the attribute for volume purchases only. Xcode states the year 4001.
    public internal(set) var expirationDate: Timestamp?
    /// The name of the organization that made a volume purchase (attribute 23); nil for other purchases.
    public internal(set) var organization: String?
    /// The platform (attribute 25): 2 for macOS and 3 for iOS in known receipts; nil when the attribute is missing.
    public internal(set) var platform: Int64?
    /// The date when the customer preordered the app (attribute 32); nil for an app that was not preordered.
    public internal(set) var preorderDate: Timestamp?

    private let source: AttributeSource

    /// All attributes of the receipt, in their order.
    ///
    /// Each access parses the receipt again, and copies the octets of the attributes.
    public var attributes: [ReceiptAttribute] { source.all }

    /// The attributes of the receipt whose meaning is unknown, in their order.
    ///
    /// Each access parses the receipt again, and copies the octets of the attributes.
    public var unknownAttributes: [ReceiptAttribute] { source.unknown }

    /// Parses the signed content of a receipt in one pass.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that contain the content: the receipt file, or a copy of the content.
    ///   - range: The range of the content in `bytes`.
    ///   - isFile: Whether `bytes` is the receipt file. A refusal states the offset of the error only if it is.
    init(_ bytes: [UInt8], _ range: Range<Int>, isFile: Bool = true) throws(Refusal) {
        source = AttributeSource(octets: bytes[range], isPurchase: false)
        var place = ReceiptPlace()
        do throws(ParseError) {
            try read(range, bytes, &place)
        } catch {
            let refusal = Refusal(error, at: place.description)
            throw isFile ? refusal : Refusal(refusal.reason, at: refusal.place, refusal.detail)
        }
    }
}

extension ReceiptPayload {
    /// Reads the attributes from the SET at a range of the bytes, and throws when a required attribute is missing.
    mutating func read(_ range: Range<Int>, _ bytes: [UInt8], _ place: inout ReceiptPlace) throws(ParseError) {
        let span = bytes.span
        // A purchase in Apple's receipts has at least 350 bytes. Reserving the capacity avoids copies of the array as it grows.
        purchases.reserveCapacity(range.count / 350)
        var cache = PurchaseCache()
        var attributes = try ReceiptAttributes(range, span)
        while let next = try attributes.next(span) {
            guard next.type >= 0, next.type < 64, let field = ReceiptField(rawValue: next.type), field.isRead else { continue }
            place.number = next.type
            if field != .purchase { try attributes.requireUnseen(next.type) }
            switch next.octets {
            case .piece(let range):
                try read(field, ReceiptValue(range), bytes, &cache, &place)
            case .joined(let octets):
                var cache = PurchaseCache()
                try read(field, ReceiptValue(0..<octets.count), octets, &cache, &place)
            }
            place.number = nil
        }
        place.number = ReceiptField.bundleID.rawValue
        guard !bundleID.rawValue.isEmpty else { throw ParseError(.missing, at: range.upperBound) }
        place.number = ReceiptField.creationDate.rawValue
        guard attributes.hasSeen(ReceiptField.creationDate.rawValue) else { throw ParseError(.missing, at: range.upperBound) }
    }

    private mutating func read(
        _ field: ReceiptField, _ value: ReceiptValue, _ bytes: [UInt8], _ cache: inout PurchaseCache, _ place: inout ReceiptPlace
    ) throws(ParseError) {
        switch field {
        case .purchase:
            place = ReceiptPlace(purchase: purchases.count)
            purchases.append(try ReceiptPurchase(value.range, bytes, &cache, &place))
            place = ReceiptPlace()
        case .receiptType:
            receiptType = try value.text(bytes) ?? ""
            environment = Self.environment(of: receiptType)
        case .appAppleID: appAppleID = try value.integer(bytes.span)
        case .bundleID:
            bundleID = BundleID(try value.text(bytes) ?? "")
            bundleOctets = Array(bytes[value.range])
        case .appVersion: appVersion = try value.text(bytes) ?? ""
        case .opaqueValue: opaqueValue = Array(bytes[value.range])
        case .deviceHash: deviceHash = Array(bytes[value.range])
        case .downloadDate: downloadDate = try value.date(bytes.span)
        case .toolVersion: toolVersion = try value.integer(bytes.span)
        case .ageRating: ageRating = try value.text(bytes)
        case .developerID: developerID = try value.integer(bytes.span)
        case .creationDate:
            guard let date = try value.date(bytes.span) else { throw ParseError(.missing, at: value.range.lowerBound) }
            creationDate = date
        case .clientVersion: clientVersion = try value.integer(bytes.span)
        case .deviceModel: deviceModel = try value.integer(bytes.span)
        case .downloadID: downloadID = try value.integer(bytes.span)
        case .versionExternalID: versionExternalID = try value.integer(bytes.span)
        case .originalPurchaseDate: originalPurchaseDate = try value.date(bytes.span)
        case .originalAppVersion: originalAppVersion = try value.text(bytes)
        case .expirationDate: expirationDate = try value.date(bytes.span)
        case .organization: organization = try value.text(bytes)
        case .platform: platform = try value.integer(bytes.span)
        case .preorderDate: preorderDate = try value.date(bytes.span)
        default: break
        }
    }

    private static func environment(of receiptType: String) -> AppEnvironment {
        switch receiptType {
        case "Production", "ProductionVPP": .production
        case "Xcode": .xcode
        case "LocalTesting": .localTesting
        default: .sandbox
        }
    }
}

/// The path of an attribute in a receipt's content, such as `receipt.17[3].1704` for attribute 1704 of the fourth purchase.
struct ReceiptPlace: CustomStringConvertible {
    /// The index of the purchase that contains the attribute; nil for an attribute outside of purchases.
    var purchase: Int?
    /// The type number of the attribute; nil for the purchase or the content as a whole.
    var number: Int64?

    var description: String {
        "receipt" + (purchase.map { ".17[\($0)]" } ?? "") + (number.map { ".\($0)" } ?? "")
    }
}
