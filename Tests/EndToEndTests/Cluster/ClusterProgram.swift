import Foundation
import ProcessTestSupport

/// The programs that a cluster consists of, and those that create its networks.
enum ClusterProgram {
    /// The error that a program failed.
    struct Failed: Error {
        let script: String
        let output: [String]
    }

    private static let isRoot = geteuid() == 0

    /// The beginning of a command that runs as the account `postgres` if this process is root, because PostgreSQL refuses to run as root.
    static let asPostgres = isRoot ? "setpriv --reuid=postgres --regid=postgres --init-groups -- " : ""

    /// Starts a bash script.
    static func launch(_ script: String) throws -> LineProcess {
        try LineProcess("/bin/bash", ["-c", "PATH=\"$PATH:/usr/sbin:/sbin\"; exec 2>&1; \(script)"])
    }

    /// Runs a bash script to its end, and throws ``Failed`` if one of its commands fails.
    static func run(_ script: String) async throws {
        let process = try launch("set -e; " + script)
        let output = await process.lines.reduce(into: [String]()) { $0.append($1) }
        guard await process.end() == 0 else { throw Failed(script: script, output: output) }
    }

    /// Creates a folder that only the account of PostgreSQL can read.
    static func makeFolder(_ folder: URL) async throws {
        let owner = isRoot ? "chown postgres '\(folder.path)'; " : ""
        try await run("mkdir '\(folder.path)'; \(owner)chmod 700 '\(folder.path)'")
    }
}

/// A process that starts again one second after its end, as with a service manager.
struct SupervisedProcess: Sendable {
    private let supervisor: LineProcess
    private let pidFile: URL

    /// Starts a command, whose output is appended to a file of the folder.
    init(_ name: String, _ command: String, in folder: URL) throws {
        pidFile = folder.appending(path: "\(name).pid")
        let log = folder.appending(path: "\(name).log").path
        supervisor = try ClusterProgram.launch(
            "while :; do \(command) >>'\(log)' 2>&1 & echo $! >'\(pidFile.path)'; wait $! || true; sleep 1; done")
    }

    /// Kills the process, which starts again.
    func kill() {
        guard let text = try? String(contentsOf: pidFile, encoding: .utf8), let pid = Int32(text.dropLast()) else { return }
        Foundation.kill(pid, SIGKILL)
    }

    /// Kills the process for good.
    func stop() async {
        Foundation.kill(supervisor.pid, SIGKILL)
        kill()
        // Foundation notices the end of the supervisor after the end of its child.
        _ = await supervisor.end()
    }
}
