package import PurchaseKit

/// Why the shop can't do what it was asked for; the sentence can be shown.
package enum MonkeyShopError: Error, Equatable, Sendable {
    /// Prices or lists can't be had at the moment.
    case networkDown(String)
    /// The product is not on the shelf.
    case notSold
    /// The vault can't be opened.
    case vault(VaultError)
    /// The store's root certificates can't be used.
    case roots
    /// The store or the server refused, with its words.
    case refused(String)
}

extension MonkeyShopError: CustomStringConvertible {
    /// The sentence.
    package var description: String {
        switch self {
        case .networkDown(let reason): "Network down? \(reason)"
        case .notSold: "This is not sold here."
        case .vault(let error): error.description
        case .roots: "The store's root certificates can't be used."
        case .refused(let message): message
        }
    }
}
