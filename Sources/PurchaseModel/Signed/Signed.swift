/// A compact JWS that is not yet verified, with a payload that claims to be a `Payload`.
///
/// Signed data is stored and sent in this form. The payload is not trustworthy until a verifier has checked the signature and created a
/// verified value. This module never decodes the payload.
public struct Signed<Payload>: Hashable, Sendable {
    /// The JWS in compact serialization: three base64url parts, joined by dots.
    public let compact: String

    /// Wraps a compact JWS.
    public init(_ compact: String) {
        self.compact = compact
    }
}

extension Signed: Codable {
    /// Decodes the compact JWS from a JSON string.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the compact JWS as a JSON string.
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
/// A signed realtime request, which the store sends while a customer is about to cancel a subscription, not yet verified.
public typealias SignedRealtimeRequest = Signed<RealtimeRequestPayload>
/// Signed data of an unknown kind, not yet verified.
public typealias SignedOther = Signed<OtherPayload>
