import PurchaseModel
import PurchaseProof

extension ReceiptContent {
    /// The payload of the receipt, with the constants that the App Store's sandbox writes where it has nothing to say.
    func encoded(random: RandomBytes) throws -> [UInt8] {
        guard let guid = device.bytes else { throw IssuingError.deviceIsNoUUID }
        let opaqueValue = random(16)
        let bundle = try EncodedAttribute(.bundleID, bundleID.rawValue)
        let hash = DeviceHash.bytes(guid: guid, opaqueValue: opaqueValue, bundleOctets: bundle.octets)
        var attributes = try [
            EncodedAttribute(.receiptType, environment.receiptType),
            EncodedAttribute(.appAppleID, 0),
            bundle,
            EncodedAttribute(.appVersion, appVersion),
            EncodedAttribute(.opaqueValue, raw: opaqueValue, version: 2),
            EncodedAttribute(.deviceHash, raw: hash),
            EncodedAttribute(.unknown6, raw: random(64)),
            EncodedAttribute(.unknown7, raw: random(56)),
            EncodedAttribute(.downloadDate, nil),
            EncodedAttribute(.toolVersion, 0x5033_3035),  // P305, as the App Store wrote in 2025
            EncodedAttribute(.ageRating, ascii: "4+"),
            EncodedAttribute(.developerID, 0),
            EncodedAttribute(.creationDate, creationDate),
            EncodedAttribute(.clientVersion, 180_602),  // iOS 18.6.2
            EncodedAttribute(.deviceModel, 269),
            EncodedAttribute(.downloadID, 0),
            EncodedAttribute(.versionExternalID, 0),
            EncodedAttribute(.originalPurchaseDate, Timestamp(milliseconds: 1_375_340_400_000)),  // 2013-08-01T07:00:00Z
            EncodedAttribute(.originalAppVersion, "1.0"),
            EncodedAttribute(.unknown20, ""),
            EncodedAttribute(.platform, 3),  // iOS
        ]
        if let expirationDate {
            attributes.append(try EncodedAttribute(.expirationDate, expirationDate))
        }
        for purchase in purchases {
            attributes.append(try EncodedAttribute(.purchase, set: purchase.attributes))
        }
        return try EncodedAttribute.encode(attributes)
    }
}

extension ReceiptContent.Purchase {
    /// What attribute 17 holds.
    var attributes: [EncodedAttribute] {
        get throws {
            var attributes = try [
                EncodedAttribute(.quantity, Int64(transaction.quantity)),
                EncodedAttribute(.productID, transaction.productId.rawValue),
                EncodedAttribute(.transactionID, transaction.transactionId.rawValue),
                EncodedAttribute(.purchaseDate, transaction.purchaseDate),
                EncodedAttribute(.originalTransactionID, transaction.originalTransactionId.rawValue),
                EncodedAttribute(.purchaseOriginalDate, transaction.originalPurchaseDate),
                EncodedAttribute(.productType, type.receiptCode),
                EncodedAttribute(.expiresDate, transaction.expiresDate),
                EncodedAttribute(.unknown1709, ""),
                EncodedAttribute(.itemID, 0),
                EncodedAttribute(.webOrderLineItemID, transaction.webOrderLineItemId.flatMap { Int64($0) } ?? 0),
                EncodedAttribute(.cancellationDate, transaction.revocationDate),
                EncodedAttribute(.isTrialPeriod, 0),
                EncodedAttribute(.unknown1714, ""),
                EncodedAttribute(.unknown1715, ""),
                EncodedAttribute(.unknown1716, ""),
                EncodedAttribute(.unknown1717, ""),
                EncodedAttribute(.unknown1718, ""),
            ]
            if type == .autoRenewable {
                attributes.append(try EncodedAttribute(.isInIntroOfferPeriod, 0))
            }
            return attributes
        }
    }
}

extension AppEnvironment {
    fileprivate var receiptType: String {
        switch self {
        case .production: "Production"
        case .sandbox: "ProductionSandbox"
        case .xcode: "Xcode"
        case .localTesting: "LocalTesting"
        }
    }
}
