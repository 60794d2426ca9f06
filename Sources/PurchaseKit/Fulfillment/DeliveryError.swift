/// The error of a delivery; the transaction stays in the queue.
public enum DeliveryError: Error, Hashable, Sendable {
    /// A later attempt may succeed; with a sentence for the user.
    case later(String)
    /// Later attempts fail, too; with a sentence for the user, who should contact support.
    case refused(String)
}

extension DeliveryError: CustomStringConvertible {
    /// The sentence for the user.
    public var description: String {
        switch self {
        case .later(let sentence), .refused(let sentence): sentence
        }
    }
}
