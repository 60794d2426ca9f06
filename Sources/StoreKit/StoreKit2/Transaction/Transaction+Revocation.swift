public import Foundation
import PurchaseModel

extension Transaction {
    /// The type of a revocation, such as a full refund.
    public struct RevocationType: RawRepresentable, Hashable, Sendable {
        /// The App Store's text for the type, such as `REFUND_FULL`.
        public let rawValue: String

        /// Creates a type from the App Store's text, such as `REFUND_FULL`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The store refunded the whole price.
        public static let fullRefund = RevocationType(rawValue: "REFUND_FULL")
        /// The store refunded a part of the price.
        public static let proratedRefund = RevocationType(rawValue: "REFUND_PRORATED")
        /// The customer lost the access to another family member's purchase.
        public static let familyRevocation = RevocationType(rawValue: "FAMILY_REVOKE")
        /// The group purchaser or the organization took the customer's seat away.
        public static var assignmentRevocation: RevocationType { RevocationType(rawValue: "ASSIGNMENT_REVOKE") }
    }

    /// The type of the revocation; nil for a transaction that was not revoked.
    public var revocationType: RevocationType? { revocationTypeStringRepresentation.map { RevocationType(rawValue: $0) } }
    /// The raw value of ``revocationType``, such as `REFUND_FULL`; nil for a transaction that was not revoked.
    public var revocationTypeStringRepresentation: String? { comparablePayload.revocationType }
    /// The refunded part of the price, in percent from 0 to 100; nil for a transaction that was not refunded.
    public var revocationPercentage: Decimal? { comparablePayload.revocationPercentage.map { Decimal(milliunits: Int64($0)) } }
}

extension Transaction {
    /// The type of ``offer``; nil without an offer.
    public var offerType: OfferType? { offer?.type }
    /// The identifier of ``offer``; nil without an offer, and for an introductory offer.
    public var offerID: String? { offer?.id }
    /// The raw value of the payment mode of ``offer``, such as `FREE_TRIAL`.
    public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }
    /// The total duration of ``offer`` in ISO 8601 format, such as `P1M`.
    public var offerPeriodStringRepresentation: String? { offer?.iso8601Period }
    /// The raw value of ``environment``, such as `Sandbox`.
    public var environmentStringRepresentation: String { environment.rawValue }
    /// The raw value of ``reason``, such as `RENEWAL`.
    public var reasonStringRepresentation: String { reason.rawValue }
    /// The ISO 3166-1 alpha-3 country code of ``storefront``, such as `USA`.
    public var storefrontCountryCode: String { storefront.countryCode }
    /// The ISO 4217 code of ``currency``, such as `USD`.
    public var currencyCode: String? { currency?.identifier }
}
