import PurchaseModel
import PurchaseProof

/// The tables and members that show the receipt of an iOS 6 transaction.
struct TransactionReceiptReport {
    let receipt: UnverifiedTransactionReceipt

    /// The receipt under the flat names that `verifyReceipt` uses, and its only certificate.
    var members: [JSONValue.Member] {
        [
            JSONValue.Member("kind", "transaction_receipt"),
            JSONValue.Member(
                "receipt",
                // The names differ only in hyphens and underscores.
                .object(receipt.payload.entries.map { JSONValue.Member($0.name.replacing("-", with: "_"), .string($0.value)) })
            ),
            JSONValue.Member("certificates", .array([CertificateFacts(receipt.certificate).json])),
        ]
    }

    /// The signature's properties, for scripts.
    var signature: [JSONValue.Member] {
        [
            JSONValue.Member("signatureVersion", .number(receipt.signatureVersion)), JSONValue.Member("digest", .string(receipt.digest)),
            JSONValue.Member(
                "unsigned",
                .object(
                    receipt.entries.filter { $0.name != "purchase-info" && $0.name != "signature" }
                        .map { JSONValue.Member($0.name, .string($0.value)) }
                )
            ),
        ]
    }

    /// The printed sections: all members.
    var sections: [Report.Section] {
        var table = TextTable()
        for entry in receipt.payload.entries { table.add(entry.name, entry.value) }
        table.add("environment (not signed)", receipt.claimedEnvironment.rawValue)
        table.add("signature", "version \(receipt.signatureVersion), \(receipt.digest)")
        return [
            Report.Section(title: "\(receipt.payload.productID) of \(receipt.payload.bundleID)", table: table),
            CertificateFacts.section([CertificateFacts(receipt.certificate)]),
        ]
    }
}
