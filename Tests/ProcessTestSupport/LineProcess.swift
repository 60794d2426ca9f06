package import Foundation
import Synchronization

/// A child process whose standard output is read line by line.
package final class LineProcess: Sendable {
    /// The lines that the process prints; the stream ends with the process.
    package let lines: AsyncStream<String>
    /// The process ID.
    package let pid: Int32
    private let exit: Task<Int32, Never>
    private let termination: Termination

    /// Starts an executable as a child process; nil for `standardError` inherits this process's.
    ///
    /// - Parameter standardInput: The pipe from which the process reads; nil for no input.
    package init(_ executable: String, _ arguments: [String], standardInput: Pipe? = nil, standardError: FileHandle? = nil) throws {
        let process = Process()
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = standardInput ?? FileHandle.nullDevice
        if let standardError { process.standardError = standardError }
        let (codes, ended) = AsyncStream.makeStream(of: Int32.self)
        let termination = Termination()
        process.terminationHandler = { process in
            termination.note()
            ended.yield(process.terminationStatus)
            ended.finish()
        }
        try process.run()
        pid = process.processIdentifier
        self.termination = termination
        exit = Task { await codes.first { _ in true } ?? -1 }
        lines = Self.lines(of: output.fileHandleForReading)
    }

    /// Returns a stream of lines, which a separate thread reads: a blocking read must not occupy a thread of Swift concurrency.
    package static func lines(of handle: FileHandle) -> AsyncStream<String> {
        // The buffer is not limited, because no line may be dropped, and a process whose lines are not read would wait for its reader.
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        // A thread of its own, because the queues of Dispatch block after 255 readers.
        Thread.detachNewThread {
            var rest = Data()
            while case let data = handle.availableData, !data.isEmpty {
                rest.append(data)
                var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = Data(lines.popLast() ?? Data())
                for line in lines {
                    continuation.yield(String(decoding: line, as: UTF8.self))
                }
            }
            // The handle is closed here, because Foundation never releases the process object that holds it.
            try? handle.close()
            continuation.finish()
        }
        return stream
    }

    /// Kills the process with SIGKILL, which it can't handle, and waits until it has ended.
    package func kill() async {
        termination.send(SIGKILL, to: pid)
        _ = await exit.value
    }

    /// Sends SIGTERM to the process, as a service manager does, and returns the exit code.
    package func terminate() async -> Int32 {
        termination.send(SIGTERM, to: pid)
        return await exit.value
    }

    /// Waits for the end of the process and returns the exit code.
    package func end() async -> Int32 {
        await exit.value
    }
}

/// Whether a process has ended, after which its identifier can belong to another process.
///
/// Foundation states the end shortly after it, so that a signal in between still goes to the identifier.
private final class Termination: Sendable {
    private let hasEnded = Mutex(false)

    func note() { hasEnded.withLock { $0 = true } }

    /// Sends a signal to a process that has not ended.
    func send(_ signal: Int32, to pid: Int32) {
        hasEnded.withLock { hasEnded in
            if !hasEnded { _ = kill(pid, signal) }
        }
    }
}
