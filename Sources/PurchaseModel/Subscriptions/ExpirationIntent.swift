/// The reason that a subscription expired, with the `expirationIntent` value of signed renewal info.
public enum ExpirationIntent: Int, Codable, Hashable, Sendable {
    /// The customer disabled auto-renew.
    case customerCancelled = 1
    /// The payment method declined the renewal.
    case billingError = 2
    /// The customer did not consent to a price increase.
    case priceIncreaseNotConsented = 3
    /// The product was no longer available at the renewal.
    case productUnavailable = 4
    /// The subscription expired for another reason.
    case other = 5
}
