import Foundation
import GRDB
import PrivateFiles
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import StoreKit
import StoreProtocol
import StoreTestSupport
import Testing

@testable import OpenStoreKit

@Suite struct JournalTests {
    private let credits = SampleProduct.credits5

    /// A phone with one purchased, unfinished transaction.
    private func phoneWithPurchase() async throws -> Phone {
        let phone = try await Phone()
        let (device, _) = try await phone.launch(finishing: false)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(try phone.records().map(\.isVisible) == [true])
        return phone
    }

    private func relaunch(_ phone: Phone) async throws -> RecordingObserver {
        try await phone.launch(finishing: false).recorder
    }

    @Test(arguments: [0, 42]) func `another program's database is refused and not modified`(_ number: Int) throws {
        let folder = try TemporaryFolder()
        let file = folder.file("journal.sqlite")
        let other = try DatabaseQueue(path: file.path)
        try other.write { database in
            try database.execute(sql: "CREATE TABLE payment (id TEXT); INSERT INTO payment VALUES ('theirs')")
            try database.execute(sql: "PRAGMA application_id = \(number)")
        }
        try other.close()
        let bytes = try Data(contentsOf: file)
        let configuration = DeviceConfiguration(
            storeURL: "http://127.0.0.1:1", bundleID: "com.example.app", appVersion: "1.0", folder: folder.url.path, rootsPEM: "",
            interface: AutomaticInterface(nil))
        let error = #expect(throws: DeviceError.self) { _ = try Device(configuration) }
        #expect("\(String(describing: error))".contains("another program"))
        #expect(try Data(contentsOf: file) == bytes)
    }

