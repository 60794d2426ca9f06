import Crypto
import Foundation
import FoundationExtras
import PurchaseModel

/// The members of a version 1 notification that the server reads.
///
/// A version 1 notification is unsigned. Only the receipt in the notification has a signature of the App Store; all other members may be
/// false.
struct UnsignedNotification: Decodable, Sendable {
    /// The notification type, such as `DID_RENEW`.
    let type: String
    /// The stated shared secret, which authenticates the notification if it equals the app's shared secret.
    let password: String?
    let bundleID: BundleID?
    /// The identifier of the notification's purchase.
    let originalTransactionID: TransactionID?
    /// The latest receipt in base64.
    let latestReceipt: String?

    private enum CodingKeys: String, CodingKey {
        case type = "notification_type"
        case password
        case bundleID = "bid"
        case originalTransactionID = "original_transaction_id"
        case unifiedReceipt = "unified_receipt"
        case latestReceipt = "latest_receipt"
    }

    private struct Receipt: Decodable {
        // Keep the underscore of the member's name in the App Store's JSON.
        let latest_receipt: String?
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        type = try container.decode(String.self, forKey: .type)
        // Check the form, because the log and the database contain the type.
        guard Self.isType(type) else {
            throw DecodingError.dataCorruptedError(forKey: .type, in: container, debugDescription: "not the name of a notification type")
        }
        password = try container.decodeIfPresent(String.self, forKey: .password)
        bundleID = try container.decodeIfPresent(BundleID.self, forKey: .bundleID)
        originalTransactionID = try container.decodeIfPresent(TransactionID.self, forKey: .originalTransactionID)
        let receipt = try container.decodeIfPresent(Receipt.self, forKey: .unifiedReceipt)
        latestReceipt = try receipt?.latest_receipt ?? container.decodeIfPresent(String.self, forKey: .latestReceipt)
    }

    /// Returns whether a text consists of 1 to 64 capital letters, digits and underscores, as notification types do.
    static func isType(_ text: String) -> Bool { text.wholeMatch(of: /[A-Z0-9_]{1,64}/) != nil }

    /// Returns whether the notification contains a shared secret; the comparison takes constant time.
    func contains(secret: String) -> Bool {
        SharedSecret(password) == SharedSecret(secret)
    }

    /// The decoded receipt; nil for a notification without a receipt.
    var receipt: Data? {
        get throws(NotificationRefusal) {
            guard let latestReceipt else { return nil }
            guard let bytes = Data(base64Encoded: latestReceipt) else { throw .notBase64 }
            return bytes
        }
    }

    /// Returns the digest of a body or a receipt, by which the server detects repeated deliveries without a UUID.
    static func key(of data: Data) -> String {
        "v1:" + Hexadecimal.encode(SHA256.hash(data: data))
    }
}

/// The body of a notification, of version 2 or version 1.
enum NotificationBody: Decodable, Sendable {
    case signed(SignedNotification)
    case unsigned(UnsignedNotification)

    private enum CodingKeys: String, CodingKey {
        case signedPayload
        case notificationType = "notification_type"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self =
            if container.contains(.notificationType), !container.contains(.signedPayload) {
                .unsigned(try UnsignedNotification(from: decoder))
            } else {
                .signed(try container.decode(SignedNotification.self, forKey: .signedPayload))
            }
    }
}
