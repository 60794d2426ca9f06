/// The pages of an open book.
struct BookReader: Sendable {
    /// The number of characters after which a page ends with the current line.
    static let pageLength = 900

    /// The lines of each page; at least one page exists.
    let pages: [[String]]
    private(set) var page = 0

    /// Divides the text of a book into pages between its lines.
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

    /// Turns to a page, or to the nearest existing page.
    mutating func turn(to page: Int) {
        self.page = min(max(page, 0), pages.count - 1)
    }
}
