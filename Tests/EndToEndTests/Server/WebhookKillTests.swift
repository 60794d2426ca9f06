import Foundation
import FoundationExtras
import PostgresTestSupport
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Synchronization
import Testing
import Wire
import WireClient

/// Tests that kill `tillroll-server` while it delivers webhooks, and start it again with the same database.
///
/// `make soak` kills it 50 times. `TILLROLL_SEED` repeats the requests of an earlier run.
@Suite(.postgresCluster, .timeLimit(.minutes(30))) struct WebhookKillTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let kills = environment["TILLROLL_SOAK"] == nil ? 2 : 50
    private static let seed = environment["TILLROLL_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64(UInt32.max))

    /// Returns the options of a server that sends webhooks to this machine.
    private static func options(_ database: ServerKillTests.Database, in folder: TemporaryFolder) throws -> [String] {
        let settings = ["webhook-addresses": "any", "secret-key-file": folder.file("secrets.key").path]
        let file = try RunningServer.options(settings, in: folder)
        return switch database {
        case .sqlite: file
        case .postgres: file + ["--database", try PostgresClusterTrait.createDatabaseURL()]
        }
    }

    @Test(arguments: ServerKillTests.Database.allCases)
    func `a server that is killed while it delivers loses no message, and keeps the order of each customer`(
        _ database: ServerKillTests.Database
    ) async throws {
        print("kills during deliveries: TILLROLL_SEED=\(Self.seed)")
        // One of four messages is refused, so that retries and held back messages are there when the server is killed.
        let refused = SeededAnswers(seed: Self.seed)
        let backend = WebhookBackend { !refused.next() }
        try await TemporaryFolder.with { folder in
            let options = try Self.options(database, in: folder)
            try await backend.listen { url in
                var random = SeededRandom(seed: Self.seed)
                var server = try await RunningServer.start(options, in: folder)
                let arguments = ["webhooks", "create", url, "--json"] + RunningServer.arguments(in: folder) + options
                let (code, lines) = try await RunningServer.run(arguments)
                #expect(code == 0, "\(lines)")
                for round in 0..<Self.kills {
                    let load = try ServerLoad(40, name: round, using: &random)
                    let count = backend.received.count
                    for request in load.grants + load.requests { _ = try await request.send(to: server.backend) }
                    let limit = count + Int.random(in: 1...20, using: &random)
                    try await eventually { backend.received.count >= limit }
                    kill(server.process.pid, SIGKILL)
                    #expect(await server.process.end() == SIGKILL, "TILLROLL_SEED=\(Self.seed), round \(round)")
                    server = try await server.restart(options)
                }
                refused.end()
                let events = try await Self.events(of: server)
                try await eventually { Set(backend.received.map(\.id)).isSuperset(of: events.map(\.id)) }
                Self.expectOrder(of: events, backend.received)
                print("\(Self.kills) kills: \(events.count) messages, of which \(backend.received.count - events.count) repeated")
                #expect(await server.process.terminate() == 0)
            }
        }
    }

    private static func events(of server: RunningServer) async throws -> [FeedEvent] {
        var (events, cursor): ([FeedEvent], String) = ([], "0")
        while true {
            let page = try await server.backend.events(after: cursor)
            if page.events.isEmpty { return events }
            events += page.events
            cursor = page.next
        }
    }

    /// Expects that the first deliveries of each customer's events are in the order of the feed.
    private static func expectOrder(of events: [FeedEvent], _ received: [WebhookBackend.Message]) {
        let first = Dictionary(received.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
        for (customer, events) in Dictionary(grouping: events.filter { $0.customer != nil }, by: \.customer) {
            let order = events.compactMap { first[$0.id] }
            #expect(order == order.sorted(), "TILLROLL_SEED=\(seed), \(String(describing: customer))")
        }
    }
}

/// Decides which messages a backend refuses.
private final class SeededAnswers: Sendable {
    private struct State {
        var random: SeededRandom
        var isEnded = false
    }

    private let state: Mutex<State>

    init(seed: UInt64) {
        state = Mutex(State(random: SeededRandom(seed: seed)))
    }

    /// Returns whether the backend refuses the next message.
    func next() -> Bool { state.withLock { !$0.isEnded && Int.random(in: 0..<4, using: &$0.random) == 0 } }

    /// Ends the refusals.
    func end() { state.withLock { $0.isEnded = true } }
}
