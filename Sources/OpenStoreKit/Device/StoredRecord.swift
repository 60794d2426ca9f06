import Foundation

/// A value in the format of the device's files: JSON with a version.
///
/// Stored names and values are declared only in the records, so that renaming a member or a case of the value requires no data
/// migration. A change of meaning raises the record's version, and ``value()`` then reads the earlier versions.
protocol StoredRecord: Codable, Hashable, Sendable {
    associatedtype Value: Sendable

    /// The version that ``init(_:)`` writes.
    static var currentVersion: Int { get }
    /// The version of this record.
    var version: Int { get }

    init(_ value: Value)

    /// Converts the record to the value.
    ///
    /// - Throws: ``UnreadableRecord`` for a version or a value that this version of the program does not support.
    func value() throws -> Value
}

extension StoredRecord {
    /// The stored form of a value.
    static func write(_ value: Value) throws -> Data {
        try JSONEncoder().encode(Self(value))
    }

    /// The value of a stored form.
    ///
    /// - Throws: `DecodingError` for data that is not such a record; ``UnreadableRecord`` for an unknown version or value.
    static func read(_ data: Data) throws -> Value {
        try JSONDecoder().decode(Self.self, from: data).value()
    }

    /// Refuses a record of an unknown version.
    func checkVersion() throws(UnreadableRecord) {
        guard version == Self.currentVersion else { throw UnreadableRecord(value: "version \(version)") }
    }
}

/// The error for a stored version or value that this version of the program does not support.
struct UnreadableRecord: Error, Hashable, CustomStringConvertible {
    let value: String

    var description: String { "The stored value \(value) is unknown to this version of the program." }

    /// Converts a stored value; a value without a meaning is unreadable.
    static func read<Stored, Value>(_ stored: Stored, _ convert: (Stored) -> Value?) throws(UnreadableRecord) -> Value {
        guard let value = convert(stored) else { throw UnreadableRecord(value: "\(stored)") }
        return value
    }
}
