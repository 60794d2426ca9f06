import ProcessTestSupport
import Testing

@Suite struct LineProcessTests {
    @Test func `lines are complete, and a last line without a line break is omitted`() async throws {
        let process = try LineProcess("/bin/sh", ["-c", "printf 'one\\ntw'; printf 'o\\n\\nrest'; exit 3"])
        let lines = await process.lines.reduce(into: [String]()) { $0.append($1) }
        #expect(lines == ["one", "two", ""])
        #expect(await process.end() == 3)
    }

    @Test func `the lines of a process end when it is killed`() async throws {
        let process = try LineProcess("/bin/sh", ["-c", "echo ready; exec cat /dev/zero > /dev/null"])
        var lines = process.lines.makeAsyncIterator()
        #expect(await lines.next() == "ready")
        await process.kill()
        #expect(await lines.next() == nil)
    }

    @Test func `a missing program is an error`() {
        #expect(throws: (any Error).self) { try LineProcess("/nowhere/program", []) }
    }
}
