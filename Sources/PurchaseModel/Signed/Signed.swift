/// Something the store signed, still unread: a compact JWS whose payload claims to be a `Payload`.
///
/// This is the form in which signed data is stored and sent. It proves nothing until a verifier has turned it into a
/// verified value; nothing in the model decodes the payload.
public struct Signed<Payload>: Hashable, Sendable {
    /// The three base64url parts, joined by dots.
    public let compact: String

    /// Wraps a compact JWS.
    public init(_ compact: String) {
        self.compact = compact
    }
}

extension Signed: Codable {
    /// Reads the compact form from a JSON string.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the compact form as a JSON string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(compact)
    }
}

/// A signed transaction, not yet verified.
public typealias SignedTransaction = Signed<TransactionPayload>
/// A signed renewal state of a subscription, not yet verified.
public typealias SignedRenewalInfo = Signed<RenewalInfoPayload>
/// A signed server notification, not yet verified.
public typealias SignedNotification = Signed<NotificationPayload>
/// A signed app transaction, not yet verified.
public typealias SignedAppTransaction = Signed<AppTransactionPayload>
/// A signed request of the store for an answer at once, not yet verified.
public typealias SignedRealtimeRequest = Signed<RealtimeRequestPayload>
/// Signed data of a kind that is not known here, not yet verified.
public typealias SignedOther = Signed<OtherPayload>
