import Foundation
import FoundationExtras
import HTTPTypes
import LibPQ
import PostgresTestSupport
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Synchronization
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of reads from a replica of the database.
@Suite(.postgresCluster, .serialized, .timeLimit(.minutes(10))) struct PostgresReplicaTests {
    @Test func `a replica answers reads that accept its state, and a caller always reads its own writes`() async throws {
        let primary = try PostgresClusterTrait.createDatabase()
        try await PostgresClusterTrait.withStandby { standby in
            let replica = standby(primary)
            let pool = PostgresPool(replica, limit: 1)
            try await Shop.open(database: .postgres(PostgresDatabase(url: primary, connections: 4, replicaURL: replica))) { shop in
                let first = try await Self.grant(3, "first", in: shop)
                // A read before the replica has the database would let the primary answer the reads of the next seconds.
                try await Self.waitUntilReplayed(first, pool)
                #expect(try await Self.balance(in: shop, after: "0/0") == 3)
                try await Self.pauseReplay(pool)
                let second = try await Self.grant(4, "second", in: shop)
                #expect(try #require(WritePosition(first)) < #require(WritePosition(second)))
                // The replica has the first grant only.
                #expect(try await Self.balance(in: shop, after: "0/0") == 3)
                #expect(try await Self.balance(in: shop, after: first) == 3)
                for position in [second, "FFFFFFFF/FFFFFFFF", nil, "nonsense"] {
                    #expect(try await Self.balance(in: shop, after: position) == 7, "\(position ?? "no position")")
                }
                // The feed is read from the primary, because the cursor of an event that the replica lacks would look lost.
                try await shop.feed.publish()
                let newest = try await shop.feed.entries(after: nil, limit: 1).next
                let path = ServerEndpoints.events.path([:]) + "?after=\(newest)"
                #expect(try await shop.send(.get, path, Self.sender(in: shop, "0/0")).status == .ok)
                // A write reads the primary, whatever its caller states.
                let repeated = try await Self.grant(4, "second", in: shop, after: "0/0")
                #expect(try #require(WritePosition(repeated)) >= #require(WritePosition(second)))
                try await pool.withConnection { _ = try $0.query("SELECT pg_wal_replay_resume()") }
                try await eventually { try await Self.balance(in: shop, after: "0/0") == 7 }
                #expect(try await Self.balance(in: shop, after: second) == 7)
            }
        }
    }

    @Test func `a member reads the own claim and its release, although a replica has neither`() async throws {
        let primary = try PostgresClusterTrait.createDatabase()
        try await PostgresClusterTrait.withStandby { standby in
            let replica = standby(primary)
            let pool = PostgresPool(replica, limit: 1)
            try await TeamShop.open(database: .postgres(PostgresDatabase(url: primary, connections: 4, replicaURL: replica))) { team in
                let name = ProductID.magazine.rawValue
                func isActive(after position: String?) async throws -> Bool {
                    let path = ServerEndpoints.entitlement.path(["entitlement": name])
                    let answer = try await team.shop.send(.get, path, Self.sender(in: team.shop, position, for: TeamShop.ann))
                    return try answer.value(EntitlementReply.self).isActive
                }
                func position(_ answer: Answer) throws -> String {
                    #expect(answer.status == .ok)
                    return try #require(answer.headers[.position])
                }
                let invitation = try await team.shop.call(
                    ServerEndpoints.inviteMember, InviteMemberRequest(), ["team": TeamShop.team.rawValue])
                try await Self.waitUntilReplayed(position(invitation), pool)
                try await Self.pauseReplay(pool)
                let claimed = try position(await team.claim(invitation.value(InvitationReply.self).token, for: TeamShop.ann))
                #expect(try await !isActive(after: "0/0"))
                for position in [claimed, nil] { #expect(try await isActive(after: position)) }

                try await pool.withConnection { _ = try $0.query("SELECT pg_wal_replay_resume()") }
                try await Self.waitUntilReplayed(claimed, pool)
                #expect(try await isActive(after: "0/0"))
                try await Self.pauseReplay(pool)
                let released = try position(await team.release(TeamShop.ann))
                #expect(try await isActive(after: "0/0"))
                for position in [released, nil] { #expect(try await !isActive(after: position)) }
                try await pool.withConnection { _ = try $0.query("SELECT pg_wal_replay_resume()") }
            }
        }
    }

    /// Waits until the replica has replayed the log up to a position.
    private static func waitUntilReplayed(_ position: String, _ pool: PostgresPool) async throws {
        try await eventually {
            let rows = try? await pool.withConnection {
                try $0.query("SELECT pg_last_wal_replay_lsn() >= '\(position)' AS is_current").map { try $0.boolOrNull("is_current") }
            }
            return rows == [true]
        }
    }

    private static func pauseReplay(_ pool: PostgresPool) async throws {
        try await pool.withConnection { _ = try $0.query("SELECT pg_wal_replay_pause()") }
        // The function requests the pause, and the replica replays until its next check of the request.
        try await eventually {
            let states = try await pool.withConnection {
                try $0.query("SELECT pg_get_wal_replay_pause_state() AS state").map { try $0.text("state") }
            }
            return states == ["paused"]
        }
    }

    @Test func `a storage asks the replica again a while after it was unreachable`() async throws {
        let primary = try PostgresClusterTrait.createDatabase()
        _ = try await PostgresPurchaseStorage(PostgresDatabase(url: primary, connections: 1))
        let time = Mutex(ContinuousClock.now)
        let attempts = Mutex(0)
        let replicas = PostgresReplicas(primary, connections: 1) {
            time.withLock { $0 }
        } prepare: { _ in
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            if attempt == 1 { throw PostgresError.unreachable(message: "") }
        }
        func read(after seconds: Int) async throws -> Bool? {
            time.withLock { $0 += .seconds(seconds) }
            return try await replicas.read(WritePosition(offset: 0)) { _ in true }
        }
        #expect(try await read(after: 0) == nil)
        #expect(try await read(after: 4) == nil && attempts.withLock { $0 } == 1)
        #expect(try await read(after: 1) == true)
        await #expect(throws: CancellationError.self) {
            try await replicas.read(WritePosition(offset: 0)) { _ -> Bool in throw CancellationError() }
        }
    }

    @Test(arguments: [("0/0", 0), ("16/B374D848", 0x16_B374_D848), ("FFFFFFFF/FFFFFFFF", UInt64.max), ("a/b", 0xA_0000_000B)])
    func `a position is read as PostgreSQL writes it`(_ text: String, _ offset: UInt64) {
        #expect(WritePosition(text)?.offset == offset)
        #expect(WritePosition(offset: offset).description == text.uppercased())
    }

    @Test(arguments: ["", "/", "1/", "/1", "1", "1/2/3", "123456789/0", "0/123456789", "+1/1", "1/-1", "x/1", " 1/1", "1/1 ", "１/1"])
    func `a malformed position is none`(_ text: String) {
        #expect(WritePosition(text) == nil)
    }

    /// Grants credits, and returns the position of the response.
    private static func grant(_ amount: Int64, _ key: String, in shop: Shop, after position: String? = nil) async throws -> String {
        let body = try WireJSON.encode(DebitRequest(idempotencyKey: key, amount: amount))
        let answer = try await shop.send(.post, ServerEndpoints.creditGrant.path([:]), sender(in: shop, position), body)
        #expect(answer.status == .ok)
        return try #require(answer.headers[.position])
    }

    private static func balance(in shop: Shop, after position: String?) async throws -> Int64? {
        let answer = try await shop.send(.get, ServerEndpoints.balances.path([:]), sender(in: shop, position))
        return try answer.value(BalancesReply.self).balances.first?.amount
    }

    /// The backend for a customer, which states a position.
    private static func sender(in shop: Shop, _ position: String?, for customer: CustomerID = Shop.customer) -> Shop.Sender {
        var headers: HTTPFields = [.authorization: "Bearer \(shop.keys.secret)", .customer: customer.rawValue]
        headers[.position] = position
        return .headers(headers)
    }
}
