import PurchaseModel
package import PurchaseProtocol

/// An error of a call that has no valid response.
package enum WireClientError: Error, Equatable, Sendable {
    /// No response arrived: the network is unavailable, or the call timed out.
    ///
    /// The server may or may not have processed the call; repeat the call.
    case unreachable
    /// The server refused the call, with this status.
    case refused(status: Int, WireError)
    /// The response, with this status, does not conform to the protocol: it comes from a proxy, or from a network that requires a
    /// sign-in first.
    case invalidResponse(status: Int)

    /// Whether the error is temporary, so that repeating the same call later can succeed.
    package var isRetryable: Bool {
        switch self {
        // A response of another protocol does not come from the server, so the outcome of the call is unknown.
        case .unreachable, .invalidResponse: true
        case .refused(let status, _): status >= 500 || status == 429
        }
    }
}

extension WireClientError: CustomStringConvertible {
    /// A message for users.
    package var description: String {
        switch self {
        case .unreachable: "No response: the network connection is unavailable."
        case .refused(_, let error): error.message
        case .invalidResponse(let status): "The response (HTTP \(status)) is not valid."
        }
    }
}
