import BenchmarkReport
import Foundation
import Logging
import PurchaseModel
import PurchaseServer

/// Measures the purchase server, compared with a bare route, with verification alone, with shorter histories, and with nginx.
///
///     server-benchmark [--json] [--short] [--core=NUMBER] [reads] [intake] [growth] [content]
///
/// Without a name, the benchmark measures everything, which takes about 10 minutes. With `--short` it makes few requests, to test the
/// benchmark itself. With `--core`, the measured processes run on that processor core. They run the same program with the arguments
/// `serve`, `bare` and `verify`.
@main struct ServerBenchmark {
    private static let usage = """
        server-benchmark [--json] [--short] [--core=NUMBER] [reads] [intake] [growth] [content]

          --json         prints JSON instead of a table
          --short        makes few requests, to test the benchmark itself
          --core=NUMBER  runs the measured processes on that processor core
        """

    static func main() async {
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            switch arguments.first {
            case "--help", "-h": print(usage)
            case "serve", "bare", "verify": try await runMeasured(arguments)
            default: try ReportLine.print(try await run(arguments), asJSON: arguments.contains("--json"))
            }
        } catch {
            FileHandle.standardError.write(Data("server-benchmark: \(error)\n".utf8))
            exit(1)
        }
    }

    /// Runs a measured process, which ends with its standard input.
    private static func runMeasured(_ arguments: [String]) async throws {
        Thread.detachNewThread {
            _ = try? FileHandle.standardInput.readToEnd()
            exit(0)
        }
        let folder = BenchmarkFolder(url: URL(fileURLWithPath: arguments.last ?? ""))
        switch arguments.first {
        case "serve": try await ServedApplication.purchaseServer(in: folder)
        case "bare": try await ServedApplication.bareServer(in: folder)
        default: try await PureVerification.run(PureVerification.Kind(rawValue: arguments[1]) ?? .transaction, in: folder)
        }
    }

    private static func run(_ arguments: [String]) async throws -> [ReportLine] {
        let wanted = arguments.filter { !$0.hasPrefix("-") }
        let isShort = arguments.contains("--short")
        return try await BenchmarkFolder.with { folder in
            let samples = SignedSamples(authority: try BenchmarkAuthority())
            try Data(samples.authority.rootPEM.utf8).write(to: folder.roots)
            try folder.writeFilm(length: isShort ? 1_000_000 : 100_000_000)
            let keys = try await createDatabase(folder)
            let core = arguments.first { $0.hasPrefix("--core=") }.flatMap { Int($0.dropFirst("--core=".count)) }
            let launcher = ProcessLauncher(folder: folder, core: core)
            let (process, port) = try launcher.startServer("serve")
            let template = samples.period(first: CustomerDatabase.template.transaction, for: CustomerDatabase.template.customer)
            let body = try samples.submission([template])
            _ = try LoadClient(port: port, connections: 1).run([
                HTTPRequestText.post("/v1/purchases", ["Authorization: Bearer \(keys.secret)"], body)
            ])
            try process.stop()
            try await CustomerDatabase(count: isShort ? 1_000 : 1_000_000).fill(folder)
            let measurements = ServerMeasurements(
                launcher: launcher, samples: samples, isShort: isShort, keys: keys, server: try launcher.startServer("serve"))
            let all: [(name: String, measure: () async throws -> [ReportLine])] = [
                ("reads", measurements.reads), ("intake", measurements.intake), ("growth", measurements.growth),
                ("content", measurements.content),
            ]
            var lines: [ReportLine] = []
            for (name, measure) in all where wanted.isEmpty || wanted.contains(name) { lines += try await measure() }
            try measurements.server.process.stop()
            return lines
        }
    }

    /// Creates the server's database, and API keys of an app and of a backend.
    private static func createDatabase(_ folder: BenchmarkFolder) async throws -> (publishable: String, secret: String) {
        let server = try await PurchaseServer(
            configuration: try BenchmarkShop.configuration(folder),
            logger: Logger(label: "server-benchmark") { _ in SwiftLogNoOpLogHandler() })
        guard let service = server.apiKeys(of: BenchmarkShop.bundleID) else { throw CancellationError() }
        return (try await service.create(.publishable).text, try await service.create(.secret).text)
    }
}
