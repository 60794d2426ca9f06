import Hummingbird
import PurchaseModel
import WireServer

extension RequestContext {
    /// Returns the customer whose identifier is in the request's path.
    ///
    /// Everyone who knows a customer's identifier can read and debit the customer's balance. The identifier must therefore be a UUID,
    /// with its 122 random bits.
    ///
    /// - Throws: ``CustomerRefusal/malformed`` if the identifier is not a UUID.
    func customer() throws -> CustomerID {
        let customer = CustomerID(try parameter("customer"))
        guard customer.isWellFormed else { throw CustomerRefusal.malformed }
        return customer
    }
}
