/// An unverified compact JWS from the store, with a payload that claims to be a `Payload`.
///
/// Signed data is stored and sent in this form. Its contents are unproven until a verifier creates a verified value from it. The model
/// never decodes the payload.
public struct Signed<Payload>: Hashable, Sendable {
    /// The three base64url parts, joined by dots.
    public let compact: String

    /// Wraps a compact JWS.
    public init(_ compact: String) {
        self.compact = compact
    }
}

extension Signed: Codable {
    /// Decodes the compact form from a JSON string.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the compact form as a JSON string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(compact)
    }
}

/// A signed transaction, not yet verified.
public typealias SignedTransaction = Signed<TransactionPayload>
/// The signed renewal info of a subscription, not yet verified.
public typealias SignedRenewalInfo = Signed<RenewalInfoPayload>
/// A signed server notification, not yet verified.
public typealias SignedNotification = Signed<NotificationPayload>
/// A signed app transaction, not yet verified.
public typealias SignedAppTransaction = Signed<AppTransactionPayload>
/// A signed realtime request of the store, which expects an immediate response, not yet verified.
public typealias SignedRealtimeRequest = Signed<RealtimeRequestPayload>
/// Signed data of an unknown kind, not yet verified.
public typealias SignedOther = Signed<OtherPayload>
