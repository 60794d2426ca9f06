package import PurchaseKit

/// An error of the shop, with a sentence for the user.
package enum MonkeyShopError: Error, Equatable, Sendable {
    /// The store or the server can't be reached.
    case networkDown(String)
    /// The product is not in the product listing.
    case notSold
    /// The vault can't be opened.
    case vault(VaultError)
    /// The store's root certificates can't be used.
    case roots
    /// The store or the server refused the request, with its message.
    case refused(String)
}

extension MonkeyShopError: CustomStringConvertible {
    /// The sentence for the user.
    package var description: String {
        switch self {
        case .networkDown(let reason): "The network is unavailable. \(reason)"
        case .notSold: "The store does not sell this product."
        case .vault(let error): error.description
        case .roots: "The store's root certificates can't be used."
        case .refused(let message): message
        }
    }
}
