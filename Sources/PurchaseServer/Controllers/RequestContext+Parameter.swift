import Foundation
import Hummingbird
import PurchaseModel

extension RequestContext {
    /// What stands in the path for `{name}`, with its percent-encoding removed, which the router leaves in.
    func parameter(_ name: String) -> String {
        let raw = parameters.get(name) ?? ""
        return raw.removingPercentEncoding ?? raw
    }

    /// The customer that the path names.
    ///
    /// Whoever knows a customer's identifier may read and spend for it: 122 random bits that only the app and its backend
    /// know act as the key. So they must at least have the form of a UUID.
    func customer() throws(CustomerRefusal) -> CustomerID {
        let customer = CustomerID(parameter("customer"))
        guard customer.isWellFormed else { throw .malformed }
        return customer
    }
}
