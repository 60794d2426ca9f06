import PurchaseModel
package import PurchaseProtocol

/// An error of a call that received no response of ours.
package enum WireClientError: Error, Equatable, Sendable {
    /// No response arrived: the network is unavailable, or the call timed out.
    ///
    /// The server may or may not have processed the call; repeat the call.
    case unreachable
    /// The server refused the call, with this status.
    case refused(status: Int, WireError)
    /// The response, with this status, is not of our protocol: it comes from a proxy, or from a network that requires a sign-in first.
    case unintelligible(status: Int)

    /// Whether the error is temporary, so that repeating the same call later can succeed.
    package var isPassing: Bool {
        switch self {
        // A response of another protocol does not come from the server, so the outcome of the call is unknown.
        case .unreachable, .unintelligible: true
        case .refused(let status, _): status >= 500 || status == 429
        }
    }
}

extension WireClientError: CustomStringConvertible {
    /// A message for users.
    package var description: String {
        switch self {
        case .unreachable: "The network connection was lost, or there is none."
        case .refused(_, let error): error.message
        case .unintelligible(let status): "The other side gave an answer (HTTP \(status)) that could not be read."
        }
    }
}
