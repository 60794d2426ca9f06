/// A request to explain the verification of a receipt or a JWS.
///
/// A valid request has exactly one of the two members.
struct ExplanationRequest: Codable, Sendable {
    /// An app receipt in base64.
    var receipt: String?
    /// A compact JWS of any kind: transaction, renewal information, app transaction, notification.
    var signed: String?
}
