public import Foundation

/// An error of a content download.
public enum ContentError: Error, Equatable, Sendable {
    /// The server refused the request with an error code and a message; a repeated request is refused again.
    case refused(code: String, message: String)
    /// The connection was lost, or the server failed; a later call continues the download after the `received` bytes.
    case interrupted(received: Int64)
    /// The device has no network connection; a later call continues the download.
    case offline
    /// The received content does not have the announced length or hash, and was discarded; try again.
    case damaged
    /// The device has less free space, in bytes, than the rest of the download needs.
    case insufficientSpace(required: Int64, available: Int64)
    /// The content can't be stored in the file system.
    case storage(reason: String)
}

extension ContentError: CustomStringConvertible {
    /// A sentence that describes the error to the user.
    public var description: String {
        switch self {
        case .refused(_, let message): message
        case .interrupted(let received): "The connection was lost after \(received) bytes. Try again to continue the download."
        case .offline: "The device has no network. The download continues when the network is available."
        case .damaged: "The downloaded content is damaged. Start the download again."
        case .insufficientSpace(let required, let available):
            "The download needs \(required.formatted(.byteCount(style: .file))), and \(available.formatted(.byteCount(style: .file))) are "
                + "free. Free some space; the download continues automatically."
        case .storage(let reason): "The download can't be saved: \(reason). Check the free space, and try again."
        }
    }
}

extension ContentError: LocalizedError {
    /// The sentence that describes the error, for `localizedDescription`.
    public var errorDescription: String? { description }
}
