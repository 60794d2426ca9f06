import Foundation
import MonkeyShopBackend
import Testing

/// Tests of the child processes that the sample app's host starts, and of the lines that they print.
@Suite struct ChildProcessTests {
    @Test func `lines are complete, and a last line without a line break is omitted`() async throws {
        let process = try ChildProcess("/bin/sh", ["-c", "printf 'one\\ntw'; printf 'o\\n\\nrest'"])
        let lines = await process.lines.reduce(into: [String]()) { $0.append($1) }
        #expect(lines == ["one", "two", ""])
        await process.end()
    }

    @Test func `the lines of a process end when it is killed`() async throws {
        let process = try ChildProcess("/bin/sh", ["-c", "echo ready; exec cat /dev/zero > /dev/null"])
        var lines = process.lines.makeAsyncIterator()
        #expect(await lines.next() == "ready")
        await process.kill()
        #expect(await lines.next() == nil)
    }

    @Test func `a missing executable is an error`() {
        #expect(throws: (any Error).self) { try ChildProcess("/nowhere/program", []) }
    }

    @Test func `a reader can ask for a last line without a line break`() async throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("one\nquit".utf8))
        try pipe.fileHandleForWriting.close()
        let stream = ChildProcess.lines(of: pipe.fileHandleForReading, includesIncompleteLine: true)
        let lines = await stream.reduce(into: [String]()) { $0.append($1) }
        #expect(lines == ["one", "quit"])
    }
}
