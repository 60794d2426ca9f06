public import Foundation

/// The beginning of a store's answer with content, whose bytes follow.
public struct ContentReply: Sendable {
    /// The first byte that follows; 0 when the store begins anew.
    public var offset: Int64
    /// How many bytes the whole content has; nil when the store does not say.
    public var length: Int64?
    /// The name of exactly these bytes.
    public var entityTag: String?
    /// The bytes as they come.
    public var bytes: any AsyncSequence<Data, any Error> & Sendable

    /// Creates an answer.
    public init(offset: Int64, length: Int64?, entityTag: String?, bytes: any AsyncSequence<Data, any Error> & Sendable) {
        self.offset = offset
        self.length = length
        self.entityTag = entityTag
        self.bytes = bytes
    }
}
