public import Foundation
import Synchronization

/// A child process that the sample starts and kills, and whose standard output is read line by line.
public final class ChildProcess: Sendable {
    /// The lines that the process prints; the stream ends with the process.
    public let lines: AsyncStream<String>
    /// The process ID.
    public let pid: Int32
    private let exit: Task<Void, Never>
    /// Whether the process has ended, after which its identifier can belong to another process.
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

    /// Returns a stream of lines, which a separate thread reads: a blocking read must not occupy a thread of Swift concurrency.
    ///
    /// - Parameters:
    ///   - handle: The file to read to its end.
    ///   - includesIncompleteLine: Whether the stream contains a last line without a line break, which a killed process can have cut off.
    public static func lines(of handle: FileHandle, includesIncompleteLine: Bool = false) -> AsyncStream<String> {
        // The buffer is not limited, because no line may be dropped, and a process whose lines are not read would wait for its reader.
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        // A thread of its own, because the queues of Dispatch block after 255 readers.
        Thread.detachNewThread {
            var rest = Data()
            while case let data = handle.availableData, !data.isEmpty {
                rest.append(data)
                var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = Data(lines.popLast() ?? Data())
                for line in lines { continuation.yield(String(decoding: line, as: UTF8.self)) }
            }
            if includesIncompleteLine, !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
            // The handle is closed here, because Foundation never releases the process object that holds it.
            try? handle.close()
            continuation.finish()
        }
        return stream
    }

    /// Kills the process with SIGKILL, which it can't handle, and waits until it has ended.
    public func kill() async {
        // Foundation states the end shortly after it, so that a signal in between still goes to the identifier.
        hasEnded.value.withLock { hasEnded in
            if !hasEnded { _ = Foundation.kill(pid, SIGKILL) }
        }
        await exit.value
    }

    /// Waits for the end of the process.
    public func end() async { await exit.value }
}
