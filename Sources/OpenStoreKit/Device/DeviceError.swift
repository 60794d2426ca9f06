import PurchaseModel

/// The reason why a device can't be opened, or an account can't be signed in.
public enum DeviceError: Error, Equatable, Sendable {
    /// The device's folder can't be used; the reason is the file system's or the database's.
    case storage(reason: String)
    /// The store's root certificates can't be used.
    case roots(reason: String)
    /// The store can't be reached.
    case unreachable
    /// The store refused the request, with its error code and message.
    case refused(code: String, message: String)
    /// An environment variable is missing or invalid; the table of ``Device/fromEnvironment(_:)`` describes the variables.
    case environment(name: String, reason: String)
}

extension DeviceError: CustomStringConvertible {
    /// A description of the error and its remedy.
    public var description: String {
        switch self {
        case .storage(let reason): "The device's folder can't be used: \(reason)"
        case .roots(let reason): "The store's root certificates can't be used: \(reason)"
        case .unreachable: "The store can't be reached. Try again later."
        case .refused(_, let message): message
        case .environment(let name, let reason): "The environment variable \(name) \(reason)."
        }
    }
}
