/// Why content could not be fetched.
public enum ContentError: Error, Equatable, Sendable {
    /// The server will not deliver, with its reason. Trying again will not help.
    case refused(code: String, message: String)
    /// The connection broke; `received` bytes are kept and need not be fetched again. Try again later.
    case interrupted(received: Int64)
    /// What was fetched is not what the server announced; it was thrown away. Try again.
    case damaged
    /// There is no receipt to show; refresh it first.
    case noReceipt
    /// The file system failed.
    case storage(reason: String)
}

extension ContentError: CustomStringConvertible {
    /// A sentence that a person can be shown.
    public var description: String {
        switch self {
        case .refused(_, let message): message
        case .interrupted(let received): "The connection was lost after \(received) bytes; the download goes on from there."
        case .damaged: "The download was damaged on its way; it starts again."
        case .noReceipt: "There is no receipt yet; refresh it first."
        case .storage(let reason): "The download can't be kept: \(reason)."
        }
    }
}
