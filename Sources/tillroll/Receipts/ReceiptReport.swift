import PurchaseModel
import PurchaseProof

/// The tables and members that show an app receipt.
struct ReceiptReport {
    let receipt: UnverifiedReceipt

    private var payload: ReceiptPayload { receipt.payload }

    /// The receipt with Apple's names of keys, as `verifyReceipt` writes it.
    var body: JSONValue {
        let data = try? WireJSON.encode(VerifyReceiptBody(receipt: payload))
        return data.flatMap { JSONReader.read(Array($0)) } ?? .null
    }

    /// The certificates in the order of the file.
    var certificates: [CertificateFacts] { receipt.certificates.map(CertificateFacts.init) }

    /// What is printed: app, purchases, certificates.
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
        table.add("organisation", payload.organisation)
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

    /// Every attribute about the app, and those of purchases whose meaning nobody knows.
    var attributes: Report.Section {
        var table = TextTable(["number", "meaning", "value"])
        for attribute in payload.attributes where attribute.type != ReceiptField.purchase.rawValue {
            table.add(["\(attribute.type)", attribute.meaning, TerminalText.shortened(attribute.shown, to: 100)])
        }
        for (index, purchase) in payload.purchases.enumerated() {
            for attribute in purchase.unknownAttributes where !attribute.isEmpty {
                table.add(["17[\(index)].\(attribute.type)", attribute.meaning, TerminalText.shortened(attribute.shown, to: 100)])
            }
        }
        return Report.Section(title: "Attributes", table: table)
    }

    /// The same for scripts: every attribute with its octets, purchases' included.
    var attributesJSON: JSONValue {
        .array(payload.attributes.filter { $0.type != ReceiptField.purchase.rawValue }.map(\.json))
    }

    /// For each purchase its attributes.
    var purchaseAttributesJSON: JSONValue {
        .array(payload.purchases.map { .array($0.attributes.map(\.json)) })
    }
}
