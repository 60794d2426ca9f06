/// The page of the book in the shop.
package enum BookPage: Hashable, Sendable {
    /// The first line of the book.
    case firstLine(String)
    /// The book is not installed on this device.
    case notPurchased
    /// The purchase of the book was refunded.
    case refunded
}

extension BookPage: CustomStringConvertible {
    /// The text of the page.
    package var description: String {
        switch self {
        case .firstLine(let line): line
        case .notPurchased: "Buy the book to read it here."
        case .refunded: "This purchase was refunded."
        }
    }
}
