import Foundation
import GRDB
import PrivateFiles
import PurchaseModel

/// The format in which the database stores a store's time: JSON in the setting `time`.
struct StoreTimeRecord: StoredRecord {
    static let currentVersion = 1

    let version: Int
    let base: Timestamp
    let store: Timestamp
    let factor: Double

    init(_ time: StoreTime) {
        version = Self.currentVersion
        base = time.base
        store = time.store
        factor = time.factor
    }

    /// Returns the stored time, whose values are not validated; see ``StoreTime/isValid``.
    ///
    /// - Throws: ``UnreadableRecord`` for an unknown version.
    func value() throws -> StoreTime {
        try checkVersion()
        return StoreTime(base: base, store: store, factor: factor)
    }
}

extension StoreSettings {
    /// Returns the store's time; nil if it was never advanced, stopped or accelerated.
    static func time(_ db: Database) throws -> StoreTime? {
        try time.value(db).map { try WireJSON.decode(StoreTimeRecord.self, from: Data($0.utf8)).value() }
    }

    /// Saves the state of the store's time.
    static func set(_ time: StoreTime, _ db: Database) throws {
        try Self.time.set(String(decoding: WireJSON.encode(StoreTimeRecord(time)), as: UTF8.self), db)
    }
}
