import FoundationExtras
import Testing

@Suite struct DeadlineTests {
    private struct Failure: Error {}

    @Test func `an operation that never ends is canceled at its deadline`() async {
        let (stream, _) = AsyncStream.makeStream(of: Never.self)
        await #expect(throws: DeadlineExceeded()) {
            try await withDeadline(.milliseconds(1)) {
                for await _ in stream {}
                try Task.checkCancellation()
            }
        }
    }

    @Test func `the result or the error of an operation comes before its deadline`() async throws {
        #expect(try await withDeadline(.seconds(60)) { 5 } == 5)
        await #expect(throws: Failure.self) { try await withDeadline(.seconds(60)) { throw Failure() } }
    }
}
