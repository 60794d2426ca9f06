/// Why a subscription ended, with the number that signed renewal information carries.
public enum ExpirationIntent: Int, Codable, Hashable, Sendable {
    /// The customer switched renewal off.
    case customerCancelled = 1
    /// The store could not charge the customer.
    case billingError = 2
    /// The customer did not agree to a higher price.
    case priceIncreaseNotConsented = 3
    /// The product is no longer sold.
    case productUnavailable = 4
    /// Another reason.
    case other = 5
}
