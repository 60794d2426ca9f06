/// One page of a list in a response of the App Store Server API.
struct Page<Element: Sendable>: Sendable {
    /// The maximum number of elements on a page.
    static var size: Int { 20 }

    var elements: [Element]
    var hasMore: Bool

    /// Creates a page from the results of a query whose limit is one more than ``size``.
    init(_ found: [Element]) {
        elements = Array(found.prefix(Self.size))
        hasMore = found.count > Self.size
    }
}
