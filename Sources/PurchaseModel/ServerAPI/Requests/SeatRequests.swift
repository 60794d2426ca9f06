public import Foundation

/// A request to claim a seat of a group subscription whose members the developer's server invites.
///
/// Source: Apple's `ClaimSeatRequest`. Apple's documentation that this project has seen does not state the format of the identifier.
public struct ClaimSeatRequest: Codable, Hashable, Sendable {
    /// The UUID of the claim; a repeated request with the same identifier returns the claim that was made before.
    ///
    /// Store the identifier before the request, so that a request whose response was lost can be repeated.
    public var requestIdentifier: String
    /// The app transaction identifier of the member; nil for a member who is associated later.
    public var appTransactionId: String?

    /// Creates a request.
    public init(requestIdentifier: String, appTransactionId: String? = nil) {
        self.requestIdentifier = requestIdentifier
        self.appTransactionId = appTransactionId
    }

    /// Parses a request body.
    ///
    /// - Throws: ``ServerAPIError/generalBadRequest`` when the body is not a JSON object, ``ServerAPIError/invalidRequestIdentifier`` when the
    ///   identifier is missing or not a UUID, and ``ServerAPIError/appTransactionIdNotFound`` for an invalid app transaction identifier.
    public init(json: Data) throws(ServerAPIError) {
        let fields = try ServerAPIFields(json)
        let identifier = try fields.required(
            try fields.string("requestIdentifier", or: .invalidRequestIdentifier), or: .invalidRequestIdentifier)
        guard UUID(uuidString: identifier) != nil else { throw .invalidRequestIdentifier }
        requestIdentifier = identifier
        appTransactionId = try fields.string("appTransactionId", or: .appTransactionIdNotFound)
    }
}

/// A request to associate a claimed seat with a member.
///
/// Source: Apple's `AssociateSeatRequest`.
public struct AssociateSeatRequest: Codable, Hashable, Sendable {
    /// The app transaction identifier of the member.
    public var appTransactionId: String

    /// Creates a request.
    public init(appTransactionId: String) {
        self.appTransactionId = appTransactionId
    }

    /// Parses a request body.
    ///
    /// - Throws: ``ServerAPIError/generalBadRequest`` when the body is not a JSON object, and ``ServerAPIError/appTransactionIdNotFound`` when
    ///   the identifier is missing or invalid.
    public init(json: Data) throws(ServerAPIError) {
        let fields = try ServerAPIFields(json)
        appTransactionId = try fields.required(
            try fields.string("appTransactionId", or: .appTransactionIdNotFound), or: .appTransactionIdNotFound)
    }
}
