/// The reason why a purchase was not delivered; its transaction stays in the queue.
public enum DeliveryError: Error, Hashable, Sendable {
    /// A later attempt may succeed; the associated value is a sentence for the user.
    case later(String)
    /// Later attempts fail, too, and the user should contact support; the associated value is a sentence for the user.
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
