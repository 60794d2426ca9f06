import BenchmarkReport
import Foundation

/// Measures PurchaseKit, compared with the unavoidable work and with smaller vaults.
///
///     kit-benchmark [--json] [--short] [delivery] [merge] [launch] [download]
///
/// Without a name, the benchmark measures everything. With `--short` the vaults are small, to test the benchmark itself.
@main struct KitBenchmark {
    static func main() async {
        do {
            let isShort = CommandLine.arguments.contains("--short")
            let counts = isShort ? [2, 4] : [10, 1_000, 10_000]
            let rounds = isShort ? 2 : 40
            let account = try await RecordedAccount.record(books: counts.max() ?? 0, coins: (counts.max() ?? 0) + 2 * (rounds + 1))
            defer { account.remove() }
            let wanted = CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("-") }
            var lines: [ReportLine] = []
            if wanted.isEmpty || wanted.contains("delivery") {
                lines += try await DeliveryMeasurements(account: account, counts: counts, rounds: rounds).all()
            }
            if wanted.isEmpty || wanted.contains("merge") {
                lines += try await MergeMeasurements(account: account, counts: counts, rounds: isShort ? 1 : 7).all()
            }
            if wanted.isEmpty || wanted.contains("launch") { lines += try await LaunchMeasurements(account: account, counts: counts).all() }
            if wanted.isEmpty || wanted.contains("download") {
                let downloads = DownloadMeasurements(
                    lengths: isShort ? [2, 4] : [64, 1_024], rounds: isShort ? 1 : 5, folder: try account.appFolder())
                lines += try await downloads.all()
            }
            try ReportLine.print(lines, asJSON: CommandLine.arguments.contains("--json"))
        } catch {
            FileHandle.standardError.write(Data("kit-benchmark: \(error)\n".utf8))
            exit(1)
        }
        exit(0)
    }
}

extension Int {
    /// The number with commas between thousands.
    var text: String { formatted(.number.locale(Locale(identifier: "en_US"))) }
}
