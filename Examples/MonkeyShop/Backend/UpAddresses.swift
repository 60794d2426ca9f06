import Foundation

/// The output of `monkeyshop up --json`: the addresses of the store, the server and the page, and the server's API keys.
public struct UpAddresses: Codable, Hashable, Sendable {
    /// The store's base address.
    public let store: String
    /// The server's base address.
    public let server: String
    /// The address of the page with the sample app.
    public let shop: String
    /// The path of the file with the store's root certificates.
    public let roots: String
    /// The server's API keys, which no other server accepts.
    public let keys: SampleKeys

    /// Creates the output.
    ///
    /// - Parameters:
    ///   - store: The store's base address.
    ///   - server: The server's base address.
    ///   - shop: The address of the page with the sample app.
    ///   - roots: The path of the file with the store's root certificates.
    ///   - keys: The server's API keys.
    public init(store: String, server: String, shop: String, roots: String, keys: SampleKeys) {
        self.store = store
        self.server = server
        self.shop = shop
        self.roots = roots
        self.keys = keys
    }

    /// The addresses as one JSON object.
    public var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
