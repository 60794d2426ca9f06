import PurchaseModel

/// One item of a batch and its origin.
struct BatchItem: Sendable {
    /// The place in the input at which the item was found.
    enum Origin: Hashable, Sendable, CustomStringConvertible {
        /// A line of the input, counted from 1.
        case line(Int)
        /// A file of the folder.
        case file(String)

        /// The origin's name in messages.
        var description: String {
            switch self {
            case .line(let number): "line \(number)"
            case .file(let name): TerminalText.safe(name)
            }
        }

        /// The JSON member that states the origin in a result.
        var member: JSONValue.Member {
            switch self {
            case .line(let number): JSONValue.Member("line", .number(number))
            case .file(let name): JSONValue.Member("file", .string(name))
            }
        }
    }

    /// The item's content.
    enum Content: Sendable {
        case bytes([UInt8])
        /// More bytes than the maximum length; the bytes were skipped.
        case tooLong
        /// A file that can't be read, and the cause.
        case unreadable(String)
    }

    let origin: Origin
    let content: Content
}
