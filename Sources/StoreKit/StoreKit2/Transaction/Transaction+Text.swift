import Foundation

extension Transaction {
    /// The kind of ``offer``.
    public var offerType: OfferType? { offer?.type }
    /// The identifier of ``offer``.
    public var offerID: String? { offer?.id }
    /// The payment mode of ``offer``, as the store's raw value.
    public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }
    /// How long ``offer`` lasts in all, as an ISO 8601 duration.
    public var offerPeriodStringRepresentation: String? { offer?.statedPeriod }
    /// Where it was made, in the store's word.
    public var environmentStringRepresentation: String { environment.rawValue }
    /// ``reason`` in the store's word.
    public var reasonStringRepresentation: String { reason.rawValue }
    /// The country of ``storefront``, ISO 3166-1 alpha-3.
    public var storefrontCountryCode: String { storefront.countryCode }
    /// ISO 4217 code of ``currency``.
    public var currencyCode: String? { currency?.identifier }
}
