import Foundation
import FoundationExtras

/// The output of `monkeyshop up`: the addresses of the store and the server.
package struct UpAddresses: Codable, Hashable, Sendable {
    /// The store's base address.
    package let store: String
    /// The server's base address.
    package let server: String
    /// The address of the page with the sample app.
    package let shop: String
    /// The path of the file with the store's root certificates.
    package let roots: String
    /// The server's API keys, which are valid in this folder only.
    package let keys: SampleKeys

    /// Creates the output.
    package init(store: String, server: String, shop: String, roots: String, keys: SampleKeys) {
        self.store = store
        self.server = server
        self.shop = shop
        self.roots = roots
        self.keys = keys
    }

    /// The addresses as one JSON object.
    package var json: String {
        (try? WireJSON.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
