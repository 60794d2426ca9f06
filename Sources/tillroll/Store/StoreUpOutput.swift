import ArgumentParser
import AsyncHTTPClient
import FoundationExtras
import NIOCore
import NIOHTTP1
import PurchaseModel
import StoreProtocol

/// The output of `tillroll store up` when the store is ready, and the contents of the ready file.
///
/// Scripts depend on the names of the JSON members.
struct StoreUpOutput: Codable {
    /// The store's description, with file paths in place of the PEM texts of the wire format.
    let store: StoreDescription
    /// The bearer token that clients must send; nil if the store requires no token, as by default on a loopback address.
    let token: String?
    /// The store's https URL; nil without `--tls-port`.
    var tlsURL: String?
    /// The store's port for TLS; nil without `--tls-port`.
    var tlsPort: Int?
    /// The identifier of the store's process.
    let pid: Int32
    /// The path of the file with the messages of a store in the background; nil for a store whose messages are on standard error.
    var log: String?

    private enum CodingKeys: String, CodingKey {
        case console
        case token
        case tlsURL
        case tlsPort
        case pid
        case log
    }

    /// Creates the output of a store without TLS and without a log file.
    init(store: StoreDescription, token: String?, pid: Int32) {
        (self.store, self.token, self.pid) = (store, token, pid)
    }

    init(from decoder: any Decoder) throws {
        store = try StoreDescription(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        token = try container.decodeIfPresent(String.self, forKey: .token)
        tlsURL = try container.decodeIfPresent(String.self, forKey: .tlsURL)
        tlsPort = try container.decodeIfPresent(Int.self, forKey: .tlsPort)
        pid = try container.decode(Int32.self, forKey: .pid)
        log = try container.decodeIfPresent(String.self, forKey: .log)
    }

    func encode(to encoder: any Encoder) throws {
        try store.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(console, forKey: .console)
        try container.encodeIfPresent(token, forKey: .token)
        try container.encodeIfPresent(tlsURL, forKey: .tlsURL)
        try container.encodeIfPresent(tlsPort, forKey: .tlsPort)
        try container.encode(pid, forKey: .pid)
        try container.encodeIfPresent(log, forKey: .log)
    }

    /// The URL of the store's console, with the access token if one is required.
    var console: String {
        "\(store.url)/console/\(token.map { "?token=\($0)" } ?? "")"
    }

    /// Returns the output as one JSON object on one line.
    func line() throws -> String { String(decoding: try WireJSON.encode(self), as: UTF8.self) }

    /// Requests the store's description, as the first client would.
    ///
    /// - Throws: A usage error if the store does not respond at its address.
    func checkResponse() async throws {
        // Use a separate client and close it, because an open connection of the shared client would delay the shutdown of the store.
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        var request = HTTPClientRequest(url: "\(store.url)/store")
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        let status = try? await client.execute(request, timeout: .seconds(30)).status
        try? await client.shutdown()
        guard status == .ok else {
            throw ValidationError("The store does not respond at its address \(store.url). Choose another address with --host.")
        }
    }

    /// The environment variables that `store env` sets, in the order in which it prints them; a variable without a value is unset.
    var variables: [(name: String, value: String?)] {
        [
            // Variables that the other commands and `StoreClient` read.
            ("TILLROLL_STORE", store.url), ("TILLROLL_TOKEN", token),
            // Variables that StoreKit on Linux reads.
            ("OPENSTOREKIT_STORE_URL", store.url), ("OPENSTOREKIT_ROOTS", store.rootCertificate),
            ("OPENSTOREKIT_BUNDLE_ID", store.bundleID.rawValue),
            // Values for a developer's server, named after the JSON members.
            ("TILLROLL_STORE_SANDBOX_VERIFY_RECEIPT", store.sandboxVerifyReceipt),
            ("TILLROLL_STORE_PRODUCTION_VERIFY_RECEIPT", store.productionVerifyReceipt),
            ("TILLROLL_STORE_SERVER_API", store.serverAPI), ("TILLROLL_STORE_PRODUCTION_SERVER_API", store.productionServerAPI),
            ("TILLROLL_STORE_ROOT_CERTIFICATE", store.rootCertificate), ("TILLROLL_STORE_API_KEY", store.apiKey),
            ("TILLROLL_STORE_KEY_ID", store.keyID), ("TILLROLL_STORE_ISSUER_ID", store.issuerID),
            ("TILLROLL_STORE_BUNDLE_ID", store.bundleID.rawValue), ("TILLROLL_STORE_APP_APPLE_ID", "\(store.appAppleID)"),
            ("TILLROLL_STORE_CONSOLE", console), ("TILLROLL_STORE_TLS_URL", tlsURL),
            ("TILLROLL_STORE_TLS_PORT", tlsPort.map { "\($0)" }),
        ]
    }

    /// Returns the output as lines of text, with commands to try.
    ///
    /// - Parameter readyFile: The ready file of a store in the background; nil for a store in the foreground.
    func lines(products: [ProductID], isTemporary: Bool, readyFile: ReadyFile?, _ style: TerminalStyle) -> [String] {
        var table = TextTable()
        table.add("store", store.url)
        table.add("store with TLS", tlsURL)
        table.add("console", console)
        table.add("verifyReceipt", "\(store.sandboxVerifyReceipt) and \(store.productionVerifyReceipt)")
        table.add("Server API", "\(store.serverAPI) and \(store.productionServerAPI)")
        table.add("API key", "\(store.apiKey)  key ID \(store.keyID)  issuer ID \(store.issuerID)")
        table.add("root certificate", store.rootCertificate)
        table.add("app", "\(store.bundleID)  appAppleId \(store.appAppleID)")
        table.add("token", token)
        table.add("process", log == nil ? nil : "\(pid)")
        table.add("log", log)
        let product = TerminalText.safe(products.first?.rawValue ?? "PRODUCT")
        let empty =
            products.isEmpty ? ["", style.warning("The store has no products yet.") + " Start the store with --storekit FILE."] : []
        let address: String
        let heading: [String]
        let stop: String
        if let readyFile {
            address = ""
            heading = [
                style.faint("Set the address and the keys in your shell:"), "  eval \"$(tillroll store env\(readyFile.option))\"", "",
                style.faint("Then try:"),
            ]
            stop = "Stop with `tillroll store down\(readyFile.option)`."
        } else {
            let isDefault = store.url == StoreOptions.defaultAddress
            address = (isDefault ? "" : " --store \(store.url)") + (token == nil ? "" : " --token …")
            heading = [style.faint("Try, in another terminal:")]
            stop = "Stop with control-C."
        }
        return table.lines(style, indent: "") + empty + [""] + heading + [
            "  tillroll store events --follow\(address)",
            "  tillroll store buy \(product) --account jane@example.com\(address)",
            "  tillroll store advance 30d\(address)",
            "",
            isTemporary
                ? "\(stop) The store is in memory and is lost then; keep its state with --folder."
                : "\(stop) The next start with this folder continues from the current state.",
        ]
    }
}
