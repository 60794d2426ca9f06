import Foundation
import FoundationExtras
import GRDB
import PrivateFiles
import PurchaseModel
import StoreProtocol
import Testing

@testable import LocalAppStore

@Suite struct FaultRecordTests {
    /// Each kind of fault with its stored text.
    static let kinds: [(kind: FaultKind, text: String)] = [
        (.delay(milliseconds: 500), #"{"milliseconds":500,"name":"delay"}"#),
        (.lostReply, #"{"name":"lostReply"}"#),
        (.status(code: 429, retryAfterSeconds: 5), #"{"code":429,"name":"status","retryAfterSeconds":5}"#),
        (.status(code: 503, retryAfterSeconds: nil), #"{"code":503,"name":"status"}"#),
        (.verifyReceiptStatus(code: 21_100, isRetryable: true), #"{"code":21100,"isRetryable":true,"name":"verifyReceiptStatus"}"#),
        (.verifyReceiptStatus(code: 21_005, isRetryable: nil), #"{"code":21005,"name":"verifyReceiptStatus"}"#),
        (.verifyReceiptOutage, #"{"name":"verifyReceiptOutage"}"#),
        (.clockSkew(seconds: -60), #"{"name":"clockSkew","seconds":-60}"#),
        (.purchaseRefused(code: 5), #"{"code":5,"name":"purchaseRefused"}"#),
        (.notificationLost, #"{"name":"notificationLost"}"#),
        (.notificationDuplicated, #"{"name":"notificationDuplicated"}"#),
        (.notificationReordered, #"{"name":"notificationReordered"}"#),
        (.notificationDelayed(seconds: 60), #"{"name":"notificationDelayed","seconds":60}"#),
        (.signing(fault: "wrongRoot"), #"{"name":"signing","signing":"wrongRoot"}"#),
    ]

    @Test(arguments: kinds)
    func `a fault is stored under these names, whatever the code calls them`(_ kind: FaultKind, _ text: String) throws {
        let stored = #"{"kind":\#(text),"version":1}"#
        #expect(String(decoding: try WireJSON.encode(FaultStateRecord(Fault(kind))), as: UTF8.self) == stored)
        #expect(try WireJSON.decode(FaultStateRecord.self, from: Data(stored.utf8)).value() == Fault(kind))
    }

    @Test(
        arguments: [
            (.device, "device"), (.verifyReceipt, "verifyReceipt"), (.serverAPI, "serverAPI"), (.notifications, "notifications"),
        ] as [(FaultSurface, String)])
    func `the scope of a fault is stored under these names`(_ surface: FaultSurface, _ name: String) throws {
        var fault = Fault(.lostReply, count: 3)
        (fault.surface, fault.path, fault.bundleID) = (surface, "/a", "com.example.app")
        (fault.account, fault.productID) = ("ada", "silver")
        let stored = """
            {"account":"ada","bundleID":"com.example.app","count":3,"kind":{"name":"lostReply"},"path":"/a","productID":"silver",\
            "surface":"\(name)","version":1}
            """
        #expect(String(decoding: try WireJSON.encode(FaultStateRecord(fault)), as: UTF8.self) == stored)
        #expect(try WireJSON.decode(FaultStateRecord.self, from: Data(stored.utf8)).value() == fault)
    }

    @Test(arguments: [
        #"{"kind":{"name":"lostReply"},"version":2}"#, #"{"kind":{"name":"asleep"},"version":1}"#,
        #"{"kind":{"name":"delay"},"version":1}"#, #"{"kind":{"name":"status"},"version":1}"#,
        #"{"kind":{"name":"signing"},"version":1}"#, #"{"kind":{"name":"lostReply"},"surface":"street","version":1}"#,
    ])
    func `an unknown version or value of a fault is refused`(_ text: String) throws {
        let record = try WireJSON.decode(FaultStateRecord.self, from: Data(text.utf8))
        #expect(throws: UnreadableRecord.self) { try record.value() }
    }

    @Test func `the table of faults contains this form, and refuses a row of an unknown version`() throws {
        let database = try DatabaseQueue()
        try StoreDatabase.migrator.migrate(database)
        try database.write { db in
            try FaultRecord(id: nil, fault: Fault(.delay(milliseconds: 500))).insert(db)
            let stored = try String.fetchOne(db, sql: "SELECT fault FROM faults")
            #expect(stored == #"{"kind":{"milliseconds":500,"name":"delay"},"version":1}"#)
            #expect(try FaultRecord.fetchAll(db).map(\.fault) == [Fault(.delay(milliseconds: 500))])
            try db.execute(sql: "UPDATE faults SET fault = json_set(fault, '$.version', 2)")
            #expect(throws: (any Error).self) { try FaultRecord.fetchAll(db) }
        }
    }
}
