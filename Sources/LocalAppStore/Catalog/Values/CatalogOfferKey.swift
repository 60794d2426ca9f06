/// The key by which promotional offers of a file are signed in tests.
public struct CatalogOfferKey: Hashable, Sendable {
    /// The key's identifier.
    public var id: String
    /// The private key of P-256: PKCS #8 in base64, without the lines of PEM.
    public var privateKey: String

    /// Creates a key.
    public init(id: String, privateKey: String) {
        self.id = id
        self.privateKey = privateKey
    }
}

extension CatalogOfferKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The identifier; the private key is not for logs.
    public var description: String { "CatalogOfferKey(\(id))" }
    /// The identifier; the private key is not for logs.
    public var debugDescription: String { description }
    /// Nothing but the identifier.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
