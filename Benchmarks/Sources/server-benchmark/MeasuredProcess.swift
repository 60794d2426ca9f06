import Foundation

/// Starts processes, usually of this program, that share a folder and a processor core.
struct ProcessLauncher: Sendable {
    let folder: BenchmarkFolder
    /// The number of the core of the processes; nil for all cores.
    ///
    /// This process should have another core.
    let core: Int?

    /// Starts a process with the arguments of ``ServerBenchmark``, to which the path of the folder is appended.
    func start(_ arguments: [String]) throws -> MeasuredProcess {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return try start(command: [program] + arguments + [folder.url.path])
    }

    /// Starts a process of another program.
    func start(command: [String]) throws -> MeasuredProcess {
        let pinned = core.map { ["taskset", "-c", "\($0)"] } ?? []
        return try MeasuredProcess(pinned + command, log: folder.log)
    }

    /// Starts a process that serves requests, and returns its port, too.
    func startServer(_ argument: String) throws -> (process: MeasuredProcess, port: Int) {
        let process = try start([argument])
        guard let port = Int(try process.line()) else { throw MeasuredProcess.Ended() }
        return (process, port)
    }
}

/// A process of this program, which serves requests on a port or verifies samples.
final class MeasuredProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    fileprivate init(_ command: [String], log: URL) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = input
        process.standardOutput = output
        let log = try FileHandle(forWritingTo: log)
        try log.seekToEnd()
        process.standardError = log
        try process.run()
    }

    /// Returns the next line that the process prints.
    func line() throws -> String {
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte[byte.startIndex] != UInt8(ascii: "\n") {
            line += byte
        }
        guard !line.isEmpty else { throw Ended() }
        return String(decoding: line, as: UTF8.self)
    }

    /// Stops the process, which ends with its standard input.
    func stop() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Stops a process that does not read its standard input.
    ///
    /// The process can have inherited a mask that blocks SIGTERM from the thread that started it.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The resident memory of the process in KiB.
    var residentKiB: Double {
        let status = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
    }

    /// The error for a process that ended unexpectedly; the log has the reason.
    struct Ended: Error {}
}
