/// How far to move the store's time.
public struct AdvanceRequest: Codable, Hashable, Sendable {
    /// Seconds, from 0 to those of ten years.
    public var seconds: Int64

    /// Creates a request.
    public init(seconds: Int64) {
        self.seconds = seconds
    }
}
