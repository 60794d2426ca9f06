/// A page of a list, with the information whether there are more elements.
struct Page<Element: Sendable>: Sendable {
    /// The maximum number of elements on a page of the App Store Server API.
    static var size: Int { 20 }

    var elements: [Element]
    var hasMore: Bool

    /// Creates a page from the elements of a query whose limit is one more than the page size.
    init(_ found: [Element]) {
        elements = Array(found.prefix(Self.size))
        hasMore = found.count > Self.size
    }
}
