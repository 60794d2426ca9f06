import HTTPTypes
import PurchaseProtocol

extension HTTPField.Name {
    /// The customer token, with which an app names its customer.
    static let customerToken = named(ServerHeader.customerToken)
    /// The identifier or alias of a customer, for backends.
    static let customer = named(ServerHeader.customer)

    /// Returns a header name from a constant, which is always a token of RFC 9110.
    private static func named(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .from }
}
