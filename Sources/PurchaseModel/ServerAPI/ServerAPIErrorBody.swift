/// The body of every answer that is an error with a number.
public struct ServerAPIErrorBody: Codable, Hashable, Sendable {
    /// The number; see ``ServerAPIError``.
    public var errorCode: Int64
    /// What happened, for people.
    public var errorMessage: String?

    /// Creates a body.
    public init(errorCode: Int64, errorMessage: String?) {
        self.errorCode = errorCode
        self.errorMessage = errorMessage
    }

    /// Creates the body of an error.
    public init(_ error: ServerAPIError) {
        self.init(errorCode: error.code, errorMessage: error.message)
    }

    /// The error, or nil for one that this version does not know.
    public var error: ServerAPIError? { ServerAPIError(rawValue: errorCode) }
}
