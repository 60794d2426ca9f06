import OpenStoreKit
import PurchaseModel
import StoreProtocol

/// A message of the App Store that the app shows to the user.
public struct Message: Hashable, Sendable {
    /// The reason why the App Store sends a message.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The number of the reason in Apple's StoreKit.
        public let rawValue: Int

        /// Creates a reason from its number in Apple's StoreKit.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        init(_ reason: StoreMessage.Reason) {
            self =
                switch reason {
                case .generic: .generic
                case .priceIncreaseConsent: .priceIncreaseConsent
                case .billingIssue: .billingIssue
                case .winBackOffer: .winBackOffer
                }
        }

        /// The message has no more specific reason.
        public static let generic = Reason(rawValue: 0)
        /// The message asks the customer to consent to the price increase of a subscription.
        public static let priceIncreaseConsent = Reason(rawValue: 1)
        /// The message reports that the payment method declined a subscription renewal.
        public static let billingIssue = Reason(rawValue: 2)
        /// The message presents a win-back offer for which the customer is eligible.
        public static let winBackOffer = Reason(rawValue: 3)

        /// A description of the reason, always in English.
        public var localizedDescription: String {
            switch self {
            case .priceIncreaseConsent: "Price increase consent"
            case .billingIssue: "Billing issue"
            case .winBackOffer: "Win-back offer"
            default: "Generic"
            }
        }
    }

    /// The reason why the App Store sent the message.
    public let reason: Reason

    /// The message as the store sent it, which distinguishes messages with the same reason.
    private let storeMessage: StoreMessage

    init(_ message: StoreMessage) {
        reason = Reason(message.reason)
        storeMessage = message
    }

    /// A sequence of the App Store's messages for the user, which begins with the pending messages.
    ///
    /// A message counts as delivered when the app requests the next message or ends the iteration. If the app crashes earlier, the message
    /// is delivered again.
    public static var messages: Messages {
        Messages(
            ElementSource(
                Device.unshared, { $0.messages() }, { storeMessage, _ in Message(storeMessage.value) },
                handOver: { $1.handOver($0) }))
    }
}
