import PurchaseModel
import Wire

/// A failure to open a device, to change its settings, or to sign an account in or out.
public enum DeviceError: Error, Equatable, Sendable {
    /// The device's folder, or a file in it, can't be read or written.
    case storage(reason: String)
    /// The root certificates of the configuration can't be used.
    case roots(reason: String)
    /// The store can't be reached.
    case unreachable
    /// The store refused the request, with its error code and message.
    case refused(code: String, message: String)
    /// An environment variable for ``Device/fromEnvironment(_:)`` is missing or invalid.
    case environment(name: String, reason: String)
}

extension DeviceError: CustomStringConvertible {
    /// A description of the error and its remedy.
    public var description: String {
        switch self {
        case .storage(let reason): "The device's folder can't be used: \(reason)"
        case .roots(let reason): "The store's root certificates can't be used: \(reason)"
        case .unreachable: "The store can't be reached. Check that it is running and that airplane mode is off, and try again."
        case .refused(_, let message): message
        case .environment(let name, let reason): "The environment variable \(name) \(reason)."
        }
    }
}

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
