import Hummingbird
import PurchaseModel
import WireServer

extension RequestContext {
    /// The customer in the path.
    ///
    /// A customer's identifier acts as a key: everyone who knows its 122 random bits can read and debit the customer's balance. The
    /// identifier must therefore be a UUID.
    func customer() throws -> CustomerID {
        let customer = CustomerID(try parameter("customer"))
        guard customer.isWellFormed else { throw CustomerRefusal.malformed }
        return customer
    }
}
