public import Foundation

/// Puts off the renewal of one subscription.
public struct ExtendRenewalDateRequest: Codable, Hashable, Sendable {
    /// How many characters an identifier of a request may have.
    public static let requestIdentifierLimit = 128

    /// How many days, 1 to 90.
    public var extendByDays: Int
    /// Why.
    public var extendReasonCode: ExtendReason
    /// What the developer calls this request.
    public var requestIdentifier: String

    /// Creates a request.
    public init(extendByDays: Int, extendReasonCode: ExtendReason, requestIdentifier: String) {
        self.extendByDays = extendByDays
        self.extendReasonCode = extendReasonCode
        self.requestIdentifier = requestIdentifier
    }

    /// Reads a body.
    ///
    /// - Throws: The error of the first field that cannot be used.
    public init(json: Data) throws(ServerAPIError) {
        try self.init(ServerAPIFields(json))
        guard (1...Self.requestIdentifierLimit).contains(requestIdentifier.count) else { throw .invalidRequestIdentifier }
    }

    /// Reads the fields that requests for one and for many have in common; the identifier may be any text.
    init(_ fields: ServerAPIFields) throws(ServerAPIError) {
        guard let days = try fields.integer("extendByDays", or: .invalidExtendByDays), (1...90).contains(days) else {
            throw .invalidExtendByDays
        }
        let reason = try fields.integer("extendReasonCode", or: .invalidExtendReasonCode).flatMap { Int(exactly: $0) }
        extendByDays = Int(days)
        extendReasonCode = try fields.required(reason.flatMap { ExtendReason(rawValue: $0) }, or: .invalidExtendReasonCode)
        let identifier = try fields.string("requestIdentifier", or: .invalidRequestIdentifier)
        requestIdentifier = try fields.required(identifier, or: .invalidRequestIdentifier)
    }
}
