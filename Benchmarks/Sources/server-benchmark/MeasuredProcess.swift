import Foundation

/// A process of this program on a processor core of its own, which serves requests on a port or verifies samples.
final class MeasuredProcess {
    /// The processor core of the measured processes; this process uses another one.
    private static let core = 1

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts a process.
    ///
    /// - Parameter arguments: The arguments for ``ServerBenchmark``, of which the last one is the path of the folder.
    init(_ arguments: [String], in folder: BenchmarkFolder) throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // Without the command, the system chooses the core.
        let pinned = FileManager.default.isExecutableFile(atPath: "/usr/bin/taskset") ? ["taskset", "-c", "\(Self.core)"] : []
        process.arguments = pinned + [program] + arguments + [folder.url.path]
        process.standardInput = input
        process.standardOutput = output
        let log = try FileHandle(forWritingTo: folder.log)
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

    /// The resident memory of the process in KiB.
    var residentKiB: Double {
        let status = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
    }

    /// The error for a process that ended unexpectedly; the log has the reason.
    struct Ended: Error {}
}
