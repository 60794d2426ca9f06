/// The body of every error response with an error code.
public struct ServerAPIErrorBody: Codable, Hashable, Sendable {
    /// The error code; see ``ServerAPIError``.
    public var errorCode: Int64
    /// The description of the error, for people.
    public var errorMessage: String?

    /// Creates a body.
    public init(errorCode: Int64, errorMessage: String?) {
        self.errorCode = errorCode
        self.errorMessage = errorMessage
    }

    /// Creates the body for an error.
    public init(_ error: ServerAPIError) {
        self.init(errorCode: error.code, errorMessage: error.message)
    }

    /// The error, or nil for a code unknown to this version.
    public var error: ServerAPIError? { ServerAPIError(rawValue: errorCode) }
}
