/// What the shop shows where the book is.
package enum BookPage: Hashable, Sendable {
    /// The book, open at its beginning.
    case firstLine(String)
    /// There is no book on this device.
    case notBought
    /// The book was taken back with its money.
    case refunded
}

extension BookPage: CustomStringConvertible {
    /// What the user reads.
    package var description: String {
        switch self {
        case .firstLine(let line): line
        case .notBought: "Buy the book to read it here."
        case .refunded: "This purchase was refunded."
        }
    }
}
