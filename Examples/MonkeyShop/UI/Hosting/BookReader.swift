/// A book that a person reads, page by page.
struct BookReader: Sendable {
    /// The number of characters after which no further line is added to a page.
    static let pageLength = 900

    /// The lines of each page; there is one page at least.
    let pages: [[String]]
    private(set) var page = 0

    /// Opens the text of a book, whose lines are not divided.
    init(_ text: String) {
        var (pages, length) = ([[String]](), Self.pageLength)
        for line in text.split(separator: "\n") {
            if length >= Self.pageLength {
                pages.append([])
                length = 0
            }
            pages[pages.count - 1].append(String(line))
            length += line.count
        }
        self.pages = pages.isEmpty ? [[]] : pages
    }

    /// Turns to a page, or to the nearest one that exists.
    mutating func turn(to page: Int) {
        self.page = min(max(page, 0), pages.count - 1)
    }
}
