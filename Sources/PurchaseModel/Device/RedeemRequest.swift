/// An offer code that the customer typed.
public struct RedeemRequest: Codable, Hashable, Sendable {
    /// The payment that it becomes; a repeat carries the same.
    public var payment: PaymentID
    /// The code: the reference name of the offer in the catalogue.
    public var code: String

    /// Creates a request.
    public init(payment: PaymentID, code: String) {
        self.payment = payment
        self.code = code
    }
}
