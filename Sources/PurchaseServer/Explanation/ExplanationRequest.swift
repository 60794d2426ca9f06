/// Asks what signed bytes are worth, and how that is found out; exactly one member is there.
struct ExplanationRequest: Codable, Sendable {
    /// An app receipt in base64.
    var receipt: String?
    /// A compact JWS of any kind: transaction, renewal information, app transaction, notification.
    var signed: String?
}
