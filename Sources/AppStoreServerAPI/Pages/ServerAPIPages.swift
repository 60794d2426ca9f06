/// The pages of a history, as an asynchronous sequence that requests each page on demand.
///
/// Each request has the same filters and continues after the page before it. Iteration ends after the last page, or with the error of a
/// request. After an error, the iterator's next call requests the same page again.
public struct ServerAPIPages<Page: Sendable>: AsyncSequence, Sendable {
    /// The error of a request.
    public typealias Failure = AppStoreServerAPIError

    /// Requests the page after a token.
    typealias Load = @Sendable (_ token: String?) async throws(AppStoreServerAPIError) -> Page

    private let start: String?
    private let load: Load
    private let hasMore: @Sendable (Page) -> Bool
    private let token: @Sendable (Page) -> String?

    /// Creates the pages after a token; with nil, all pages.
    init(
        after start: String?, hasMore: @escaping @Sendable (Page) -> Bool, token: @escaping @Sendable (Page) -> String?,
        load: @escaping Load
    ) {
        self.start = start
        self.hasMore = hasMore
        self.token = token
        self.load = load
    }

    /// Returns an iterator that begins with the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(pages: self, position: .next(start))
    }

    /// An iterator over the pages of a history.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate enum Position {
            /// The next request has this token.
            case next(String?)
            /// There are no more pages.
            case end
        }

        fileprivate let pages: ServerAPIPages
        fileprivate var position: Position

        /// Requests the next page; returns nil after the last page.
        ///
        /// - Throws: ``AppStoreServerAPIError/malformedResponse(status:_:)`` if the App Store announces another page without a new token,
        ///   or else the error of the request.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(AppStoreServerAPIError) -> Page? {
            guard case .next(let token) = position else { return nil }
            let page = try await pages.load(token)
            guard pages.hasMore(page) else {
                position = .end
                return page
            }
            // The same token again would request the same page forever.
            guard let following = pages.token(page), following != token else {
                throw .malformedResponse(status: 200, "The page has more pages after it, but no new token for the next one.")
            }
            position = .next(following)
            return page
        }
    }
}
