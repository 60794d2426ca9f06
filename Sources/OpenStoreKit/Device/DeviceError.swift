import PurchaseModel

/// Why a device can't be opened, or an account not be signed in.
public enum DeviceError: Error, Equatable, Sendable {
    /// The device's folder can't be used; the reason is the file system's or the database's.
    case storage(reason: String)
    /// The store's root certificates can't be used.
    case roots(reason: String)
    /// The store can't be reached.
    case unreachable
    /// The store refused, with its words.
    case refused(code: String, message: String)
    /// An environment variable is missing or wrong; the table of ``Device/fromEnvironment(_:)`` says what it means.
    case environment(name: String, reason: String)
}

extension DeviceError: CustomStringConvertible {
    /// What to do about it.
    public var description: String {
        switch self {
        case .storage(let reason): "The device's folder can't be used: \(reason)"
        case .roots(let reason): "The store's root certificates can't be used: \(reason)"
        case .unreachable: "The store can't be reached; try again when the network is back."
        case .refused(_, let message): message
        case .environment(let name, let reason): "The environment variable \(name) \(reason)."
        }
    }
}
