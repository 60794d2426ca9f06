import Testing

@testable import TillrollTour

@Suite struct LineProcessTests {
    @Test func `lines come whole, and the last one needs its end`() async throws {
        let process = try LineProcess("/bin/sh", ["-c", "printf 'one\\ntw'; printf 'o\\n\\nrest'; exit 3"])
        let lines = await process.lines.reduce(into: [String]()) { $0.append($1) }
        #expect(lines == ["one", "two", ""])
        #expect(await process.end() == 3)
    }

    @Test func `a killed process ends its lines`() async throws {
        let process = try LineProcess("/bin/sh", ["-c", "echo ready; exec cat /dev/zero > /dev/null"])
        var lines = process.lines.makeAsyncIterator()
        #expect(await lines.next() == "ready")
        await process.kill()
        #expect(await lines.next() == nil)
    }

    @Test func `a program that is not there is an error`() {
        #expect(throws: (any Error).self) { try LineProcess("/nowhere/program", []) }
    }
}
