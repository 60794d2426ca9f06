/// Some elements of a list, and whether there are more.
struct Page<Element: Sendable>: Sendable {
    /// The most elements of one page of the App Store Server API.
    static var size: Int { 20 }

    var elements: [Element]
    var hasMore: Bool

    /// Makes a page of what was found by asking for one element more than a page has.
    init(_ found: [Element]) {
        elements = Array(found.prefix(Self.size))
        hasMore = found.count > Self.size
    }
}
