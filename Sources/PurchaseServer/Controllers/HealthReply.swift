/// What a running server says to whoever watches it.
struct HealthReply: Codable, Hashable, Sendable {
    /// Always `ok`; a server that is not does not answer.
    var status = "ok"
}
