import Foundation
import FoundationExtras
import PrivateFiles
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import LocalAppStore

@Suite struct StoreTimeRecordTests {
    private static let stored = #"{"base":1738326896000,"factor":12.5,"store":1738326900000,"version":1}"#

    @Test func `a store's time is stored under these names, whatever the code calls them`() throws {
        let time = StoreTime(
            base: Timestamp(milliseconds: 1_738_326_896_000), store: Timestamp(milliseconds: 1_738_326_900_000), factor: 12.5)
        #expect(String(decoding: try WireJSON.encode(StoreTimeRecord(time)), as: UTF8.self) == Self.stored)
        #expect(try WireJSON.decode(StoreTimeRecord.self, from: Data(Self.stored.utf8)).value() == time)
    }

    @Test(arguments: [0, 0.5, 1, 60, StoreTime.maximumFactor])
    func `a store's time is read as it was stored`(_ factor: Double) throws {
        let time = try #require(StoreTime(base: .testStart).settingFactor(factor, at: .testStart))
        let record = try WireJSON.decode(StoreTimeRecord.self, from: WireJSON.encode(StoreTimeRecord(time)))
        #expect(try record.value() == time)
    }

    @Test(arguments: [0, 2]) func `a time of an unknown version is refused`(_ version: Int) throws {
        let text = Self.stored.replacing(#""version":1"#, with: #""version":\#(version)"#)
        let record = try WireJSON.decode(StoreTimeRecord.self, from: Data(text.utf8))
        #expect(throws: UnreadableRecord.self) { try record.value() }
    }

    @Test(arguments: [#""base":9223372036854775807"#, #""base":-9223372036854775808"#])
    func `an extreme time is read, and is not valid`(_ base: String) throws {
        let text = Self.stored.replacing(#""base":1738326896000"#, with: base)
        let time = try WireJSON.decode(StoreTimeRecord.self, from: Data(text.utf8)).value()
        #expect(!time.isValid)
        _ = time.now(at: .testStart)
    }
}
