import Testing

@testable import TillrollTour

@Suite struct ExpectationTests {
    @Test func `a failed expectation describes the expected and the found value`() {
        let failure = #expect(throws: TourFailure.self) { try expect("the balance", 40, 20) }
        #expect(failure?.description == "expected the balance to be 20, found 40")
        let other = #expect(throws: TourFailure.self) { try expect("a book", false, found: "a magazine") }
        #expect(other?.description == "expected a book, found a magazine")
    }

    @Test func `a met expectation throws no error`() throws {
        try expect("the balance", 20, 20)
        try expect("a book", true, found: "a magazine")
    }
}
