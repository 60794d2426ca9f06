import Foundation
import PurchaseModel
import PurchaseProtocol

/// The output of `tillroll store up` when the store is ready; scripts rely on the names.
struct StoreUpAnswer: Encodable {
    /// The store's description, with file paths in place of the PEM texts of the wire format.
    let store: StoreDescription
    /// The bearer token that clients have to send; nil if the store requires none, the default on a loopback address.
    let token: String?
    /// The store's address with TLS; nil without TLS.
    var tlsURL: String?
    /// The port with TLS; nil without TLS.
    var tlsPort: Int?

    private enum CodingKeys: String, CodingKey {
        case console
        case token
        case tlsURL = "tls_url"
        case tlsPort = "tls_port"
    }

    func encode(to encoder: any Encoder) throws {
        try store.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(console, forKey: .console)
        try container.encodeIfPresent(token, forKey: .token)
        try container.encodeIfPresent(tlsURL, forKey: .tlsURL)
        try container.encodeIfPresent(tlsPort, forKey: .tlsPort)
    }

    /// The address of the console.
    var console: String {
        "\(store.url)/console/\(token.map { "?token=\($0)" } ?? "")"
    }

    /// The output as lines of text.
    func lines(sells products: [ProductID], isForgotten: Bool, _ style: TerminalStyle) -> [String] {
        var table = TextTable()
        table.add("store", store.url)
        table.add("by TLS", tlsURL)
        table.add("console", console)
        table.add("verifyReceipt", "\(store.sandboxVerifyReceipt) and \(store.productionVerifyReceipt)")
        table.add("Server API", "\(store.serverAPI) and \(store.productionServerAPI)")
        table.add("  its key", "\(store.apiKey)  key id \(store.keyID)  issuer \(store.issuerID)")
        table.add("root to trust", store.rootCertificate)
        table.add("app", "\(store.bundleID)  number \(store.appAppleID)")
        table.add("token", token)
        let tail = token == nil ? "" : " --token …"
        let address = store.url == StoreOptions.usualAddress ? "" : " --store \(store.url)"
        let product = products.first?.rawValue ?? "PRODUCT"
        return table.lines(style, indent: "") + [
            "", style.faint("Try, in another terminal:"),
            "  tillroll store events --follow\(address)\(tail)",
            "  tillroll store buy \(TerminalText.safe(product)) --account jane@example.com\(address)\(tail)",
            "  tillroll store advance 30d\(address)\(tail)",
            "",
            isForgotten
                ? "Stop with control-C; the store is in memory and then forgotten (--folder keeps it)."
                : "Stop with control-C; the next start goes on from here.",
        ]
    }
}
