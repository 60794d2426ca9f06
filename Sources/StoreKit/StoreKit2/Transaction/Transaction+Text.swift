import Foundation

extension Transaction {
    /// The type of ``offer``.
    public var offerType: OfferType? { offer?.type }
    /// The identifier of ``offer``.
    public var offerID: String? { offer?.id }
    /// The payment mode of ``offer``, as the store's raw value.
    public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }
    /// The total duration of ``offer``, as an ISO 8601 duration.
    public var offerPeriodStringRepresentation: String? { offer?.iso8601Period }
    /// The raw value of ``environment``.
    public var environmentStringRepresentation: String { environment.rawValue }
    /// The raw value of ``reason``.
    public var reasonStringRepresentation: String { reason.rawValue }
    /// The ISO 3166-1 alpha-3 country code of ``storefront``.
    public var storefrontCountryCode: String { storefront.countryCode }
    /// The ISO 4217 code of ``currency``.
    public var currencyCode: String? { currency?.identifier }
}
