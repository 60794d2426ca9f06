/// The page of the novel in the sample app.
public enum BookPage: Hashable, Sendable {
    /// The customer can read the book; the associated value is the first line.
    case firstLine(String)
    /// The customer does not own the book, or the content is not installed on this device.
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
