/// Requests the explanation of a verification.
///
/// Exactly one member is present.
struct ExplanationRequest: Codable, Sendable {
    /// An app receipt in base64.
    var receipt: String?
    /// A compact JWS of any kind: transaction, renewal information, app transaction, notification.
    var signed: String?
}
