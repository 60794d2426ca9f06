/// The key in a `.storekit` file with which tests sign promotional offers.
public struct CatalogOfferKey: Hashable, Sendable {
    /// The key's identifier (`kid`).
    public var id: String
    /// The P-256 private key: PKCS #8 in base64, without the PEM header and footer.
    public var privateKey: String

    /// Creates a key that signs promotional offers.
    public init(id: String, privateKey: String) {
        self.id = id
        self.privateKey = privateKey
    }
}

extension CatalogOfferKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key's identifier; the private key must not appear in logs.
    public var description: String { "CatalogOfferKey(\(id))" }
    /// The key's identifier; the private key must not appear in logs.
    public var debugDescription: String { description }
    /// A mirror with the key's identifier only.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
