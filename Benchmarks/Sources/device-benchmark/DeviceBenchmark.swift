import Foundation
import Lines

/// Measures a device against what its verifications alone cost, and against itself as its queue grows.
///
///     device-benchmark [--json]
@main struct DeviceBenchmark {
    static func main() async {
        do {
            let lines = try await DeviceMeasurements(store: BenchmarkStore.start(largest: DeviceMeasurements.counts.max() ?? 0)).all()
            try Line.print(lines, asJSON: CommandLine.arguments.contains("--json"))
            exit(0)
        } catch {
            FileHandle.standardError.write(Data("device-benchmark: \(error)\n".utf8))
            exit(1)
        }
    }
}
