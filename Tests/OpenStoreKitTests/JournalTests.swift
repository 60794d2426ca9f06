import Foundation
import GRDB
import MonkeyShop
import PurchaseIssuing
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import StoreKit
import StoreTestSupport
import Testing
import WireClient

@testable import OpenStoreKit

@Suite struct JournalTests {
    private let credits = MonkeyShopProduct.credits5

    /// A phone that holds one purchased transaction, not finished.
    private func phoneWithPurchase() async throws -> TestPhone {
        let phone = try await TestPhone()
        let (device, _) = try await phone.launch(finishing: false)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(try phone.records().map(\.isVisible) == [true])
        return phone
    }

    private func relaunch(_ phone: TestPhone) async throws -> Witness {
        let witness = Witness()
        let device = try phone.launch()
        device.paymentQueue.add(witness)
        await device.settle()
        return witness
    }

    @Test(arguments: [0, 42]) func `a database of another program is no journal, and stays as it is`(_ number: Int) throws {
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

    @Test func `a journal has its number and is its owner's alone`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("journal").path(percentEncoded: false)
        let journal = try Journal(path: path)
        #expect(try journal.database.read { try Int32.fetchOne($0, sql: "PRAGMA application_id") } == Journal.applicationID)
        for suffix in ["", "-wal", "-shm"] {
            #expect(try FileManager.default.attributesOfItem(atPath: path + suffix)[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `what was written is on the disk`() throws {
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

    @Test func `an unfinished purchase comes back from the journal without a network`() async throws {
        let phone = try await phoneWithPurchase()
        phone.line.set(away: true)
        let witness = try await relaunch(phone)
        #expect(witness.notes == [.updated(.purchased, credits.rawValue)])
        #expect(witness.identifiers == (try await phone.charges.map(\.transaction.rawValue)))
    }

    @Test(arguments: [
        "a record that is no record", "an edited product", "an edited quantity", "an edited date", "a stranger's signature", "a moved row",
    ])
    func `an edited journal is refused, and the genuine transaction comes from the store`(_ edit: String) async throws {
        let phone = try await phoneWithPurchase()
        let record = try #require(try phone.records().first)
        guard case .purchased(let recorded) = record.state else { return #expect(Bool(false)) }
        switch edit {
        case "a record that is no record":
            try phone.overwrite(record.id, Data("{}".utf8))
        case "an edited product":
            try phone.overwrite(record.id, record.copy(product: MonkeyShopProduct.credits10, quantity: 1))
        case "an edited quantity":
            try phone.overwrite(record.id, record.copy(product: credits, quantity: 10))
        case "an edited date":
            let text = String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
            try phone.overwrite(record.id, Data(text.replacing("\"date\":\(recorded.date.milliseconds)", with: "\"date\":5").utf8))
        case "a stranger's signature":
            let payload = TransactionPayload.sample(id: recorded.id, date: recorded.date)
            let signed = try TestAuthority.other.signedData.sign(payload)
            let text = String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
            try phone.overwrite(record.id, Data(text.replacing(recorded.signed.compact, with: signed.compact).utf8))
        default:
            try phone.execute("UPDATE payment SET id = 'elsewhere'")
        }
        phone.line.set(away: true)
        #expect(try await relaunch(phone).notes.isEmpty)
        #expect(try phone.records().isEmpty)
        phone.line.set(away: false)
        let witness = try await relaunch(phone)
        #expect(witness.notes == [.updated(.purchased, credits.rawValue)])
        #expect(witness.identifiers == [recorded.id.rawValue])
        #expect(try await phone.charges.count == 1)
    }

    @Test func `one bad row does not hold up the others`() async throws {
        let phone = try await phoneWithPurchase()
        try phone.execute("INSERT INTO payment (id, transactionID, record) VALUES ('bad', NULL, 5), ('worse', 'x', x'00')")
        #expect(try await relaunch(phone).notes == [.updated(.purchased, credits.rawValue)])
    }

    @Test func `what can't be written is not sent, and the app hears that it failed`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        await device.settle()
        try phone.execute("CREATE TRIGGER full BEFORE INSERT ON payment BEGIN SELECT RAISE(ABORT, 'full'); END")
        let witness = Witness(finishes: true)
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(witness.errors.map(\.code) == [0])
        let states = [SKPaymentTransactionState.purchasing, .failed].map { Witness.Note.updated($0, credits.rawValue) }
        #expect(witness.notes == states + [.removed(credits.rawValue)])
        #expect(device.paymentQueue.transactions.isEmpty)
        #expect(phone.user.sheets.isEmpty)
        #expect(phone.line.calls.isEmpty)
    }

    @Test func `an answer that can't be written is asked for again, later`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        let witness = Witness()
        device.paymentQueue.add(witness)
        await device.settle()
        try phone.execute(
            "CREATE TRIGGER full BEFORE UPDATE ON payment WHEN NEW.transactionID IS NOT NULL BEGIN SELECT RAISE(ABORT, 'full'); END")
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(witness.identifiers.isEmpty)
        #expect(phone.line.count(DeviceEndpoints.purchase) == 1)
        try phone.execute("DROP TRIGGER full")
        await phone.retry(device)
        #expect(witness.identifiers.count == 1)
        #expect(try await phone.charges.count == 1)
    }

    @Test func `a folder without a usable journal is an error that says so`() throws {
        let folder = try TemporaryFolder()
        try Data("this is no database, and it is long enough to be seen as one".utf8).write(to: folder.file("journal.sqlite"))
        let configuration = DeviceConfiguration(
            storeURL: "http://127.0.0.1:1", bundleID: .test, appVersion: "1", folder: folder.url.path(percentEncoded: false), rootsPEM: "",
            interface: AutomaticInterface()
        )
        #expect(throws: DeviceError.self) { try Device(configuration) }
    }
}

extension PaymentRecord {
    fileprivate func copy(product: ProductID, quantity: Int) throws -> Data {
        try JSONEncoder().encode(
            PaymentRecord(
                id: id, sequence: sequence, productID: product, quantity: quantity, username: username, product: self.product, state: state
            )
        )
    }
}

extension TestPhone {
    /// What the journal's file holds.
    func records() throws -> [PaymentRecord] { try Journal(path: journal).records() }

    /// Edits the journal's file.
    func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        try DatabaseQueue(path: journal, configuration: configuration).write { try $0.execute(sql: sql, arguments: arguments) }
    }

    /// Replaces a record.
    func overwrite(_ id: PaymentID, _ record: Data) throws {
        try execute("UPDATE payment SET record = ? WHERE id = ?", [record, id.rawValue])
    }
}
