/// Why a purchase could not be delivered; it stays in the queue either way.
public enum DeliveryError: Error, Hashable, Sendable {
    /// It may work later; the sentence is for the user.
    case later(String)
    /// It will not work by itself; the sentence is for the user, who needs help.
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
