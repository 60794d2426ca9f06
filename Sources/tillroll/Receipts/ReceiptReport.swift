import PurchaseModel
import PurchaseProof

/// The tables and members that show an app receipt.
struct ReceiptReport {
    let receipt: UnverifiedReceipt

    private var payload: ReceiptPayload { receipt.payload }

    /// The receipt with Apple's keys, as in a response of `verifyReceipt`, and its certificates.
    var members: [JSONValue.Member] {
        let body = (try? WireJSON.encode(VerifyReceiptBody(receipt: payload))).flatMap { JSONReader.read(Array($0)) }
        return [
            JSONValue.Member("kind", "receipt"), JSONValue.Member("receipt", body ?? .null),
            JSONValue.Member("certificates", .array(certificates.map(\.json))),
        ]
    }

    /// The encoding, and every attribute, for scripts.
    var details: [JSONValue.Member] {
        [
            JSONValue.Member("encoding", .string(receipt.isDER ? "DER" : "BER")), JSONValue.Member("digest", .string(receipt.digest)),
            JSONValue.Member("signatureAlgorithm", .string(receipt.signatureAlgorithm)), JSONValue.Member("size", .number(receipt.size)),
            JSONValue.Member("attributes", .array(appAttributes.map(\.json))),
            JSONValue.Member("purchases", .array(payload.purchases.map { .array($0.attributes.map(\.json)) })),
        ]
    }

    private var appAttributes: [ReceiptAttribute] {
        payload.attributes.filter { $0.type != ReceiptField.purchase.rawValue }
    }

    private var certificates: [CertificateFacts] { receipt.certificates.map(CertificateFacts.init) }

    /// The printed sections: app, purchases, certificates.
    var sections: [Report.Section] {
        [app, purchases, CertificateFacts.section(certificates)]
    }

    private var app: Report.Section {
        var table = TextTable()
        table.add("receipt type", payload.receiptType)
        table.add("made", payload.creationDate.description)
        table.add("app number", payload.appAppleID.map { "\($0)" })
        table.add("first bought", payload.originalPurchaseDate?.description)
        table.add("first version", payload.originalAppVersion)
        table.add("ordered before release", payload.preorderDate?.description)
        table.add("valid until", payload.expirationDate?.description)
        table.add("organization", payload.organization)
        table.add("encoding", "\(receipt.isDER ? "DER" : "BER"), \(receipt.size) bytes")
        table.add("signature", "\(receipt.digest), \(receipt.signatureAlgorithm)")
        return Report.Section(title: "\(payload.bundleID) \(payload.appVersion)", table: table)
    }

    private var purchases: Report.Section {
        var table = TextTable(["product", "quantity", "transaction", "original", "bought", "expires", "taken back"])
        for purchase in payload.purchases {
            table.add([
                purchase.productID.rawValue, "\(purchase.quantity)", purchase.transactionID.rawValue,
                purchase.originalTransactionID == purchase.transactionID ? "same" : purchase.originalTransactionID.rawValue,
                purchase.purchaseDate.description, purchase.expiresDate?.description ?? "-",
                purchase.cancellationDate?.description ?? "-",
            ])
        }
        let count = payload.purchases.count
        return Report.Section(title: count == 1 ? "1 purchase" : "\(count) purchases", table: table)
    }

    /// Every attribute of the app, and the purchases' attributes of unknown meaning.
    var attributes: Report.Section {
        var table = TextTable(["number", "meaning", "value"])
        for attribute in appAttributes {
            table.add(["\(attribute.type)", attribute.meaning, TerminalText.shortened(attribute.shown, to: 100)])
        }
        for (index, purchase) in payload.purchases.enumerated() {
            for attribute in purchase.unknownAttributes where !attribute.isEmpty {
                table.add(["17[\(index)].\(attribute.type)", attribute.meaning, TerminalText.shortened(attribute.shown, to: 100)])
            }
        }
        return Report.Section(title: "Attributes", table: table)
    }
}
