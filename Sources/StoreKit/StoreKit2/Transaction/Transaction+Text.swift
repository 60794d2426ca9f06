import Foundation

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
