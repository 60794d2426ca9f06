import Foundation
import PurchaseModel

/// Where a store and a server that `tillroll up` has started listen.
public struct UpAddresses: Codable, Hashable, Sendable {
    /// The store's base address.
    public let store: String
    /// The server's base address.
    public let server: String
    /// The file with the store's root certificates.
    public let roots: String

    /// Creates addresses.
    public init(store: String, server: String, roots: String) {
        self.store = store
        self.server = server
        self.roots = roots
    }

    /// The addresses as one JSON object.
    public var json: String {
        (try? WireJSON.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
