public import PurchaseModel

/// The content of a receipt.
///
/// The content is authentic only as part of a ``VerifiedReceipt``.
///
/// Bundle identifier and creation date are required. Receipts from other years and from Xcode lack other attributes; a missing attribute is
/// nil or empty. An attribute that is present has a valid value and occurs once.
public struct ReceiptPayload: Hashable, Sendable {
    /// Attribute 0, such as `ProductionSandbox`; empty when it is missing.
    public internal(set) var receiptType = ""
    /// The environment that ``receiptType`` implies.
    ///
    /// An unknown type implies the sandbox: a refusal would lock out users on the day Apple adds a type, and an unknown type must never
    /// be accepted as a production purchase.
    public internal(set) var environment = AppEnvironment.sandbox
    /// Attribute 1, the app's `appAppleId`; 0 in the sandbox and in Xcode.
    public internal(set) var appAppleID: Int64?
    /// Attribute 2.
    public internal(set) var bundleID: BundleID = ""
    /// The octets of attribute 2 with their tag and length, as the device hash includes them.
    public internal(set) var bundleOctets: [UInt8] = []
    /// Attribute 3; empty when it is missing.
    public internal(set) var appVersion = ""
    /// Attribute 4, which the device hash includes.
    public internal(set) var opaqueValue: [UInt8] = []
    /// Attribute 5, the hash that binds the receipt to a device.
    public internal(set) var deviceHash: [UInt8] = []
    /// Attribute 8, probably the date of the app's last download; empty in the sandbox and in Xcode.
    public internal(set) var downloadDate: Timestamp?
    /// Attribute 9, probably the version of the software that created the receipt: four letters as one number.
    public internal(set) var toolVersion: Int64?
    /// Attribute 10, such as `4+`.
    public internal(set) var ageRating: String?
    /// Attribute 11, probably the developer's identifier; 0 in the sandbox.
    public internal(set) var developerID: Int64?
    /// Attribute 12, the time of signing for which the chain is verified.
    public internal(set) var creationDate = Timestamp(milliseconds: 0)
    /// Attribute 13, the system's version: 180602 is 18.6.2.
    public internal(set) var clientVersion: Int64?
    /// Attribute 14, probably the model of the device; 1 on macOS.
    public internal(set) var deviceModel: Int64?
    /// Attribute 15; 0 in the sandbox.
    public internal(set) var downloadID: Int64?
    /// Attribute 16, the identifier of the app's version in the App Store; 0 in the sandbox.
    public internal(set) var versionExternalID: Int64?
    /// Attributes 17, in the order of the receipt, which is not chronological.
    public internal(set) var purchases: [ReceiptPurchase] = []
    /// Attribute 18, the date when the app was first purchased.
    public internal(set) var originalPurchaseDate: Timestamp?
    /// Attribute 19, the app's version at its first purchase; `1.0` in the sandbox.
    public internal(set) var originalAppVersion: String?
    /// Attribute 21, the expiration date of the receipt; in receipts of volume purchases, and the year 4001 in Xcode's.
    public internal(set) var expirationDate: Timestamp?
    /// Attribute 23, the organization that made a volume purchase.
    public internal(set) var organization: String?
    /// Attribute 25: 2 on macOS and 3 on iOS, in known receipts.
    public internal(set) var platform: Int64?
    /// Attribute 32, the date when the app was preordered.
    public internal(set) var preorderDate: Timestamp?

    private let source: AttributeSource

    /// Every attribute in the order of the receipt, with its octets.
    ///
    /// Each access copies them.
    public var attributes: [ReceiptAttribute] { source.all }

    /// The attributes whose meaning is unknown, in the order of the receipt.
    ///
    /// Each access copies them.
    public var unknownAttributes: [ReceiptAttribute] { source.unknown }

    /// Parses the content of a receipt's container in one pass.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that contain the content.
    ///   - range: The range of the content.
    ///   - isFile: Whether the bytes are those of the file, so that a refusal states the offset.
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
    /// Reads the SET at a range.
    mutating func read(_ range: Range<Int>, _ bytes: [UInt8], _ place: inout ReceiptPlace) throws(ParseError) {
        let span = bytes.span
        // Apple's purchases have 350 bytes and more. Reserving the capacity avoids copies.
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

/// A place in a receipt's content, such as `receipt.17[3].1704`.
struct ReceiptPlace: CustomStringConvertible {
    /// The index of the purchase.
    var purchase: Int?
    /// The number of the attribute.
    var number: Int64?

    var description: String {
        "receipt" + (purchase.map { ".17[\($0)]" } ?? "") + (number.map { ".\($0)" } ?? "")
    }
}
