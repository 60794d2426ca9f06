public import PurchaseKit

/// An error of the sample app, with a sentence for the user.
public enum MonkeyShopError: Error, Equatable, Sendable {
    /// The store or the server can't be reached; the associated value is advice for the user.
    case networkDown(String)
    /// The store does not sell the product.
    case productUnavailable
    /// The vault can't be opened.
    case vault(VaultError)
    /// The configured root certificates are invalid.
    case roots
    /// The store or the server refused a request; the associated value is its message.
    case refused(String)
}

extension MonkeyShopError: CustomStringConvertible {
    /// The sentence for the user.
    public var description: String {
        switch self {
        case .networkDown(let reason): "The network is unavailable. \(reason)"
        case .productUnavailable: "The store does not sell this product. Choose another product."
        case .vault(let error): error.description
        case .roots: "The store's root certificates are invalid. Configure the app with certificates in PEM."
        case .refused(let message): message
        }
    }
}
