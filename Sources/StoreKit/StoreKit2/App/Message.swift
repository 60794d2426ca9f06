import OpenStoreKit
import PurchaseModel
import PurchaseProtocol

/// A message that the store wants the app to show to the user.
public struct Message: Hashable, Sendable {
    /// The reason for a message.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The raw value, as in StoreKit.
        public let rawValue: Int

        /// Creates a reason from its raw value.
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

        /// A message without a more specific reason.
        public static let generic = Reason(rawValue: 0)
        /// A price increase of a subscription requires the customer's consent.
        public static let priceIncreaseConsent = Reason(rawValue: 1)
        /// The payment method declined a renewal.
        public static let billingIssue = Reason(rawValue: 2)
        /// The customer is eligible for a win-back offer.
        public static let winBackOffer = Reason(rawValue: 3)

        /// The reason in English, for display.
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

    /// The store's message, which distinguishes two messages with the same reason.
    private let storeMessage: StoreMessage

    init(_ message: StoreMessage) {
        reason = Reason(message.reason)
        storeMessage = message
    }

    /// The store's messages for the user; pending messages come first.
    ///
    /// A message counts as delivered when the app requests the next one, or ends the iteration; a crash before that repeats the delivery.
    public static var messages: Messages {
        Messages(
            ElementSource(
                Device.unshared, { $0.messages() }, { storeMessage, _ in Message(storeMessage.value) },
                handOver: { $1.handOver($0) }))
    }
}
