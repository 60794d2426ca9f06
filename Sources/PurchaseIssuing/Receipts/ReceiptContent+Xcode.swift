import PurchaseModel
import PurchaseProof

extension ReceiptContent {
    /// The payload of the receipt as Xcode writes it: few attributes, in the order of their numbers.
    func encodedAsXcode(random: RandomBytes) throws -> [UInt8] {
        try EncodedAttribute.encodeUnsorted(xcodeAttributes(random: random))
    }

    /// The attributes of a receipt of Xcode's.
    ///
    /// - Throws: ``IssuingError/deviceIsNoUUID``.
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
            // No receipt ends before the year 4001, but Xcode says so.
            + [EncodedAttribute(.expirationDate, ascii: expirationDate?.description ?? "4001-01-01T00:00:00Z")]
    }
}

extension ReceiptContent.Purchase {
    /// What attribute 17 of a receipt of Xcode's holds.
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
