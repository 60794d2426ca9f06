#if os(macOS) || os(Linux)
    import Foundation
    import Synchronization

    /// A child process whose standard output is read line by line, and whose standard error is kept in a file of its folder.
    ///
    /// The standard input of the process is a pipe without data, which ends with this process, even if this process is killed.
    /// swift-subprocess is not used: it ends a process as soon as the task is canceled, while the body of ``StoreProcess`` can still use the
    /// store, and it does not support iOS, for which this target is built, too.
    final class StoreChildProcess: Sendable {
        /// The lines that the process prints; the stream ends with the process.
        let lines: AsyncStream<String>
        private let pid: Int32
        private let exit: Task<Void, Never>
        private let hasEnded: EndMark
        private let errors: URL
        private let input: Pipe

        /// Starts an executable in a folder.
        ///
        /// - Throws: ``StoreControlError/notStarted(_:)`` if the executable can't be started.
        init(_ executable: String, _ arguments: [String], in folder: URL) throws(StoreControlError) {
            let (process, input, output) = (Process(), Pipe(), Pipe())
            process.executableURL = URL(filePath: executable)
            process.arguments = arguments
            process.currentDirectoryURL = folder
            // The temporary files of a process that is killed are removed with the folder.
            process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
            process.standardInput = input
            // Another child process with a copy of the descriptor would keep the pipe open after the end of this process.
            _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
            process.standardOutput = output
            let errors = folder.appending(path: "errors")
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            let mark = EndMark()
            process.terminationHandler = { _ in
                mark.set()
                end.finish()
            }
            do {
                try Data().write(to: errors)
                let log = try FileHandle(forWritingTo: errors)
                // The process has a copy of the file's descriptor.
                defer { try? log.close() }
                process.standardError = log
                try process.run()
            } catch {
                throw .notStarted("\(executable) can't be started: \(error.localizedDescription)")
            }
            self.errors = errors
            self.input = input
            pid = process.processIdentifier
            hasEnded = mark
            exit = Task { for await _ in ends {} }
            lines = Self.lines(of: output.fileHandleForReading)
        }

        /// The beginning of the process's standard error, for messages; empty if the process printed nothing there.
        var messages: String {
            let text = (try? Data(contentsOf: errors)).map { String(decoding: $0.prefix(2_000), as: UTF8.self) } ?? ""
            return text.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        /// Ends the process, and returns when it has ended: with SIGTERM, and with SIGKILL after the grace time.
        func end(graceSeconds: Int64) async {
            hasEnded.send(SIGTERM, to: pid)
            let killer = Task { [hasEnded, pid] in
                try await Task.sleep(for: .seconds(graceSeconds))
                hasEnded.send(SIGKILL, to: pid)
            }
            await exit.value
            killer.cancel()
            // The handle is closed here, because Foundation never releases the process object that holds the pipe.
            try? input.fileHandleForWriting.close()
        }

        /// Returns a stream of lines, which a separate thread reads: a blocking read must not occupy a thread of Swift concurrency.
        private static func lines(of handle: FileHandle) -> AsyncStream<String> {
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
                // The handle is closed here, because Foundation never releases the process object that holds it.
                try? handle.close()
                continuation.finish()
            }
            return stream
        }
    }

    /// Whether a process has ended, after which its identifier can belong to another process.
    ///
    /// Foundation states the end shortly after it, so that a signal in between still goes to the identifier.
    private final class EndMark: Sendable {
        private let hasEnded = Mutex(false)

        func set() { hasEnded.withLock { $0 = true } }

        /// Sends a signal to a process that has not ended.
        func send(_ signal: Int32, to pid: Int32) {
            hasEnded.withLock { hasEnded in
                if !hasEnded { _ = kill(pid, signal) }
            }
        }
    }
#endif
