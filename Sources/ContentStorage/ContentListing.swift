/// One page of the objects in a storage.
public struct ContentListing: Hashable, Sendable {
    /// The objects, in the order of their keys' bytes; their ``StoredContent/sha256`` is nil.
    public let objects: [StoredContent]
    /// The position after this page; nil for the last page.
    public let next: ContentCursor?

    /// Creates a page.
    public init(objects: [StoredContent], next: ContentCursor?) {
        self.objects = objects
        self.next = next
    }
}

/// A position in a listing, which only the storage that returned it can interpret.
public struct ContentCursor: Hashable, Sendable {
    /// The storage's text for the position.
    public let text: String

    /// Creates a position; for implementations of a storage.
    public init(_ text: String) {
        self.text = text
    }
}

/// The objects of a storage whose keys have a prefix, as an asynchronous sequence that requests each page on demand.
public struct ContentObjects: AsyncSequence, Sendable {
    /// An object.
    public typealias Element = StoredContent
    /// The error of a request.
    public typealias Failure = ContentStorageError

    let storage: any ContentStorage
    let prefix: ContentPrefix

    /// Returns an iterator that begins with the first object.
    public func makeAsyncIterator() -> Iterator {
        Iterator(storage: storage, prefix: prefix)
    }

    /// An iterator over objects.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate enum Position {
            /// The next page follows this cursor.
            case after(ContentCursor?)
            /// There are no more pages.
            case end
        }

        fileprivate let storage: any ContentStorage
        fileprivate let prefix: ContentPrefix
        fileprivate var position = Position.after(nil)
        /// The remaining objects of the current page, last one first.
        fileprivate var rest: [StoredContent] = []

        /// Returns the next object; nil after the last one.
        ///
        /// - Throws: ``ContentStorageError/malformedResponse(status:_:)`` if the storage announces another page at the same position, or
        ///   else the error of the request.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ContentStorageError) -> StoredContent? {
            while true {
                if let object = rest.popLast() { return object }
                guard case .after(let cursor) = position else { return nil }
                let page = try await storage.list(prefix, after: cursor, limit: 1_000)
                rest = page.objects.reversed()
                guard let next = page.next else {
                    position = .end
                    continue
                }
                // The same position again would request the same page forever.
                guard next != cursor else {
                    throw .malformedResponse(status: 200, "The listing announces another page at the same position.")
                }
                position = .after(next)
            }
        }
    }
}
