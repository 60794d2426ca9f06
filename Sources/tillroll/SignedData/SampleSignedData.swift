import Foundation
import MonkeyShop
import PurchaseIssuing
import PurchaseModel

/// Sample payloads, each with transactions of its own.
struct SampleSignedData {
    let kind: SampleKind
    var purchases: SamplePurchases
    private var number = 0

    init(kind: SampleKind, purchases: SamplePurchases) {
        self.kind = kind
        self.purchases = purchases
    }

    /// The JSON of the next payload; nested JWS of a notification are signed already.
    mutating func next(signedBy issuer: SignedDataIssuer) throws -> [UInt8] {
        defer {
            number += 1
            purchases.firstID += 2
        }
        // A consumable and the first period of the magazine.
        let made = purchases.transactions(2)
        let renewal = purchases.renewalInfo(after: 2)
        switch kind {
        case .transaction: return try Array(WireJSON.encode(made[0]))
        case .renewal: return try Array(WireJSON.encode(renewal))
        case .appTransaction: return appTransaction.bytes
        case .notification:
            var data = NotificationData(bundleId: purchases.bundleID, environment: purchases.environment.rawValue)
            data.signedTransactionInfo = try issuer.sign(made[1])
            data.signedRenewalInfo = try issuer.sign(renewal)
            data.status = 1
            let payload = NotificationPayload(
                notificationType: "SUBSCRIBED", subtype: "INITIAL_BUY", notificationUUID: uuid, signedDate: purchases.date, data: data
            )
            return try Array(WireJSON.encode(payload))
        }
    }

    /// The payload with the two members that bind it to a device.
    static func sealing(_ json: [UInt8], _ seal: DeviceSeal) -> [UInt8] {
        guard case .object(let members) = JSONReader.read(json) else { return json }
        let sealed =
            members + [
                JSONValue.Member("deviceVerification", .string(seal.deviceVerification)),
                JSONValue.Member("deviceVerificationNonce", .string(seal.nonce.uuidString.lowercased())),
            ]
        return JSONValue.object(sealed).bytes
    }

    /// A UUID that increments with each payload.
    private var uuid: String {
        let digits = String(number, radix: 16)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }

    private var appTransaction: JSONValue {
        .object([
            JSONValue.Member("receiptType", .string(purchases.environment.rawValue)),
            JSONValue.Member("bundleId", .string(purchases.bundleID.rawValue)),
            JSONValue.Member("applicationVersion", .string(MonkeyShopSample.version)),
            JSONValue.Member("receiptCreationDate", .number(purchases.date.milliseconds)),
            JSONValue.Member("originalPurchaseDate", .number(1_375_340_400_000)),
            JSONValue.Member("originalApplicationVersion", "1.0"),
            JSONValue.Member("appTransactionId", .string(String(purchases.firstID))),
            JSONValue.Member("originalPlatform", "iOS"),
        ])
    }
}
