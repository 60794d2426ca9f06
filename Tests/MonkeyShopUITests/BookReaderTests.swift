import MonkeyShop
import Testing

@testable import MonkeyShopUI

/// Tests of the pages of an open book.
struct BookReaderTests {
    @Test(arguments: MonkeyShopBook.allCases)
    func `the pages of a book have all its lines, and none is long`(_ book: MonkeyShopBook) {
        let reader = BookReader(book.text)
        #expect(reader.pages.flatMap { $0 } == book.text.split(separator: "\n").map(String.init))
        // The last line can make a page longer than `pageLength`.
        #expect(reader.pages.allSatisfy { $0.reduce(0) { $0 + $1.count } < BookReader.pageLength + 200 })
        #expect(reader.pages.count > 20)
    }

    @Test(arguments: [(-5, 0), (1, 1), (Int.max, 2), (Int.min, 0)])
    func `turning beyond the book stays in it`(_ page: Int, _ shown: Int) {
        var reader = BookReader([String](repeating: String(repeating: "a", count: BookReader.pageLength), count: 3).joined(separator: "\n"))
        reader.turn(to: page)
        #expect(reader.page == shown)
    }

    @Test func `an empty book has an empty page`() {
        var reader = BookReader("")
        reader.turn(to: 3)
        #expect(reader.pages == [[]] && reader.page == 0)
    }
}
