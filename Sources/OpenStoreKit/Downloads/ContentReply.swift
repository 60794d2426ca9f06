import Foundation

/// The beginning of a store's response with content, whose bytes follow.
struct ContentReply: Sendable {
    /// The offset of the first byte that follows; 0 when the store sends the content from the start.
    var offset: Int64
    /// The length of the whole content in bytes; nil when the store does not send it.
    var length: Int64?
    /// The entity tag that identifies the bytes.
    var entityTag: String?
    /// The bytes, in parts as they are received.
    var bytes: any AsyncSequence<Data, any Error> & Sendable
}
