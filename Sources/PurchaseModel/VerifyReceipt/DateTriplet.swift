import Foundation

/// A date as `verifyReceipt` writes it: three keys, `X`, `X_ms` and `X_pst`.
public struct DateTriplet: Hashable, Sendable {
    /// The point in time.
    public let timestamp: Timestamp

    /// Wraps a point in time.
    public init(_ timestamp: Timestamp) {
        self.timestamp = timestamp
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }

    /// Reads `NAME_ms` from the object that `decoder` holds; nil when it is not there.
    init?(named name: String, from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let key = Key(stringValue: "\(name)_ms")
        guard let text = try container.decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let milliseconds = Int64(text) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "milliseconds are no number")
        }
        timestamp = Timestamp(milliseconds: milliseconds)
    }

    /// The three keys with their values: `X`, `X_ms` and `X_pst`.
    public func members(named name: String) -> [String: String] {
        // The key says "pst", the value follows daylight saving all the same.
        let losAngeles = TimeZone(identifier: "America/Los_Angeles") ?? .gmt
        return [
            name: "\(text(in: .gmt)) Etc/GMT",
            "\(name)_ms": String(timestamp.milliseconds),
            "\(name)_pst": "\(text(in: losAngeles)) America/Los_Angeles",
        ]
    }

    /// Writes all three keys into the object that `encoder` holds.
    func encode(named name: String, to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (key, value) in members(named: name) {
            try container.encode(value, forKey: Key(stringValue: key))
        }
    }

    private func text(in timeZone: TimeZone) -> String {
        timestamp.date.formatted(
            Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day().dateSeparator(.dash)
                .dateTimeSeparator(.space).time(includingFractionalSeconds: false)
        )
    }
}
