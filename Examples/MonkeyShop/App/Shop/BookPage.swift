/// The book's page in the sample app.
public enum BookPage: Hashable, Sendable {
    /// The book can be read; the associated value is its first line.
    case firstLine(String)
    /// The book is not installed on this device.
    case notPurchased
    /// The purchase of the book was refunded.
    case refunded
}

extension BookPage: CustomStringConvertible {
    /// The text of the page.
    public var description: String {
        switch self {
        case .firstLine(let line): line
        case .notPurchased: "Buy the book to read it here."
        case .refunded: "This purchase was refunded."
        }
    }
}
