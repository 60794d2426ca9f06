import PurchaseModel
import PurchaseProof

/// A signed promotional offer as it is printed and parsed: the values that an app passes to the store, and the app's bundle ID.
struct OfferFile {
    let offer: PromotionalOffer
    let signature: String

    init(offer: PromotionalOffer, signature: String) {
        self.offer = offer
        self.signature = signature
    }

    /// Parses the output of ``json``; nil if a value is missing or invalid.
    init?(_ json: JSONValue?) {
        func text(_ name: String) -> String? { json?[name]?.text }
        guard let bundle = text("bundleIdentifier"), let key = text("keyIdentifier"), let product = text("productIdentifier"),
            let offer = text("offerIdentifier"), let nonce = text("nonce"), let signature = text("signature"),
            case .number(let digits)? = json?["timestamp"], let timestamp = Int64(digits)
        else { return nil }
        self.offer = PromotionalOffer(
            bundleID: BundleID(bundle), keyID: key, productID: ProductID(product), offerID: offer,
            token: text("applicationUsername") ?? "", nonce: nonce, timestamp: timestamp
        )
        self.signature = signature
    }

    private var values: [(name: String, value: JSONValue)] {
        [
            ("bundleIdentifier", .string(offer.bundleID.rawValue)), ("productIdentifier", .string(offer.productID.rawValue)),
            ("offerIdentifier", .string(offer.offerID)), ("applicationUsername", .string(offer.token)),
            ("keyIdentifier", .string(offer.keyID)), ("nonce", .string(offer.nonce)), ("timestamp", .number(offer.timestamp)),
            ("signature", .string(signature)),
        ]
    }

    var json: JSONValue {
        .object(values.map { JSONValue.Member($0.name, $0.value) })
    }

    var table: TextTable {
        var table = TextTable()
        for (name, value) in values { table.add(name, value.text ?? String(decoding: value.bytes, as: UTF8.self)) }
        return table
    }
}