    @Test func `a journal has its application ID and is readable by its owner only`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("journal").path(percentEncoded: false)
        let journal = try Journal(path: path)
        #expect(try journal.database.read { try Int32.fetchOne($0, sql: "PRAGMA application_id") } == Journal.applicationID)
        for suffix in ["", "-wal", "-shm"] {
            #expect(try FileManager.default.attributesOfItem(atPath: path + suffix)[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `a new journal is created once, however many processes open it at the same time`() async throws {
        try await TemporaryFolder.with { folder in
            for round in 1...3 {
                let path = folder.file("journal-\(round)").path(percentEncoded: false)
                // Each journal has a connection and locks of its own, like a process.
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<12 { group.addTask { _ = try Journal(path: path).records() } }
                    try await group.waitForAll()
                }
                #expect(try Journal(path: path).records().isEmpty)
            }
        }
    }

    @Test func `the journal uses full synchronous writes and a write-ahead log`() throws {
        let folder = try TemporaryFolder()
        let journal = try Journal(path: folder.file("journal").path(percentEncoded: false))
        let pragmas = try journal.database.writeWithoutTransaction { database in
            (
                try Int.fetchOne(database, sql: "PRAGMA synchronous"), try String.fetchOne(database, sql: "PRAGMA journal_mode")
            )
        }
        #expect(pragmas.0 == 2)
        #expect(pragmas.1 == "wal")
    }

    @Test func `an unfinished purchase is delivered from the journal without a network`() async throws {
        let phone = try await phoneWithPurchase()
        phone.transport.set(offline: true)
        let recorder = try await relaunch(phone)
        #expect(recorder.events == [.updated(.purchased, credits.rawValue)])
        #expect(recorder.identifiers == (try await phone.charges.map(\.transactionID.rawValue)))
    }

    @Test(arguments: [
        "an empty record", "an edited product", "an edited quantity", "an edited date", "an untrusted signature", "a moved row",
    ])
    func `a modified record is discarded, and the store delivers the genuine transaction`(_ edit: String) async throws {
        let phone = try await phoneWithPurchase()
        let record = try #require(try phone.records().first)
        guard case .purchased(let recorded) = record.state else { return #expect(Bool(false)) }
        switch edit {
        case "an empty record":
            try phone.overwrite(record.id, Data("{}".utf8))
        case "an edited product":
            try phone.overwrite(record.id, record.copy(product: SampleProduct.credits10, quantity: 1))
        case "an edited quantity":
            try phone.overwrite(record.id, record.copy(product: credits, quantity: 10))
        case "an edited date":
            let text = String(decoding: try PaymentJournalRecord.write(record), as: UTF8.self)
            try phone.overwrite(record.id, Data(text.replacing("\"date\":\(recorded.date.milliseconds)", with: "\"date\":5").utf8))
        case "an untrusted signature":
            let payload = TransactionPayload.sample(id: recorded.id, date: recorded.date)
            let signed = try TestAuthority.other.signedData.sign(payload)
            let text = String(decoding: try PaymentJournalRecord.write(record), as: UTF8.self)
            try phone.overwrite(record.id, Data(text.replacing(recorded.signed.compact, with: signed.compact).utf8))
        default:
            try phone.execute("UPDATE payment SET id = 'elsewhere'")
        }
        phone.transport.set(offline: true)
        #expect(try await relaunch(phone).events.isEmpty)
        #expect(try phone.records().isEmpty)
        phone.transport.set(offline: false)
        let recorder = try await relaunch(phone)
        #expect(recorder.events == [.updated(.purchased, credits.rawValue)])
        #expect(recorder.identifiers == [recorded.id.rawValue])
        #expect(try await phone.charges.count == 1)
    }

    @Test func `an invalid row does not block the other rows`() async throws {
        let phone = try await phoneWithPurchase()
        try phone.execute("INSERT INTO payment (id, transactionID, record) VALUES ('bad', NULL, 5), ('worse', 'x', x'00')")
        #expect(try await relaunch(phone).events == [.updated(.purchased, credits.rawValue)])
    }

    @Test func `a payment that can't be written is not sent, and fails`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        await device.waitUntilIdle()
        try phone.execute("CREATE TRIGGER full BEFORE INSERT ON payment BEGIN SELECT RAISE(ABORT, 'full'); END")
        let recorder = RecordingObserver(finishes: true)
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(recorder.errors.map(\.code) == [0])
        let states = [SKPaymentTransactionState.purchasing, .failed].map { RecordingObserver.Event.updated($0, credits.rawValue) }
        #expect(recorder.events == states + [.removed(credits.rawValue)])
        #expect(device.paymentQueue.transactions.isEmpty)
        #expect(phone.user.sheets.isEmpty)
        #expect(phone.transport.calls.isEmpty)
    }

    @Test func `a reply that can't be written is requested again later`() async throws {
        let phone = try await Phone()
        let (device, recorder) = try await phone.launch(finishing: false)
        try phone.execute(
            "CREATE TRIGGER full BEFORE UPDATE ON payment WHEN NEW.transactionID IS NOT NULL BEGIN SELECT RAISE(ABORT, 'full'); END")
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(recorder.identifiers.isEmpty)
        #expect(phone.transport.count(DeviceEndpoints.purchase) == 1)
        try phone.execute("DROP TRIGGER full")
        await phone.retry(device)
        #expect(recorder.identifiers.count == 1)
        #expect(try await phone.charges.count == 1)
    }

    @Test func `an unusable journal file is an error`() throws {
        let folder = try TemporaryFolder()
        try Data("not a SQLite database, but long enough for SQLite to read a header".utf8).write(to: folder.file("journal.sqlite"))
        let configuration = DeviceConfiguration(
            storeURL: "http://127.0.0.1:1", bundleID: .test, appVersion: "1", folder: folder.url.path(percentEncoded: false), rootsPEM: "",
            interface: AutomaticInterface()
        )
        #expect(throws: DeviceError.self) { try Device(configuration) }
    }
}

extension PaymentQueueRecord {
    fileprivate func copy(product: ProductID, quantity: Int) throws -> Data {
        try PaymentJournalRecord.write(
            PaymentQueueRecord(
                PaymentRequest(id: id, productID: product, quantity: quantity, username: self.username, product: self.product),
                sequence: sequence, state: state)
        )
    }
}

extension Phone {
    /// The payment records in the journal's file.
    func records() throws -> [PaymentQueueRecord] { try Journal(path: journal).records() }

    /// Executes SQL on the journal's file.
    func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
        try DatabaseQueue.waiting(path: journal).write { try $0.execute(sql: sql, arguments: arguments) }
    }

    /// Replaces the encoded record of a payment.
    func overwrite(_ id: PaymentID, _ record: Data) throws {
        try execute("UPDATE payment SET record = ? WHERE id = ?", [record, id.rawValue])
    }
}
