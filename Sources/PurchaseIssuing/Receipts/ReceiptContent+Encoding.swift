import PurchaseModel
import PurchaseProof
import SwiftASN1

extension ReceiptContent {
    /// Encodes the attributes of the receipt in the App Store's form, as the payload of its container.
    func encoded(random: RandomBytes) throws -> [UInt8] {
        try EncodedAttribute.encode(attributes(random: random))
    }

    /// Returns the attributes of the receipt in the App Store's form.
    ///
    /// Attributes for which the content has no property get the values that the App Store states in its sandbox.
    ///
    /// - Parameter random: The source of attributes 4, 6 and 7, which differ in each receipt.
    /// - Throws: ``IssuingError/deviceIsNotUUID`` when the content has no MAC address, and its device identifier is not a UUID.
    package func attributes(random: RandomBytes) throws -> [EncodedAttribute] {
        let opaqueValue = random(16)
        let bundle = try EncodedAttribute(.bundleID, bundleID.rawValue)
        var attributes = try [
            EncodedAttribute(.receiptType, receiptType),
            EncodedAttribute(.appAppleID, appAppleID),
            bundle,
            EncodedAttribute(.appVersion, appVersion),
            EncodedAttribute(.opaqueValue, raw: opaqueValue, version: 2),
            deviceHash(opaqueValue: opaqueValue, bundle: bundle),
            EncodedAttribute(.unknown6, raw: random(64)),
            EncodedAttribute(.unknown7, raw: random(56)),
            EncodedAttribute(.downloadDate, downloadDate),
            EncodedAttribute(.toolVersion, 0x5033_3035),  // P305, as the App Store wrote in 2025
            EncodedAttribute(.ageRating, ascii: ageRating),
            EncodedAttribute(.developerID, developerID),
            EncodedAttribute(.creationDate, creationDate),
            EncodedAttribute(.clientVersion, macAddress == nil ? 180_602 : 130_000),  // iOS 18.6.2
            EncodedAttribute(.deviceModel, macAddress == nil ? 269 : 1),
            EncodedAttribute(.downloadID, downloadID),
            EncodedAttribute(.versionExternalID, versionExternalID),
            EncodedAttribute(.originalPurchaseDate, originalPurchaseDate),
            EncodedAttribute(.originalAppVersion, originalAppVersion),
            EncodedAttribute(.platform, macAddress == nil ? 3 : 2),
        ]
        if macAddress == nil {
            attributes.append(try EncodedAttribute(.unknown20, ""))
        }
        if let expirationDate {
            attributes.append(try EncodedAttribute(.expirationDate, expirationDate))
        }
        if let volumePurchaser {
            attributes.append(EncodedAttribute(number: 23, raw: try ASN1UTF8String(volumePurchaser).derBytes))
        }
        for purchase in purchases {
            attributes.append(try EncodedAttribute(.purchase, set: purchase.attributes))
        }
        return attributes
    }

    /// Returns attribute 5, the hash that binds the receipt to the device.
    ///
    /// - Parameters:
    ///   - opaqueValue: The octets of attribute 4, which the hash covers.
    ///   - bundle: Attribute 2, whose octets the hash covers.
    /// - Throws: ``IssuingError/deviceIsNotUUID`` when the content has no MAC address, and its device identifier is not a UUID.
    func deviceHash(opaqueValue: [UInt8], bundle: EncodedAttribute) throws -> EncodedAttribute {
        guard let guid = macAddress ?? device.bytes else { throw IssuingError.deviceIsNotUUID }
        return EncodedAttribute(
            .deviceHash, raw: DeviceHash.bytes(guid: guid, opaqueValue: opaqueValue, bundleOctets: bundle.octets)
        )
    }

    private var receiptType: String {
        switch (environment, volumePurchaser) {
        case (.production, nil): "Production"
        case (.production, .some): "ProductionVPP"
        case (.sandbox, nil): "ProductionSandbox"
        case (.sandbox, .some): "ProductionVPPSandbox"
        case (.xcode, _): "Xcode"
        case (.localTesting, _): "LocalTesting"
        }
    }
}

extension ReceiptContent.Purchase {
    /// The attributes of the in-app purchase in the App Store's form, which attribute 17 of the receipt contains.
    package var attributes: [EncodedAttribute] {
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
                EncodedAttribute(.itemID, itemID),
                EncodedAttribute(.webOrderLineItemID, transaction.webOrderLineItemId.flatMap { Int64($0) } ?? 0),
                EncodedAttribute(.cancellationDate, transaction.refundDate),
                EncodedAttribute(.isTrialPeriod, isTrialPeriod ? 1 : 0),
                EncodedAttribute(.unknown1714, ""),
                EncodedAttribute(.unknown1715, ""),
                EncodedAttribute(.unknown1716, ""),
                EncodedAttribute(.unknown1717, ""),
                EncodedAttribute(.unknown1718, ""),
            ]
            if type == .autoRenewable {
                attributes.append(try EncodedAttribute(.isInIntroOfferPeriod, isInIntroOfferPeriod ? 1 : 0))
            }
            if let promotionalOfferID {
                attributes.append(EncodedAttribute(number: 1721, raw: try ASN1UTF8String(promotionalOfferID).derBytes))
            }
            if let isFamilyShared {
                attributes.append(EncodedAttribute(number: 1722, raw: try Int64(isFamilyShared ? 1 : 0).derBytes))
            }
            return attributes
        }
    }
}
