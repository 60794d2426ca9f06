import PurchaseModel
import PurchaseProof

extension ReceiptContent {
    /// The receipt's payload in Xcode's form: few attributes, in the order of their types.
    func encodedAsXcode(random: RandomBytes) throws -> [UInt8] {
        try EncodedAttribute.encodeUnsorted(xcodeAttributes(random: random))
    }

    /// The attributes of a receipt in Xcode's form.
    ///
    /// - Throws: ``IssuingError/deviceIsNotUUID``.
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
    /// The content of attribute 17, an in-app purchase, in Xcode's form.
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
