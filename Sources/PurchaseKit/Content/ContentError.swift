/// The error of a content download.
public enum ContentError: Error, Equatable, Sendable {
    /// The server refused the request with this code and message; the same request fails again.
    case refused(code: String, message: String)
    /// The connection was lost, or the server failed. The `received` bytes are kept; try again later.
    case interrupted(received: Int64)
    /// The received content does not match the server's description, and was discarded; try again.
    case damaged
    /// The device has no receipt; refresh the receipt first.
    case noReceipt
    /// The file system failed.
    case storage(reason: String)
}

extension ContentError: CustomStringConvertible {
    /// A sentence for the user.
    public var description: String {
        switch self {
        case .refused(_, let message): message
        case .interrupted(let received): "The connection was lost after \(received) bytes. Try again to continue the download."
        case .damaged: "The downloaded content is damaged. Start the download again."
        case .noReceipt: "This device has no receipt. Refresh the receipt first."
        case .storage(let reason): "The download can't be saved: \(reason)."
        }
    }
}
