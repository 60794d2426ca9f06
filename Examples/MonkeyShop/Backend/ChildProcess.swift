public import Foundation
import Synchronization

/// A child process whose standard output is read line by line.
public final class ChildProcess: Sendable {
    /// The lines that the process prints; the stream ends when the process ends.
    public let lines: AsyncStream<String>
    /// The process ID.
    public let pid: Int32
    private let exit: Task<Void, Never>
    /// Whether the process has ended; the system can then assign the process ID to another process.
    private let hasEnded: Flag

    private final class Flag: Sendable {
        let value = Mutex(false)
    }

    /// Starts an executable as a child process.
    ///
    /// - Parameters:
    ///   - executable: The path of the executable.
    ///   - arguments: The arguments of the process.
    ///   - standardInput: The pipe from which the process reads; nil for no input.
    /// - Throws: An error of Foundation if the executable can't be started.
    public init(_ executable: String, _ arguments: [String], standardInput: Pipe? = nil) throws {
        let process = Process()
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = standardInput ?? FileHandle.nullDevice
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        let flag = Flag()
        process.terminationHandler = { _ in
            flag.value.withLock { $0 = true }
            ended.finish()
        }
        try process.run()
        pid = process.processIdentifier
        hasEnded = flag
        exit = Task { for await _ in ends {} }
        lines = Self.lines(of: output.fileHandleForReading)
    }

    /// Returns a stream of the lines in a file.
    ///
    /// A separate thread reads the file, because a blocking read must not occupy a thread of Swift concurrency.
    ///
    /// - Parameters:
    ///   - handle: The file to read to its end.
    ///   - includesIncompleteLine: Whether the stream contains a last line without a line break, as a killed process can leave it.
    public static func lines(of handle: FileHandle, includesIncompleteLine: Bool = false) -> AsyncStream<String> {
        // Do not limit the buffer: a limit would drop lines, or make the process wait until its lines are read.
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        // Read in a detached thread, because a queue of Dispatch would block after 255 readers.
        Thread.detachNewThread {
            var rest = Data()
            while case let data = handle.availableData, !data.isEmpty {
                rest.append(data)
                var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = Data(lines.popLast() ?? Data())
                for line in lines { continuation.yield(String(decoding: line, as: UTF8.self)) }
            }
            if includesIncompleteLine, !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
            // Close the handle here, because Foundation never releases the process object that holds the handle.
            try? handle.close()
            continuation.finish()
        }
        return stream
    }

    /// Kills the process with SIGKILL, and waits until the process has ended.
    public func kill() async {
        // Send a signal while the flag is false only. Foundation sets the flag shortly after the end, so the process may have ended.
        hasEnded.value.withLock { hasEnded in
            if !hasEnded { _ = Foundation.kill(pid, SIGKILL) }
        }
        await exit.value
    }

    /// Waits until the process ends.
    public func end() async { await exit.value }
}
