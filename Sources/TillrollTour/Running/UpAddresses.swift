import Foundation
import PurchaseModel

/// The addresses of a store and a server that `tillroll up` started.
package struct UpAddresses: Codable, Hashable, Sendable {
    /// The store's base address.
    package let store: String
    /// The server's base address.
    package let server: String
    /// The file with the store's root certificates.
    package let roots: String

    /// Creates addresses.
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
