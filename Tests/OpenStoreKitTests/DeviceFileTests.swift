import Foundation
import FoundationExtras
import PrivateFiles
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import OpenStoreKit

@Suite struct DeviceFileTests {
    private static let identity = DeviceIdentity(
        device: "d", session: DeviceIdentity.Session(account: "ada", token: "t", storefront: .unitedStates, appVersion: "1.0"),
        owner: "ada", appTransaction: SignedAppTransaction("a.b.c"))
    private static let identityText = """
        {"appTransaction":"a.b.c","device":"d","owner":"ada","session":{"account":"ada","appVersion":"1.0",\
        "storefront":{"countryCode":"USA","currency":"USD","id":"143441","locale":"en_US"},"token":"t"},"version":1}
        """

    @Test func `the identity is stored under these names, whatever the code calls them`() throws {
        #expect(try text(of: DeviceIdentityRecord(Self.identity)) == Self.identityText)
        #expect(try DeviceIdentityRecord.read(Data(Self.identityText.utf8)) == Self.identity)
        let new = DeviceIdentity(device: "d")
        #expect(try text(of: DeviceIdentityRecord(new)) == #"{"device":"d","version":1}"#)
        #expect(try DeviceIdentityRecord.read(Data(#"{"device":"d","version":1}"#.utf8)) == new)
    }

    @Test(arguments: [(false, false), (true, false), (false, true)])
    func `the settings are stored under these names`(_ restrictsPayments: Bool, _ airplaneMode: Bool) throws {
        var settings = DeviceSettings()
        (settings.restrictsPayments, settings.airplaneMode) = (restrictsPayments, airplaneMode)
        let stored = #"{"airplaneMode":\#(airplaneMode),"restrictsPayments":\#(restrictsPayments),"version":1}"#
        #expect(try text(of: DeviceSettingsRecord(settings)) == stored)
        #expect(try DeviceSettingsRecord.read(Data(stored.utf8)) == settings)
    }

    @Test(
        arguments: [
            (.waiting, "waiting"), (.active, "active"), (.paused, "paused"), (.finished, "finished"), (.failed, "failed"),
            (.cancelled, "cancelled"),
        ] as [(DownloadRecord.State, String)])
    func `a download is stored under these names`(_ state: DownloadRecord.State, _ name: String) throws {
        let content = HostedContent(version: "1.0", length: 10, sha256: "ab")
        let small = DownloadRecord(transaction: "1", productID: "a", content: content, account: nil, state: state)
        let full = DownloadRecord(
            transaction: "2", productID: "b", content: content, account: "ada", state: state, isStarted: true, received: 5,
            entityTag: "\"t\"", contentPath: "/there", failure: PaymentFailure(.unknown, "No."))
        let stored = #"""
            {"downloads":[{"content":{"length":10,"sha256":"ab","version":"1.0"},"isStarted":false,"productID":"a","received":0,\#
            "state":"\#(name)","transactionID":"1"},{"account":"ada","content":{"length":10,"sha256":"ab","version":"1.0"},\#
            "contentPath":"/there","entityTag":"\"t\"","failure":{"code":0,"domain":"SKErrorDomain","message":"No."},\#
            "isStarted":true,"productID":"b","received":5,"state":"\#(name)","transactionID":"2"}],"version":1}
            """#
        #expect(try text(of: DownloadListRecord([small, full])) == stored)
        #expect(try DownloadListRecord.read(Data(stored.utf8)) == [small, full])
    }

    @Test func `an unknown version or value is refused`() {
        for text in [#"{"device":"d","version":2}"#, #"{"device":"d","version":0}"#] {
            #expect(throws: UnreadableRecord.self) { try DeviceIdentityRecord.read(Data(text.utf8)) }
        }
        #expect(throws: UnreadableRecord.self) {
            try DeviceSettingsRecord.read(Data(#"{"airplaneMode":true,"restrictsPayments":true,"version":2}"#.utf8))
        }
        #expect(throws: UnreadableRecord.self) { try DownloadListRecord.read(Data(#"{"downloads":[],"version":2}"#.utf8)) }
        let download = #"{"content":{"length":1,"version":"1"},"isStarted":false,"productID":"a","received":0,"transactionID":"1","#
        #expect(throws: UnreadableRecord.self) {
            try DownloadListRecord.read(Data(#"{"downloads":[\#(download)"state":"asleep"}],"version":1}"#.utf8))
        }
    }

    @Test func `a file of an unknown version is an error that names the file, and stays as it is`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("settings.json").path(percentEncoded: false)
        let file = DeviceFile<DeviceSettingsRecord>(path: path)
        #expect(try file.read() == nil)
        var settings = DeviceSettings()
        settings.airplaneMode = true
        try file.write(settings)
        #expect(try file.read() == settings)
        let bytes = Data(#"{"airplaneMode":true,"restrictsPayments":true,"version":2}"#.utf8)
        try bytes.write(to: folder.file("settings.json"))
        let error = #expect(throws: DeviceError.self) { try file.read() }
        #expect("\(String(describing: error))".contains(path))
        #expect(try Data(contentsOf: folder.file("settings.json")) == bytes)
    }

    private func text(of record: some Encodable) throws -> String {
        String(decoding: try WireJSON.encode(record), as: UTF8.self)
    }
}
