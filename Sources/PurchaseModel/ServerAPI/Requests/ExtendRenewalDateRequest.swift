public import Foundation

/// The reason for a renewal date extension.
public enum ExtendReason: Int, Codable, Hashable, Sendable, CaseIterable {
    /// The developer declared no reason.
    case undeclared = 0
    /// The extension is for customer satisfaction.
    case customerSatisfaction = 1
    /// The extension has another reason.
    case other = 2
    /// The extension compensates for a service issue or outage.
    case serviceIssue = 3
}

/// A request to extend the renewal date of one subscription.
public struct ExtendRenewalDateRequest: Codable, Hashable, Sendable {
    /// The maximum number of characters in a request identifier.
    public static let requestIdentifierLimit = 128

    /// The number of days by which the renewal date is extended, from 1 to 90.
    public var extendByDays: Int
    /// The reason for the extension.
    public var extendReasonCode: ExtendReason
    /// The developer's identifier of the request.
    public var requestIdentifier: String

    /// Creates a request.
    public init(extendByDays: Int, extendReasonCode: ExtendReason, requestIdentifier: String) {
        self.extendByDays = extendByDays
        self.extendReasonCode = extendReasonCode
        self.requestIdentifier = requestIdentifier
    }

    /// Parses a request body.
    ///
    /// - Throws: ``ServerAPIError/generalBadRequest`` when the body is not a JSON object, or else the error of the first invalid field.
    public init(json: Data) throws(ServerAPIError) {
        try self.init(ServerAPIFields(json))
        guard (1...Self.requestIdentifierLimit).contains(requestIdentifier.count) else { throw .invalidRequestIdentifier }
    }

    /// Parses the fields that are the same for one and for many subscriptions, without checking the length of the request identifier.
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
