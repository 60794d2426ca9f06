/// An error of a call to an endpoint of a server.
package enum WireClientError: Error, Equatable, Sendable {
    /// No response arrived: the network is unavailable, or the call timed out.
    ///
    /// The server may or may not have processed the call, and the caller can repeat the call to find out.
    case unreachable
    /// The server refused the call with this HTTP status and this error.
    case refused(status: Int, WireError)
    /// The response with this HTTP status is not one that the server sends.
    ///
    /// Such a response comes from a proxy, or from a network that requires a sign-in first.
    case invalidResponse(status: Int)

    /// Whether the error is temporary, so that the same call can succeed later.
    package var isRetryable: Bool {
        switch self {
        // An invalid response does not come from the server, so the outcome of the call is unknown.
        case .unreachable, .invalidResponse: true
        case .refused(let status, _): status >= 500 || status == 429
        }
    }
}

extension WireClientError: CustomStringConvertible {
    /// A description of the error for users.
    package var description: String {
        switch self {
        case .unreachable: "The server did not respond. Check the network connection, and try again."
        case .refused(_, let error): error.message
        case .invalidResponse(let status): "The response (HTTP \(status)) is not from the expected server. Check the server's URL."
        }
    }
}
