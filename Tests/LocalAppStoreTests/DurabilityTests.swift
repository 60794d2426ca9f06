import Foundation
import GRDB
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore

@Suite struct DurabilityTests {
    @Test func `a reopened store keeps its state`() async throws {
        try await TemporaryFolder.with { folder in
            let location = DatabaseLocation.file(folder.file("store.sqlite").path())
            let payment = PaymentID(UUID())
            let before = try await StoreHarness.run(at: location) { harness in
                try await harness.store.setNotificationURL("http://127.0.0.1:1/")
                let phone = try await harness.signIn()
                let magazine = try await phone.buy(.magazine, payment: payment)
                try await harness.advance(days: 10)
                return (roots: harness.store.rootsPEM, token: phone.token, magazine: magazine, receipt: try await phone.receipt())
            }
            try await StoreHarness.run(at: location) { harness in
                #expect(harness.store.rootsPEM == before.roots)
                #expect(harness.store.clock.now == Timestamp.testStart.adding(days: 10))
                let phone = SignedInDevice(store: harness, token: before.token)
                #expect(try await phone.buy(.magazine, payment: payment).transactionId == before.magazine.transactionId)
                #expect(try await harness.charges().count == 1)
                let verifier = ReceiptVerifier(roots: harness.store.roots, BundleCheck(.test))
                _ = try await verifier.verify([UInt8](before.receipt))
                try await harness.advance(days: 20)
                #expect(try await phone.unfinished().transactions.count == 2)
                let next = try await phone.buy(.book)
                #expect(next.transactionId == "2000000000000003")
            }
        }
    }

    @Test func `a transaction is on disk before the reply`() async throws {
        try await TemporaryFolder.with { folder in
            let database = try StoreDatabase(.file(folder.file("store.sqlite").path()))
            let (synchronous, journal) = try await database.writer.write { db in
                (try Int.fetchOne(db, sql: "PRAGMA synchronous"), try String.fetchOne(db, sql: "PRAGMA journal_mode"))
            }
            #expect(synchronous == 2)
            #expect(journal == "wal")
        }
    }

    @Test func `each store generates different keys and keeps them`() async throws {
        try await TemporaryFolder.with { folder in
            func roots(of file: String) async throws -> String {
                let location = DatabaseLocation.file(folder.file(file).path())
                return try await LocalAppStore(configuration: .test(at: location), logger: .silent).rootsPEM
            }
            let first = try await roots(of: "first.sqlite")
            #expect(try await roots(of: "first.sqlite") == first)
            #expect(try await roots(of: "second.sqlite") != first)
        }
    }

    @Test func `a store that is reopened for another app serves both apps, with different appAppleIds`() async throws {
        try await TemporaryFolder.with { folder in
            func apps(_ bundleID: BundleID) async throws -> [BundleID: Int64] {
                let location = DatabaseLocation.file(folder.file("store.sqlite").path())
                let configuration = LocalAppStoreConfiguration(bundleID: bundleID, catalog: .empty, database: location)
                let store = try await LocalAppStore(configuration: configuration, logger: .silent)
                #expect(store.context.apps.defaultBundleID == bundleID)
                return Dictionary(uniqueKeysWithValues: store.context.apps.all.map { ($0.bundleID, $0.row.appAppleID) })
            }
            let first = try await apps(.test)
            let both = try await apps("com.example.other")
            #expect(both.count == 2 && both[.test] == first[.test])
            #expect(Set(both.values).count == 2)
        }
    }
}
