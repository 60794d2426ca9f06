import Foundation
import PurchaseModel
import Synchronization

/// An app in a process of its own.
final class AppProcess: Sendable {
    /// What it says, in order; ends with the process.
    let news: AsyncStream<AppNews>
    /// Its process id.
    let pid: Int32
    private let exit: Task<Void, Never>

    /// Starts `tillroll app` with a script.
    init(_ run: AppRun, executable: String) throws {
        let script = "\(run.folder)/run.json"
        try FileManager.default.createDirectory(atPath: run.folder, withIntermediateDirectories: true)
        try WireJSON.encode(run).write(to: URL(filePath: script), options: .atomic)
        let process = Process()
        process.executableURL = URL(filePath: executable)
        process.arguments = ["app", script]
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        let (ends, ended) = AsyncStream.makeStream(of: Never.self)
        process.terminationHandler = { _ in ended.finish() }
        try process.run()
        pid = process.processIdentifier
        exit = Task { for await _ in ends {} }
        news = Self.lines(of: output.fileHandleForReading)
    }

    private static func lines(of handle: FileHandle) -> AsyncStream<AppNews> {
        let (stream, continuation) = AsyncStream.makeStream(of: AppNews.self)
        let rest = Mutex(Data())
        handle.readabilityHandler = { handle in
            let data = handle.availableData
            guard !data.isEmpty else {
                handle.readabilityHandler = nil
                continuation.finish()
                return
            }
            let lines = rest.withLock { rest -> [Data] in
                rest.append(data)
                var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Data($0) }
                rest = parts.popLast() ?? Data()
                return parts
            }
            for line in lines {
                guard let news = try? WireJSON.decode(AppNews.self, from: line) else { continue }
                continuation.yield(news)
            }
        }
        return stream
    }

    /// Ends the process as a power cut does: without a word to it.
    func kill() async {
        Foundation.kill(pid, SIGKILL)
        await exit.value
    }

    /// Waits for its end.
    func end() async {
        await exit.value
    }
}
