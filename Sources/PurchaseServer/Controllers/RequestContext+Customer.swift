import Hummingbird
import PurchaseModel
import WireServer

extension RequestContext {
    /// The customer that the path names.
    ///
    /// Whoever knows a customer's identifier may read and spend for it: 122 random bits that only the app and its backend
    /// know act as the key. So they must at least have the form of a UUID.
    func customer() throws -> CustomerID {
        let customer = CustomerID(try parameter("customer"))
        guard customer.isWellFormed else { throw CustomerRefusal.malformed }
        return customer
    }
}
