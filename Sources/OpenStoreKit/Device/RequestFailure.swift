import WireClient

/// The error of a request to the store other than a payment, such as a request for products.
package enum RequestFailure: Error, Hashable, Sendable {
    /// The store can't be reached.
    case unreachable
    /// The response does not conform to the store's protocol.
    case invalidResponse
    /// The store or the device refused the request.
    case refused(PaymentFailure)

    init(_ error: WireClientError) {
        switch error {
        case .unreachable: self = .unreachable
        case .invalidResponse: self = .invalidResponse
        case .refused: self = .refused(PaymentFailure(error))
        }
    }

    /// The error as a ``PaymentFailure``, with StoreKit 1's domain and code.
    package var failure: PaymentFailure {
        switch self {
        case .unreachable, .invalidResponse: PaymentFailure(WireClientError.unreachable)
        case .refused(let failure): failure
        }
    }
}
