import Foundation
import PostgresTestSupport
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests that the memory of `tillroll-server` stays the same under load.
///
/// `make test` finds leaks of about five kilobytes per request. `make soak` loads the server for an hour, and finds leaks of less than a
/// hundred bytes; `TILLROLL_MEMORY_SECONDS` is another duration.
@Suite(.postgresCluster) struct ServerMemoryTests {
    private static let seconds =
        ProcessInfo.processInfo.environment["TILLROLL_MEMORY_SECONDS"].flatMap { Int($0) }
        ?? (ProcessInfo.processInfo.environment["TILLROLL_SOAK"] == nil ? 5 : 3_600)
    /// The number of measurements, at equal distances, with at least one load before each.
    private static let measurements = seconds < 60 ? 40 : 100
    /// The number of requests that are sent at the same time.
    private static let parallel = 8

    @Test func `the memory of a server with PostgreSQL does not grow under load`() async throws {
        let database = try PostgresClusterTrait.createDatabaseURL()
        try await TemporaryFolder.with { folder in
            let options = try RunningServer.options(postgres: database, in: folder)
            let server = try await RunningServer.start(options, in: folder)
            var random = SeededRandom(seed: 1)
            let start = ContinuousClock.now
            var (requests, memory): (Int, [Int]) = (0, [])
            for part in 1...Self.measurements {
                repeat {
                    let load = try ServerLoad(60, name: requests, using: &random)
                    try await Self.send(load.grants, to: server)
                    try await Self.send(load.requests, to: server)
                    requests += load.grants.count + load.requests.count
                } while ContinuousClock.now < start + .seconds(Self.seconds) * part / Self.measurements
                memory.append(try server.process.memory)
            }
            let quarter = Self.measurements / 4
            let (earlier, later) = (Self.median(memory[quarter..<2 * quarter]), Self.median(memory[3 * quarter..<4 * quarter]))
            print(
                "memory: \(requests) requests in \(Self.seconds) s; after a quarter \(earlier >> 10) KiB, at the end \(later >> 10) KiB, "
                    + "at most \((memory.max() ?? 0) >> 10) KiB")
            // Less than the 64 bytes that a request would keep if it were remembered with an identifier, and the noise of the allocator.
            #expect(later - earlier < 8 << 20 + requests / 2 * 64, "\(memory.map { $0 >> 10 })")
            #expect(await server.process.terminate() == 0)
        }
    }

    private static func send(_ requests: [LoadRequest], to server: RunningServer) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var rest = requests[...]
            func sendNext() {
                guard let request = rest.popFirst() else { return }
                group.addTask { _ = try await request.send(to: server.backend) }
            }
            for _ in 0..<parallel { sendNext() }
            while try await group.next() != nil { sendNext() }
        }
    }

    private static func median(_ values: ArraySlice<Int>) -> Int { values.sorted()[values.count / 2] }
}
