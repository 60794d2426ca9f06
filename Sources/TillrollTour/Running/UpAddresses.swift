import Foundation
import PurchaseModel

/// The output of `tillroll up`: the addresses of the store and the server.
package struct UpAddresses: Codable, Hashable, Sendable {
    /// The store's base address.
    package let store: String
    /// The server's base address.
    package let server: String
    /// The path of the file with the store's root certificates.
    package let roots: String

    /// Creates the output from two addresses and a path.
    package init(store: String, server: String, roots: String) {
        self.store = store
        self.server = server
        self.roots = roots
    }

    /// The addresses as one JSON object.
    package var json: String {
        (try? WireJSON.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
