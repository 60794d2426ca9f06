import OpenStoreKit
import PurchaseModel
import PurchaseProtocol

/// A message that the store wants the app to show to the user.
public struct Message: Hashable, Sendable {
    /// The reason for a message.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// A number for it.
        public let rawValue: Int

        /// Creates a reason from its number.
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

        /// Anything else.
        public static let generic = Reason(rawValue: 0)
        /// A price increase of a subscription requires the customer's consent.
        public static let priceIncreaseConsent = Reason(rawValue: 1)
        /// A renewal could not be paid.
        public static let billingIssue = Reason(rawValue: 2)
        /// The customer may come back at a lower price.
        public static let winBackOffer = Reason(rawValue: 3)

        /// The reason as a person reads it.
        public var localizedDescription: String {
            switch self {
            case .priceIncreaseConsent: "Price increase consent"
            case .billingIssue: "Billing issue"
            case .winBackOffer: "Win-back offer"
            default: "Generic"
            }
        }
    }

    /// The reason for the message.
    public let reason: Reason

    /// Two messages of the same reason are two.
    private let told: StoreMessage

    init(_ message: StoreMessage) {
        reason = Reason(message.reason)
        told = message
    }

    /// Messages as they come; what was said before anybody listened comes first.
    ///
    /// A message counts as delivered when the app requests the next one, or ends the iteration; a crash before that repeats the delivery.
    public static var messages: Messages {
        Messages(Supply(Device.own, { $0.messages() }, { told, _ in Message(told.value) }, handOver: { $1.handOver($0) }))
    }
}
