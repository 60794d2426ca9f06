import PurchaseModel

/// One item of a batch, and its origin.
struct BatchItem: Sendable {
    /// Where it was found.
    enum Origin: Hashable, Sendable, CustomStringConvertible {
        /// On a line of the input, counted from 1.
        case line(Int)
        /// In a file of the folder.
        case file(String)

        /// What messages call it.
        var description: String {
            switch self {
            case .line(let number): "line \(number)"
            case .file(let name): TerminalText.safe(name)
            }
        }

        /// The member that tells it in a result.
        var member: JSONValue.Member {
            switch self {
            case .line(let number): JSONValue.Member("line", .number(number))
            case .file(let name): JSONValue.Member("file", .string(name))
            }
        }
    }

    /// What was found.
    enum Content: Sendable {
        case bytes([UInt8])
        /// More bytes than are read; they were passed over.
        case tooLong
        /// A file that can't be read, and why.
        case unreadable(String)
    }

    let origin: Origin
    let content: Content
}
