import Foundation
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests of the metrics of a running server, and of the alert rules, with Prometheus' own tool.
@Suite struct MetricsProcessTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    /// Runs a line of shell with an argument, and returns its exit code and its output.
    private static func shell(_ line: String, _ argument: String) async throws -> (code: Int32, output: String) {
        let process = try LineProcess("/bin/bash", ["-o", "pipefail", "-c", "{ \(line); } 2>&1", "bash", argument])
        let lines = await process.lines.reduce(into: [String]()) { $0.append($1) }
        return (await process.end(), lines.joined(separator: "\n"))
    }

    @Test func `Prometheus accepts the alert rules`() async throws {
        let rules = Self.root.appending(path: "packaging/monitoring/alerts.yaml").path
        let (code, output) = try await Self.shell("promtool check rules \"$1\"", rules)
        #expect(code == 0 && output.contains("11 rules found"), "\(output)")
    }

    @Test func `each line of a log in JSON is an object`() async throws {
        try await TemporaryFolder.with { folder in
            try RunningServer.writeFiles(in: folder)
            let process = try RunningServer.launch(RunningServer.arguments(in: folder) + ["--log-format", "json"])
            var messages: [String] = []
            for await line in process.lines {
                let entry = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
                #expect(Set(entry.keys).isSuperset(of: ["time", "level", "logger", "message"]))
                #expect((entry["time"] as? String)?.hasSuffix("Z") == true, "\(line)")
                messages.append(entry["message"] as? String ?? "")
                if messages.last == "listening" {
                    #expect((entry["metadata"] as? [String: String])?["port"].flatMap { Int($0) } ?? 0 > 0)
                    break
                }
            }
            #expect(messages.last == "listening")
            #expect(await process.terminate() == 0)
        }
    }

    @Test func `a server answers with metrics that Prometheus accepts, on an address of their own`() async throws {
        try await TemporaryFolder.with { folder in
            try RunningServer.writeFiles(in: folder)
            let process = try RunningServer.launch(RunningServer.arguments(in: folder) + ["--metrics-port", "0"])
            let line = try #require(await process.lines.first { $0.contains("metrics listening") })
            let url = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+\/metrics/).map { String($0.0) })
            let (code, text) = try await Self.shell("curl -sSf \"$1\"", url)
            #expect(code == 0)
            for name in [
                "process_resident_memory_bytes ", "process_open_fds ", "tillroll_build_info{version=", "process_cpu_seconds_total ",
            ] {
                #expect(text.contains("\n\(name)"), "\(name)")
            }
            #expect(try await Self.shell("curl -sSf \"$1\" | promtool check metrics", url) == (0, ""))
            #expect(await process.terminate() == 0)
        }
    }
}
