import BenchmarkReport
import Foundation

/// Measures a device, compared with the cost of verification alone and with shorter queues.
///
///     device-benchmark [--json]
@main struct DeviceBenchmark {
    static func main() async {
        do {
            let lines = try await DeviceMeasurements(store: BenchmarkStore.start(largest: DeviceMeasurements.counts.max() ?? 0)).all()
            try ReportLine.print(lines, asJSON: CommandLine.arguments.contains("--json"))
            exit(0)
        } catch {
            FileHandle.standardError.write(Data("device-benchmark: \(error)\n".utf8))
            exit(1)
        }
    }
}
