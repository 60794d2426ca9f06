import Foundation

/// The beginning of a store's answer with content, whose bytes follow.
struct ContentReply: Sendable {
    /// The first byte that follows; 0 when the store begins anew.
    var offset: Int64
    /// How many bytes the whole content has; nil when the store does not say.
    var length: Int64?
    /// The name of exactly these bytes.
    var entityTag: String?
    /// The bytes as they come.
    var bytes: any AsyncSequence<Data, any Error> & Sendable
}
