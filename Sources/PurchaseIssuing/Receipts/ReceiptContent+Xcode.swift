import PurchaseModel
import PurchaseProof

extension ReceiptContent {
    /// Encodes the attributes of the receipt in Xcode's form, as the payload of its container: few attributes, in the order of their types.
    func encodedAsXcode(random: RandomBytes) throws -> [UInt8] {
        try EncodedAttribute.encodeUnsorted(xcodeAttributes(random: random))
    }

    /// Returns the attributes of the receipt in Xcode's form.
    ///
    /// - Parameter random: The source of attribute 4, which differs in each receipt.
    /// - Throws: ``IssuingError/deviceIsNotUUID`` when the content has no MAC address, and its device identifier is not a UUID.
    package func xcodeAttributes(random: RandomBytes) throws -> [EncodedAttribute] {
        let opaqueValue = random(8)
        let bundle = try EncodedAttribute(.bundleID, bundleID.rawValue)
        return try [
            EncodedAttribute(.receiptType, "Xcode"),
            EncodedAttribute(.appAppleID, 0),
            bundle,
            EncodedAttribute(.appVersion, appVersion),
            EncodedAttribute(.opaqueValue, raw: opaqueValue),
            deviceHash(opaqueValue: opaqueValue, bundle: bundle),
            EncodedAttribute(.downloadDate, nil),
            EncodedAttribute(.creationDate, creationDate),
        ]
            + purchases.map { purchase in
                try EncodedAttribute(.purchase, raw: EncodedAttribute.encodeUnsorted(purchase.xcodeAttributes))
            }
            // Xcode states the year 4001 as the expiration date of a receipt that does not expire.
            + [EncodedAttribute(.expirationDate, ascii: expirationDate?.description ?? "4001-01-01T00:00:00Z")]
    }
}

extension ReceiptContent.Purchase {
    /// The attributes of the in-app purchase in Xcode's form, which attribute 17 of the receipt contains.
    package var xcodeAttributes: [EncodedAttribute] {
        get throws {
            try [
                EncodedAttribute(.quantity, Int64(transaction.quantity)),
                EncodedAttribute(.productID, transaction.productId.rawValue),
                EncodedAttribute(.transactionID, transaction.transactionId.rawValue),
                EncodedAttribute(.purchaseDate, transaction.purchaseDate),
                EncodedAttribute(.expiresDate, transaction.expiresDate),
                EncodedAttribute(.isInIntroOfferPeriod, isInIntroOfferPeriod ? 1 : 0),
            ]
        }
    }
}
