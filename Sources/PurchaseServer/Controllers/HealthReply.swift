/// The response of the health endpoint.
struct HealthReply: Codable, Hashable, Sendable {
    /// Always `ok`.
    var status = "ok"
}
