import BenchmarkReport
import Foundation
import Logging
import PurchaseModel
import PurchaseServer
import PurchaseStorage

/// Measures the purchase server, compared with a bare route, with verification alone, with shorter histories, and with nginx.
///
///     server-benchmark [--json] [--short] [--core=NUMBER] [--postgres=URI [--transactions=COUNT]] [reads] [intake] [growth] [content] [size]
///
/// Without a name, the benchmark measures everything, which takes about 10 minutes. With `--short` it makes few requests, to test the
/// benchmark itself. With `--core`, the measured processes run on that processor core. They run the same program with the arguments
/// `serve`, `bare` and `verify`. With `--postgres`, the server has a PostgreSQL database, and the content is not measured.
@main struct ServerBenchmark {
    private static let usage = """
        server-benchmark [--json] [--short] [--core=NUMBER] [--postgres=URI [--transactions=COUNT]] [reads] [intake] [growth] [content] [size]

          --json                prints JSON instead of a table
          --short               makes few requests, to test the benchmark itself
          --core=NUMBER         runs the measured processes on that processor core
          --postgres=URI        measures with databases of this PostgreSQL server, which the benchmark creates and removes
          --transactions=COUNT  the transactions of the larger database of the measurement "size", by default 1,000,000
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
        func value(_ option: String) -> String? { arguments.first { $0.hasPrefix(option) }.map { String($0.dropFirst(option.count)) } }
        let postgres = value("--postgres=")
        let known = postgres == nil ? ["reads", "intake", "growth", "content"] : ["reads", "intake", "growth", "size"]
        if let unknown = wanted.first(where: { !known.contains($0) }) { throw UnknownMeasurement(name: unknown, known: known) }
        return try await BenchmarkFolder.with { folder in
            let core = value("--core=").flatMap { Int($0) }
            let samples = SignedSamples(authority: try BenchmarkAuthority())
            try Data(samples.authority.rootPEM.utf8).write(to: folder.roots)
            try folder.writeFilm(length: isShort ? 1_000_000 : 100_000_000)
            let launcher = ProcessLauncher(folder: folder, core: core)
            var lines: [ReportLine] = []
            if let postgres, wanted.isEmpty || wanted.contains("size") {
                let count = value("--transactions=").flatMap { Int($0) } ?? (isShort ? 1_000 : 1_000_000)
                lines += try await SizeMeasurements(postgres: postgres, launcher: launcher, samples: samples, isShort: isShort)
                    .measure(few: isShort ? 100 : 10_000, many: count)
            }
            guard wanted != ["size"] else { return lines }
            let database = try postgres.map { try PostgresBenchmarkDatabase(on: $0) }
            folder.postgres = database?.url
            let customers = isShort ? 1_000 : 1_000_000
            let keys = try await createDatabase(launcher, samples)
            if let database {
                try PostgresDatabaseFill(customers: customers).fill(database.url)
            } else {
                try await CustomerDatabase(count: customers).fill(folder)
            }
            let measurements = ServerMeasurements(
                launcher: launcher, samples: samples, isShort: isShort, customers: customers, keys: keys,
                server: try launcher.startServer("serve"))
            let all: [(name: String, measure: () async throws -> [ReportLine])] = [
                ("reads", measurements.reads), ("intake", measurements.intake), ("growth", measurements.growth),
                ("content", measurements.content),
            ]
            for (name, measure) in all where known.contains(name) && (wanted.isEmpty || wanted.contains(name)) {
                lines += try await measure()
            }
            try measurements.server.process.stop()
            try database?.remove()
            return lines
        }
    }

    /// The error for a name that is no measurement of this database.
    struct UnknownMeasurement: Error, CustomStringConvertible {
        let name: String
        let known: [String]

        var description: String { "\"\(name)\" is not measured with this database. Use \(known.joined(separator: ", "))." }
    }

    /// Creates the server's database with one purchase, and API keys of an app and of a backend.
    static func createDatabase(
        _ launcher: ProcessLauncher, _ samples: SignedSamples
    ) async throws -> (publishable: String, secret: String) {
        let keys = try await createKeys(launcher.folder)
        let (process, port) = try launcher.startServer("serve")
        let template = samples.period(first: CustomerDatabase.template.transaction, for: CustomerDatabase.template.customer)
        let body = try samples.submission([template])
        _ = try LoadClient(port: port, connections: 1).run([
            HTTPRequestText.post("/v1/purchases", ["Authorization: Bearer \(keys.secret)"], body)
        ])
        try process.stop()
        return keys
    }

    private static func createKeys(_ folder: BenchmarkFolder) async throws -> (publishable: String, secret: String) {
        let server = try await PurchaseServer(
            configuration: try BenchmarkShop.configuration(folder),
            logger: Logger(label: "server-benchmark") { _ in SwiftLogNoOpLogHandler() })
        guard let service = server.apiKeys(of: BenchmarkShop.bundleID) else { throw CancellationError() }
        return (try await service.create(.publishable).text, try await service.create(.secret).text)
    }
}
