import PurchaseModel

extension AppStoreServerAPIError: CustomStringConvertible {
    /// What failed, and what to do next.
    public var description: String {
        switch self {
        case .api(let response):
            return "The App Store refused the request: \(response)."
        case .unauthorized(let skew?):
            let direction = skew > 0 ? "ahead of" : "behind"
            return "The App Store refused the token (HTTP 401). The local clock is \(skew.magnitude) s \(direction) the App Store's clock. "
                + "Correct the clock of this machine."
        case .unauthorized(nil):
            return "The App Store refused the token (HTTP 401). Check the issuer ID, the key ID, the private key and the bundle ID in "
                + "App Store Connect, and that the key is an In-App Purchase key."
        case .rateLimited(let until?):
            return "The rate limit of the App Store is exceeded (HTTP 429). Repeat the call after \(until)."
        case .rateLimited(nil):
            return "The rate limit of the App Store is exceeded (HTTP 429). Repeat the call later."
        case .unavailable(let reason):
            return "The App Store Server API is unavailable: \(reason)"
        case .malformedResponse(let status, let problem):
            return "The response (HTTP \(status)) is not from the App Store Server API: \(problem) Check the base URL and proxies."
        case .invalidRequest(let problem):
            return "The request was not sent: \(problem)"
        case .canceled:
            return "The call was canceled."
        }
    }
}

extension ServerAPIUnavailability: CustomStringConvertible {
    /// The reason, and what to do next.
    public var description: String {
        switch self {
        case .notConnected: "the connection failed. Check the network and the base URL."
        case .noResponse: "no complete response arrived. The request may have been processed."
        case .serverError(let response): "\(response). Repeat the call later."
        case .circuitOpen(let until): "earlier calls failed. The client sends requests again after \(until)."
        }
    }
}

extension ServerAPIErrorResponse: CustomStringConvertible {
    /// The status, the code with its name, and the message.
    public var description: String {
        var parts = ["HTTP \(status)"]
        if let code { parts.append(error.map { "\($0.name) (\(code))" } ?? "unknown error code \(code)") }
        if let message { parts.append("“\(message)”") }
        return parts.joined(separator: ", ")
    }
}
