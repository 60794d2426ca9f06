import WireClient

/// Why the store did not answer a request for something that is no payment.
package enum RequestFailure: Error, Hashable, Sendable {
    /// The store can't be reached.
    case unreachable
    /// An answer came that is not the store's.
    case unintelligible
    /// The store, or the device, said no.
    case refused(PaymentFailure)

    init(_ error: WireClientError) {
        switch error {
        case .unreachable: self = .unreachable
        case .unintelligible: self = .unintelligible
        case .refused: self = .refused(PaymentFailure(error))
        }
    }

    /// The failure as StoreKit 1 names it.
    package var failure: PaymentFailure {
        switch self {
        case .unreachable, .unintelligible: PaymentFailure(WireClientError.unreachable)
        case .refused(let failure): failure
        }
    }
}
