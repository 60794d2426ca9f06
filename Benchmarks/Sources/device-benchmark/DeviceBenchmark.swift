import BenchmarkReport
import Foundation
import RecordedStore

/// Measures a device, compared with the cost of verification alone and with shorter queues.
///
///     device-benchmark [--json] [--short] [queue] [entitlements]
///
/// Without a name, the benchmark measures everything. With `--short` the queues are short, to test the benchmark itself.
@main struct DeviceBenchmark {
    static func main() async {
        do {
            let counts = CommandLine.arguments.contains("--short") ? [2, 4] : [100, 1_000, 10_000]
            let store = try await BenchmarkStore.start(largest: max(counts.max() ?? 0, HistoryMeasurements.books))
            let wanted = CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("-") }
            var lines: [ReportLine] = []
            if wanted.isEmpty || wanted.contains("queue") { lines += try await DeviceMeasurements(store: store, counts: counts).all() }
            if wanted.isEmpty || wanted.contains("entitlements") {
                lines += try await HistoryMeasurements(store: store, counts: counts).all()
            }
            try ReportLine.print(lines, asJSON: CommandLine.arguments.contains("--json"))
            exit(0)
        } catch {
            FileHandle.standardError.write(Data("device-benchmark: \(error)\n".utf8))
            exit(1)
        }
    }
}
