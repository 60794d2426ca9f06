import Testing

@testable import TillrollTour

@Suite struct ExpectationTests {
    @Test func `an expectation that is not met says what was expected and what was found`() {
        let failure = #expect(throws: TourFailure.self) { try expect("the balance", 40, 20) }
        #expect(failure?.description == "expected the balance to be 20, found 40")
        let other = #expect(throws: TourFailure.self) { try expect("a book", false, found: "a magazine") }
        #expect(other?.description == "expected a book, found a magazine")
    }

    @Test func `an expectation that is met says nothing`() throws {
        try expect("the balance", 20, 20)
        try expect("a book", true, found: "a magazine")
    }
}
