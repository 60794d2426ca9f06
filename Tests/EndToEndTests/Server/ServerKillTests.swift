import Foundation
import PostgresTestSupport
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire
import WireClient

/// Tests that kill `tillroll-server` under load and start it again with the same database.
///
/// `make soak` kills it 100 times. `TILLROLL_SEED` repeats the requests of an earlier run.
@Suite(.postgresCluster) struct ServerKillTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let kills = environment["TILLROLL_SOAK"] == nil ? 5 : 100
    private static let seed = environment["TILLROLL_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64(UInt32.max))
    /// The number of requests that are sent at the same time.
    private static let parallel = 16

    /// The requests that the server answered before it was killed, and the others.
    private struct Interrupted {
        var answered: [LoadRequest] = []
        var unanswered: [LoadRequest] = []
    }

    /// The databases of the killed servers.
    enum Database: String, CaseIterable, CustomTestStringConvertible {
        case sqlite = "SQLite"
        case postgres = "PostgreSQL"

        var testDescription: String { rawValue }

        /// The options of a server whose files are in a folder.
        func options(in folder: TemporaryFolder) throws -> [String] {
            switch self {
            case .sqlite: []
            case .postgres: try RunningServer.options(postgres: PostgresClusterTrait.createDatabaseURL(), in: folder)
            }
        }
    }

    @Test(arguments: Database.allCases)
    func `a server that is killed under load keeps what it answered, and nothing is credited or debited twice`(
        _ database: Database
    ) async throws {
        print("kills of the server: TILLROLL_SEED=\(Self.seed)")
        var random = SeededRandom(seed: Self.seed)
        try await TemporaryFolder.with { folder in
            let options = try database.options(in: folder)
            var server = try await RunningServer.start(options, in: folder)
            var loads: [ServerLoad] = []
            var (answered, unanswered, unansweredPostings) = (0, 0, 0)
            for round in 0..<Self.kills {
                let load = try ServerLoad(60, name: round, using: &random)
                loads.append(load)
                for grant in load.grants { _ = try await grant.send(to: server.backend) }
                let limit = Int.random(in: 1...load.requests.count * 3 / 4, using: &random)
                let interrupted = try await Self.interrupt(server, load.requests, afterAnswers: limit)
                #expect(await server.process.end() == SIGKILL, "TILLROLL_SEED=\(Self.seed), round \(round)")
                answered += interrupted.answered.count
                unanswered += interrupted.unanswered.count
                server = try await server.restart(options)
                unansweredPostings += try await Self.expectKept(interrupted, of: load, by: server, round)
                try await Self.expectRepeatable(load, by: server, round)
                try await Self.expectBalanced(folder, options)
            }
            // The kills of later rounds lose nothing of earlier ones.
            for (round, load) in loads.enumerated() { try await Self.expectAll(of: load, by: server, round) }
            try await Self.expectEvents(of: loads, by: server)
            print(
                "\(Self.kills) kills: \(answered) requests were answered, \(unanswered) were not, "
                    + "\(unansweredPostings) postings of those were committed")
            #expect(answered > 0 && unanswered > Self.kills, "TILLROLL_SEED=\(Self.seed)")
            #expect(await server.process.terminate() == 0)
            try await Self.expectBalanced(folder, options)
        }
    }

    /// Sends requests, and kills the server after a number of answers, while it processes others.
    private static func interrupt(
        _ server: RunningServer, _ requests: [LoadRequest], afterAnswers limit: Int
    ) async throws -> Interrupted {
        try await withThrowingTaskGroup(of: (LoadRequest, Bool).self) { group in
            var interrupted = Interrupted()
            var rest = requests[...]
            func sendNext() {
                guard let request = rest.popFirst() else { return }
                group.addTask {
                    do {
                        _ = try await request.send(to: server.backend)
                        return (request, true)
                    } catch WireClientError.unreachable {
                        return (request, false)
                    }
                }
            }
            for _ in 0..<parallel { sendNext() }
            while let (request, isAnswered) = try await group.next() {
                if isAnswered { interrupted.answered.append(request) } else { interrupted.unanswered.append(request) }
                if interrupted.answered.count == limit, isAnswered { kill(server.process.pid, SIGKILL) }
                sendNext()
            }
            return interrupted
        }
    }

    /// Expects that every answered request has its posting, and no request has two; returns the number of postings without an answer.
    private static func expectKept(
        _ interrupted: Interrupted, of load: ServerLoad, by server: RunningServer, _ round: Int
    ) async throws -> Int {
        var unanswered = 0
        for customer in load.customers {
            let postings = try await server.backend.postings(of: customer)
            #expect(Set(postings).count == postings.count, "TILLROLL_SEED=\(seed), round \(round)")
            let answered = Set((load.grants + interrupted.answered).filter { $0.customer == customer }.map(\.posting))
            #expect(answered.isSubset(of: postings), "TILLROLL_SEED=\(seed), round \(round)")
            // An unanswered request can have its effect, and nothing else can.
            #expect(load.postings(of: customer).isSuperset(of: postings), "TILLROLL_SEED=\(seed), round \(round)")
            unanswered += Set(postings).subtracting(answered).count
        }
        for request in interrupted.answered {
            let isKnown = try await request.send(to: server.backend) ?? true
            #expect(isKnown, "TILLROLL_SEED=\(seed), round \(round)")
        }
        return unanswered
    }

    /// Sends all requests again, as clients do that received no answer, and expects the effect of each, once.
    private static func expectRepeatable(_ load: ServerLoad, by server: RunningServer, _ round: Int) async throws {
        for request in load.grants + load.requests { _ = try await request.send(to: server.backend) }
        try await expectAll(of: load, by: server, round)
    }

    private static func expectAll(of load: ServerLoad, by server: RunningServer, _ round: Int) async throws {
        for customer in load.customers {
            let postings = try await server.backend.postings(of: customer)
            #expect(Set(postings).count == postings.count, "TILLROLL_SEED=\(seed), round \(round)")
            #expect(Set(postings) == load.postings(of: customer), "TILLROLL_SEED=\(seed), round \(round)")
        }
    }

    /// Expects that the feed has one event of each posting, in the order of the customer's postings, and states the balance.
    private static func expectEvents(of loads: [ServerLoad], by server: RunningServer) async throws {
        var balances: [CustomerID: [FeedState.Balance]] = [:]
        var (cursor, ids) = ("0", Set<String>())
        while true {
            let page = try await server.backend.events(after: cursor)
            if page.events.isEmpty { break }
            for event in page.events {
                #expect(ids.insert(event.id).inserted, "TILLROLL_SEED=\(seed)")
                if let customer = event.customer, event.type == .ledgerCredited || event.type == .ledgerDebited,
                    case .balance(let balance)? = event.after
                {
                    balances[customer, default: []].append(balance)
                }
            }
            cursor = page.next
        }
        for customer in loads.flatMap(\.customers) {
            let stated = balances[customer] ?? []
            #expect(stated.compactMap(\.posting?.number) == Array(1...Int64(stated.count)), "TILLROLL_SEED=\(seed)")
            let postings = try await server.backend.postings(of: customer)
            #expect(stated.count == postings.count, "TILLROLL_SEED=\(seed)")
            #expect(try await stated.last?.amount == server.backend.balance(of: customer), "TILLROLL_SEED=\(seed)")
        }
    }

    /// Expects that the operator's audit finds a balanced ledger.
    private static func expectBalanced(_ folder: TemporaryFolder, _ options: [String]) async throws {
        let (code, lines) = try await RunningServer.run(["ledger", "audit"] + RunningServer.arguments(in: folder) + options)
        #expect(code == 0 && lines.last == "balanced", "\(lines)")
    }

    @Test func `of 200 concurrent debits of the last credit over HTTP, one succeeds`() async throws {
        try await RunningServer.with { server in
            let customer = CustomerID(UUID())
            let grant = DebitRequest(idempotencyKey: "grant", amount: 1)
            _ = try await server.backend.call(ServerEndpoints.creditGrant, grant, customer)
            let codes = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        do {
                            try await server.backend.debit(1, key: "\(number)", from: customer)
                            return "debited"
                        } catch WireClientError.refused(_, let error) {
                            return error.code
                        }
                    }
                }
                return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(codes == ["debited": 1, "balance.too-small": 199])
            #expect(try await server.backend.balance(of: customer) == 0)
        }
    }
}
