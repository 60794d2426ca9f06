/// How far to move the store's time.
public struct AdvanceRequest: Codable, Hashable, Sendable {
    /// Seconds, from 0 to those of ten years.
    public var seconds: Int64
    /// Whether this is a further part of the move before: servers that were silent in it are not waited for again.
    public var continues: Bool?

    /// Creates a request.
    public init(seconds: Int64, continues: Bool? = nil) {
        self.seconds = seconds
        self.continues = continues
    }
}
