package import Foundation

/// The versioned stored format of a value.
///
/// Stored names and raw values are declared only in records, so that renaming a member or a case of the value requires no data
/// migration. A change of meaning raises ``currentVersion``, and ``value()`` then also reads the earlier versions.
package protocol StoredRecord: Codable, Hashable, Sendable {
    associatedtype Value: Sendable

    /// The version that ``init(_:)`` writes.
    static var currentVersion: Int { get }
    /// The version of the format in which this record was written.
    var version: Int { get }

    init(_ value: Value)

    /// Converts the record to the value.
    ///
    /// - Throws: ``UnreadableRecord`` if this version of the program does not support the record's version or a value in it.
    func value() throws -> Value
}

extension StoredRecord {
    /// Encodes a value as JSON.
    package static func write(_ value: Value) throws -> Data {
        try JSONEncoder().encode(Self(value))
    }

    /// Decodes a value from JSON.
    ///
    /// - Throws: `DecodingError` for other JSON; ``UnreadableRecord`` for an unsupported version or raw value.
    package static func read(_ data: Data) throws -> Value {
        try JSONDecoder().decode(Self.self, from: data).value()
    }

    /// Throws ``UnreadableRecord`` for a version other than ``currentVersion``.
    package func checkVersion() throws(UnreadableRecord) {
        guard version == Self.currentVersion else { throw UnreadableRecord(value: "version \(version)") }
    }
}

/// The error for a stored version or raw value that this version of the program does not support.
package struct UnreadableRecord: Error, Hashable, CustomStringConvertible {
    package let value: String

    package init(value: String) {
        self.value = value
    }

    package var description: String { "The stored value \(value) is unknown to this version of the program. Use a newer version." }

    /// Returns the value that `convert` returns for a stored value.
    ///
    /// - Throws: ``UnreadableRecord`` if `convert` returns nil.
    package static func read<Stored, Value>(_ stored: Stored, _ convert: (Stored) -> Value?) throws(UnreadableRecord) -> Value {
        guard let value = convert(stored) else { throw UnreadableRecord(value: "\(stored)") }
        return value
    }
}
