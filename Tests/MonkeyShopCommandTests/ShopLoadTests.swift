import Foundation
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests of many concurrent visitors of the sample app's page, whom `Tests/Clients/visitors.py` simulates.
@Suite(.timeLimit(.minutes(60))) struct ShopLoadTests {
    private struct Visits: Decodable {
        let seconds: Double
        let taps: Int
        let median: Double
        let p95: Double
        /// The state at the end of each visit, by the seed of the visit.
        let ends: [String: String]
        let failures: [String]
    }

    private static let environment = ProcessInfo.processInfo.environment
    private static let isSoak = environment["TILLROLL_SOAK"] != nil
    private static let seed = environment["TILLROLL_SEED"] ?? "1"

    /// Simulates visitors of a page in a separate process, and returns the results and the peak resident memory of the process in bytes.
    private func play(
        _ count: Int, steps: Int, seed: String = Self.seed, pause: String, _ mode: String, delay: String = "0"
    ) async throws -> (visits: Visits, peak: Int) {
        try await TemporaryFolder.with { folder in
            let arguments = ["serve", "--folder", folder.file("shop").path, "--port", "0", "--visitors", "\(count)", "--json"]
            let shop = try LineProcess(BuiltProducts.path("monkeyshop"), arguments, standardError: .nullDevice)
            let line = try #require(await shop.lines.first { _ in true })
            let address = try #require(try JSONDecoder().decode([String: String].self, from: Data(line.utf8))["shop"])
            let script = ClientCheck.clients.appending(path: "visitors.py").path
            let client = try LineProcess(
                "/usr/bin/env", ["python3", script, address, "\(count)", "\(steps)", seed, pause, mode, delay])
            let result = try #require(await client.lines.first { _ in true })
            let peak = try shop.peakMemory
            #expect(await client.end() == 0)
            #expect(await shop.terminate() == 0)
            return (try JSONDecoder().decode(Visits.self, from: Data(result.utf8)), peak)
        }
    }

    @Test func `a visitor with a slow connection ends as with a fast one`() async throws {
        // The visitor of this seed buys five credits and then two bananas, so that the notice of the first banana can hide the second.
        let slow = try await play(1, steps: 3, seed: "149", pause: "0", "alone", delay: "0.6")
        #expect(slow.visits.failures.isEmpty, "\(slow.visits.failures)")
        #expect(slow.visits.ends == ["149": #"[0, "3"]"#])
    }

    @Test func `visitors at the same time end as each of them alone`() async throws {
        let (count, steps) = Self.isSoak ? (100, 12) : (4, 6)
        let together = try await play(count, steps: steps, pause: Self.isSoak ? "4" : "0", "together")
        let alone = try await play(count, steps: steps, pause: "0", "alone")
        #expect(together.visits.failures.isEmpty && alone.visits.failures.isEmpty, "\(together.visits.failures) \(alone.visits.failures)")
        #expect(alone.visits.ends.count == count)
        #expect(together.visits.ends == alone.visits.ends, "seed \(Self.seed)")
        print(
            """
            \(count) visitors, seed \(Self.seed): \(together.visits.taps) taps in \(together.visits.seconds) s, \
            median \(together.visits.median) ms, 95 of 100 within \(together.visits.p95) ms; alone \(alone.visits.p95) ms; \
            \(together.peak >> 20) MB of memory at most
            """)
    }
}
