import PurchaseModel
import PurchaseProtocol
import WireClient

extension PaymentFailure {
    /// Creates the failure with the domain and code that StoreKit 1 uses for an error of a request.
    ///
    /// The switch has no `default`, so that a new error must be assigned a domain and code.
    init(_ error: WireClientError) {
        switch error {
        case .unreachable, .invalidResponse:
            self.init(.unknown, "Cannot connect to the App Store.")
        case .refused(401, let wire):
            self.init(domain: "SSServerErrorDomain", code: 5020, message: wire.message)
        case .refused(500..., let wire):
            self.init(domain: "SSServerErrorDomain", code: 5002, message: wire.message)
        case .refused(_, let wire):
            self.init(.unknown, wire.message)
        }
    }
}
