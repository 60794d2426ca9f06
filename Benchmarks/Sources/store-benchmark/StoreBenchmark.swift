import BenchmarkReport
import Foundation
import HummingbirdTesting
import LocalAppStore
import Logging
import PurchaseModel

/// Measures the local store, compared with the cost of signatures alone and with shorter histories.
///
///     store-benchmark [--json] [--short] [creation] [memory] [year] [purchase] [growth] [histories]
///
/// Without a name, the benchmark measures everything. With `--short` it makes few calls, to test the benchmark itself.
@main struct StoreBenchmark {
    static func main() async {
        do {
            try ReportLine.print(try await run(), asJSON: CommandLine.arguments.contains("--json"))
        } catch {
            FileHandle.standardError.write(Data("store-benchmark: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run() async throws -> [ReportLine] {
        let wanted = CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("-") }
        let logger = Logger(label: "store-benchmark") { _ in SwiftLogNoOpLogHandler() }
        let configuration = LocalAppStoreConfiguration(
            bundleID: BenchmarkShop.bundleID, catalog: try Catalog(storekit: Data(BenchmarkShop.storekit.utf8)), database: .memory)
        let defaultStore = try await LocalAppStore(configuration: configuration, logger: logger)
        let host = try await StoreHost(defaultStore: defaultStore, logger: logger)
        return try await host.application(hostname: "127.0.0.1", port: 0).test(.router) { client in
            var lines: [ReportLine] = []
            let measurements = StoreMeasurements(client: client, isShort: CommandLine.arguments.contains("--short"))
            for (name, measure) in measurements.all where wanted.isEmpty || wanted.contains(name) { lines += try await measure() }
            return lines
        }
    }
}
