/// The JSON body of an error response of the App Store Server API.
public struct ServerAPIErrorBody: Codable, Hashable, Sendable {
    /// The error code; see ``ServerAPIError``.
    public var errorCode: Int64
    /// The description of the error, for people.
    public var errorMessage: String?

    /// Creates the body of an error response.
    public init(errorCode: Int64, errorMessage: String?) {
        self.errorCode = errorCode
        self.errorMessage = errorMessage
    }

    /// Creates the body of the response for an error.
    public init(_ error: ServerAPIError) {
        self.init(errorCode: error.code, errorMessage: error.message)
    }

    /// The error with this error code; nil for an unknown error code.
    public var error: ServerAPIError? { ServerAPIError(rawValue: errorCode) }
}
