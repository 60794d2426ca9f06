import Foundation

/// A date in the format of `verifyReceipt`, which consists of three JSON members.
///
/// For the name `expires_date`, the members are `expires_date` (GMT), `expires_date_ms` (milliseconds since 1970) and `expires_date_pst`
/// (the time in Los Angeles).
public struct DateTriplet: Hashable, Sendable {
    /// The date as milliseconds since 1970.
    public let timestamp: Timestamp

    /// Creates a date.
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

    /// Decodes a date from the member whose name is `name` followed by `_ms`; nil when the member is absent.
    init?(named name: String, from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let key = Key(stringValue: "\(name)_ms")
        guard let text = try container.decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let milliseconds = Int64(text) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "The milliseconds must be an integer.")
        }
        timestamp = Timestamp(milliseconds: milliseconds)
    }

    /// Returns the three JSON members of the date, whose names are `name` without a suffix, with `_ms` and with `_pst`.
    public func members(named name: String) -> [String: String] {
        // Despite the suffix `_pst`, the App Store's value follows daylight saving time.
        let losAngeles = TimeZone(identifier: "America/Los_Angeles") ?? .gmt
        return [
            name: "\(text(in: .gmt)) Etc/GMT",
            "\(name)_ms": String(timestamp.milliseconds),
            "\(name)_pst": "\(text(in: losAngeles)) America/Los_Angeles",
        ]
    }

    /// Encodes the three members of the date into a JSON object.
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
