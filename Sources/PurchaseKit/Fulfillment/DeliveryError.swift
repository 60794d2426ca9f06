public import Foundation

/// The reason why a purchase was not delivered; its transaction stays unfinished.
public enum DeliveryError: Error, Hashable, Sendable {
    /// A later attempt can succeed, and follows automatically; the associated value is a sentence for the user.
    case later(String)
    /// Attempts in this app session fail, too, and the user should contact support; the associated value is a sentence for the user.
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

extension DeliveryError: LocalizedError {
    /// The sentence that describes the error, for `localizedDescription`.
    public var errorDescription: String? { description }
}
