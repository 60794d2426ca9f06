public import Foundation

/// The reason why a purchase was not delivered; its transaction stays unfinished.
public enum DeliveryError: Error, Hashable, Sendable {
    /// The delivery is retried automatically later; the associated value is a sentence for the user.
    case later(String)
    /// The purchase can't be delivered in this app session, and the user should contact support; the associated value is a sentence for the
    /// user.
    case refused(String)
    /// The person has paused the download of the content; the delivery continues after ``Purchases/resumeDownload(of:)``.
    case paused
}

extension DeliveryError: CustomStringConvertible {
    /// The sentence for the user.
    public var description: String {
        switch self {
        case .later(let sentence), .refused(let sentence): sentence
        case .paused: "The download is paused. Resume the download to receive the purchase."
        }
    }
}

extension DeliveryError: LocalizedError {
    /// The sentence that describes the error, for `localizedDescription`.
    public var errorDescription: String? { description }
}
