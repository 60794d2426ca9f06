/// A book that a person reads, page by page.
struct BookReader: Sendable {
    /// The approximate number of characters of a page.
    private static let pageLength = 900

    let pages: [String]
    private(set) var page = 0

    /// Opens the text of a book, whose paragraphs are not divided.
    init(_ text: String) {
        pages = text.split(separator: "\n\n").reduce(into: [String]()) { pages, part in
            if let last = pages.last, last.count + part.count < Self.pageLength {
                pages[pages.count - 1] += "\n\n" + part
            } else {
                pages.append(String(part))
            }
        }
    }

    /// Turns to a page, or to the nearest one that exists.
    mutating func turn(to page: Int) {
        self.page = min(max(page, 0), max(pages.count - 1, 0))
    }
}
