import Foundation
import HTTPTypes
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import Synchronization
import Testing

@testable import PurchaseServer

/// Tests of a server whose database can't be read or written.
@Suite struct OutageTests {
    /// A storage that fails while it is unavailable.
    private final class UnreliableStorage: PurchaseStorage {
        private let base: SQLitePurchaseStorage
        private let failure = Mutex<StorageError?>(nil)

        init() throws { base = try SQLitePurchaseStorage(.memory) }

        func fail(_ error: StorageError?) { failure.withLock { $0 = error } }

        private func check() throws { if let error = failure.withLock({ $0 }) { throw error } }

        func read<Value: Sendable>(
            _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
        ) async throws -> Value {
            try check()
            return try await base.read(app, body)
        }

        func write<Value: Sendable>(
            _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
        ) async throws -> Value {
            try check()
            return try await base.write(app, body)
        }

        func appsWithSecrets() async throws -> Set<BundleID> {
            try check()
            return try await base.appsWithSecrets()
        }

        func checkWritable() async throws {
            try check()
            try await base.checkWritable()
        }
    }

    private static let beta: EntitlementName = "beta"

    @Test func `entitlements and balances are answered from the last read, are marked stale, and still end`() async throws {
        let (storage, clock) = (try UnreliableStorage(), ManualClock())
        let entitlements = EntitlementService(app: .test, storage: storage, catalog: Catalog([]), clock: clock)
        let ledger = LedgerService(app: .test, storage: storage, clock: clock)
        let (jane, joe) = (CustomerReference.alias("jane"), CustomerReference.alias("joe"))
        let until = clock.now.adding(days: 2)
        _ = try await entitlements.grant(Self.beta, to: jane, GrantEntitlementRequest(until: until))
        _ = try await ledger.grant(DebitRequest(idempotencyKey: "a", amount: 5), to: jane)
        let current = try await entitlements.read(Self.beta, of: jane, at: nil)
        #expect(current.isActive && current.staleSince == nil)
        #expect(try await ledger.balances(of: jane).staleSince == nil)
        let lastRead = clock.now

        storage.fail(.failed("SQLITE_IOERR"))
        clock.advance(seconds: 3_600)
        let stale = try await entitlements.read(Self.beta, of: jane, at: nil)
        #expect(stale.isActive && stale.staleSince == lastRead)
        let list = try await entitlements.list(of: jane, at: nil, withEvidence: false)
        #expect(list.staleSince == lastRead && list.entitlements.map(\.isActive) == [true])
        let balances = try await ledger.balances(of: jane)
        #expect(balances.amount() == 5 && balances.staleSince == lastRead)
        // Nothing else is answered: another customer, a past moment, evidence, a write.
        await #expect(throws: StorageError.self) { try await entitlements.read(Self.beta, of: joe, at: nil) }
        await #expect(throws: StorageError.self) { try await entitlements.read(Self.beta, of: jane, at: lastRead) }
        await #expect(throws: StorageError.self) { try await entitlements.list(of: jane, at: nil, withEvidence: true) }
        await #expect(throws: StorageError.self) { try await ledger.debit(DebitRequest(idempotencyKey: "b", amount: 1), from: jane) }
        // After a day, the last read counts no longer.
        clock.advance(seconds: 24 * 3_600)
        await #expect(throws: StorageError.self) { try await entitlements.read(Self.beta, of: jane, at: nil) }

        storage.fail(nil)
        #expect(try await entitlements.read(Self.beta, of: jane, at: nil).staleSince == nil)
        storage.fail(.locked)
        clock.set(until)
        #expect(try await !entitlements.read(Self.beta, of: jane, at: nil).isActive)
    }

    @Test func `the memory of recent reads is bounded, and those of frequent callers stay`() async throws {
        let reads = RecentReads<Int, Int>(capacity: 10)
        let now = Timestamp.testStart
        func isKept(_ key: Int) async -> Bool {
            (try? await reads.value(for: key, at: now) { throw StorageError.locked }) != nil
        }
        for key in 0..<100 {
            _ = try await reads.value(for: key, at: now) { key }
            #expect(await isKept(0))
        }
        var kept = 0
        for key in 0..<100 where await isKept(key) { kept += 1 }
        #expect((10...20).contains(kept))
    }

    @Test func `an error that is not the database's is never answered from a recent read`() async throws {
        let reads = RecentReads<Int, Int>()
        _ = try await reads.value(for: 1, at: .testStart) { 1 }
        await #expect(throws: CustomerRefusal.token) {
            try await reads.value(for: 1, at: .testStart) { throw CustomerRefusal.token }
        }
    }

    @Test func `a server on a full disk is not ready`() async throws {
        let free = Mutex<Int64>(1 << 30)
        let storage = try SQLitePurchaseStorage(.memory, freeBytes: { free.withLock { $0 } })
        try await storage.checkWritable()
        free.withLock { $0 = 4_096 }
        await #expect(throws: StorageError.full) { try await storage.checkWritable() }
    }
}
