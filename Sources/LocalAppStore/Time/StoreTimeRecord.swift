import Foundation
import GRDB
import PurchaseModel

/// A store's time in the database's format: JSON in the setting `time`.
struct StoreTimeRecord: Codable, Hashable, Sendable {
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

    /// Converts the record to a time, which ``StoreTime/isValid`` may refuse.
    ///
    /// - Throws: ``UnreadableRecord`` for a version that is unknown.
    func time() throws -> StoreTime {
        guard version == Self.currentVersion else { throw UnreadableRecord(value: "version \(version)") }
        return StoreTime(base: base, store: store, factor: factor)
    }
}

extension StoreSettings {
    /// The store's time; nil for a store that has never changed it.
    static func time(_ db: Database) throws -> StoreTime? {
        try time.value(db).map { try WireJSON.decode(StoreTimeRecord.self, from: Data($0.utf8)).time() }
    }

    /// Saves the store's time.
    static func set(_ time: StoreTime, _ db: Database) throws {
        try Self.time.set(String(decoding: WireJSON.encode(StoreTimeRecord(time)), as: UTF8.self), db)
    }
}
