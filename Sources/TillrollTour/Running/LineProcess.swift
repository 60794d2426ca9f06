import Dispatch
package import Foundation

/// A process of its own, of which the lines of its standard output are read as they come.
package final class LineProcess: Sendable {
    /// What it prints, a line at a time; ends with the process.
    package let lines: AsyncStream<String>
    /// Its process id.
    package let pid: Int32
    private let exit: Task<Int32, Never>

    /// Starts a program.
    package init(_ executable: String, _ arguments: [String], standardError: FileHandle? = nil) throws {
        let process = Process()
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        if let standardError { process.standardError = standardError }
        let (codes, ended) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            ended.yield(process.terminationStatus)
            ended.finish()
        }
        try process.run()
        pid = process.processIdentifier
        exit = Task { await codes.first { _ in true } ?? -1 }
        lines = Self.lines(of: output.fileHandleForReading)
    }

    /// Reads on a thread of its own, which the kernel wakes: reading a pipe blocks, and must not hold up anybody's tasks.
    private static func lines(of handle: FileHandle) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        DispatchQueue(label: "LineProcess").async {
            var rest = Data()
            while case let data = handle.availableData, !data.isEmpty {
                rest.append(data)
                var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = Data(lines.popLast() ?? Data())
                for line in lines {
                    continuation.yield(String(decoding: line, as: UTF8.self))
                }
            }
            // Foundation keeps the handle as long as the process that keeps it, which is for ever.
            try? handle.close()
            continuation.finish()
        }
        return stream
    }

    /// Ends the process as a power cut does: without a word to it.
    package func kill() async {
        Foundation.kill(pid, SIGKILL)
        _ = await exit.value
    }

    /// Asks the process to end, as a service manager does, and returns its exit code.
    package func terminate() async -> Int32 {
        Foundation.kill(pid, SIGTERM)
        return await exit.value
    }

    /// Waits for its end and returns its exit code.
    package func end() async -> Int32 {
        await exit.value
    }
}
