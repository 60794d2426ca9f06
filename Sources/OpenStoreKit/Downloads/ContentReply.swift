import Foundation

/// A store's response to a request for hosted content.
struct ContentReply: Sendable {
    /// The offset of the first byte of ``bytes`` in the content; 0 if the store sends the content from the start.
    var offset: Int64
    /// The length of the whole content in bytes; nil if the store does not state the length.
    var length: Int64?
    /// The entity tag that identifies this version of the content; nil if the store sends none.
    var entityTag: String?
    /// The bytes of the content, in chunks as they are received.
    var bytes: any AsyncSequence<Data, any Error> & Sendable
}
