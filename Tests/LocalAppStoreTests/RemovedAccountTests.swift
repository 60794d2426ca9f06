import Foundation
import GRDB
import NIOCore
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

/// Tests of the removal of accounts, and of the list of devices.
@Suite struct RemovedAccountTests {
    /// The tables with rows of an account.
    private static let tables = [
        "transactions", "payments", "charges", "subscriptions", "restores", "refundRequests", "downloads", "sessions",
    ]

    private static func remove(_ account: AccountID, _ harness: StoreHarness) async throws {
        _ = try await harness.call(ControlEndpoints.removeAccount, Empty(), ["account": account.rawValue])
    }

    @Test func `a removed account has no purchases and no sign-ins, also after a restart`() async throws {
        try await TemporaryFolder.with { folder in
            let location = DatabaseLocation.file(folder.file("store.sqlite").path())
            let token = try await StoreHarness.run(at: location) { harness in
                let phone = try await harness.signIn()
                let book = try await phone.buy(.book)
                let magazine = try await phone.buy(.magazine)
                _ = try await phone.restore()
                _ = try await harness.call(ControlEndpoints.requestRefund, RefundRequest(transactionID: book.transactionId))
                try await harness.advance(days: 40)
                try await Self.remove(phone.account, harness)
                await #expect(throws: Refused(status: 401, code: "account.signed-out")) { try await phone.unfinished() }
                await #expect(throws: Refused(status: 404, code: "account.unknown")) { try await Self.remove(phone.account, harness) }
                await #expect(throws: Refused(status: 404, code: "transaction.unknown")) {
                    try await harness.refund(magazine.transactionId)
                }
                return phone.token
            }
            try await StoreHarness.run(at: location) { harness in
                let phone = SignedInDevice(store: harness, token: token)
                await #expect(throws: Refused(status: 401, code: "account.signed-out")) { try await phone.unfinished() }
                #expect(try await harness.call(ControlEndpoints.accounts, Empty()).accounts.isEmpty)
                try await harness.store.context.read { db in
                    for table in Self.tables {
                        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") == 0, "\(table)")
                    }
                    #expect(try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") == nil)
                    let events = try EventRecord.fetchAll(db, sql: "SELECT * FROM events WHERE account IS NOT NULL")
                    #expect(events.map(\.detail) == ["removed"])
                }
                // An account with the same name is a new customer.
                let again = try await harness.signIn()
                #expect(try await again.unfinished().transactions.isEmpty)
                _ = try await again.buy(.book)
                try await harness.advance(days: 40)
            }
        }
    }

    @Test func `the event stream of a device ends when its account is removed`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let services = harness.store.storeServices
            let session = try await services.sessions.session(token: phone.token)
            var stream = EventStream(events: services.events, after: 0, account: phone.account, bundleID: .test)
            stream.isAllowed = { try await services.sessions.exists(session) }
            _ = try await phone.buy(.credits)
            var iterator = stream.makeAsyncIterator()
            _ = try await iterator.next()
            let before = try #require(try await iterator.next())
            #expect(String(buffer: before).contains("event: purchase"))
            try await Self.remove(phone.account, harness)
            _ = try await harness.signIn(phone.account, device: .second).buy(.book)
            let after = try await iterator.next()
            #expect(after == nil)
        }
    }

    @Test func `purchases of other accounts stay, and a new purchase is not delivered to devices that signed in before`() async throws {
        try await StoreHarness.run { harness in
            let bob = try await harness.signIn("bob@example.com")
            let book = try await bob.buy(.book)
            let ada = try await harness.signIn()
            for _ in 0..<3 { _ = try await ada.buy(.credits) }
            let other = try await harness.signIn("bob@example.com", device: .second)
            try await Self.remove(ada.account, harness)
            #expect(try await bob.unfinishedTransactions().map(\.transactionId) == [book.transactionId])
            #expect(try await harness.charges(of: bob.account).count == 1)
            // The new transaction gets the row of a removed one, which precedes the second device's sign-in.
            _ = try await bob.buy(.credits)
            #expect(try await other.unfinishedTransactions().map(\.productId) == [.book])
        }
    }

    @Test func `an account that shared purchases is removed after the accounts that have them`() async throws {
        try await StoreHarness.run { harness in
            let ada = try await harness.signIn()
            let bob = try await harness.signIn("bob@example.com", device: .second)
            for phone in [ada, bob] { try await harness.set(phone.account) { $0.family = "lovelace" } }
            _ = try await ada.buy(.book)
            await #expect(throws: Refused(status: 409, code: "account.shared")) { try await Self.remove(ada.account, harness) }
            #expect(try await ada.unfinished().transactions.count == 1)
            try await Self.remove(bob.account, harness)
            try await Self.remove(ada.account, harness)
            #expect(try await harness.call(ControlEndpoints.accounts, Empty()).accounts.isEmpty)
        }
    }

    @Test func `devices are listed with their accounts, restriction and latest request`() async throws {
        try await StoreHarness.run { harness in
            _ = try await harness.signIn()
            _ = try await harness.signIn("bob@example.com")
            try await harness.advance(days: 1)
            let phone = try await harness.signIn("bob@example.com", device: .second)
            try await harness.advance(days: 1)
            _ = try await phone.unfinished()
            let foreign = DeviceID("99999999-8888-7777-6666-555544443333")
            for device in [foreign, .test] {
                _ = try await harness.call(
                    ControlEndpoints.setDevice, DeviceRestrictionRequest(isRestricted: true), ["device": device.rawValue])
            }
            let devices = try await harness.call(ControlEndpoints.devices, Empty()).devices
            #expect(devices.map(\.device) == [.second, .test, foreign])
            #expect(devices.map(\.isRestricted) == [false, true, true])
            #expect(devices.map(\.accounts) == [["bob@example.com"], ["ada@example.com", "bob@example.com"], []])
            #expect(devices.map(\.lastSeen) == [Timestamp.testStart.adding(days: 2), .testStart, nil])
            #expect(devices[1].bundleIDs == [.test])
        }
    }
}
