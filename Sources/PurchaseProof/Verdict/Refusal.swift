/// Why signed bytes are not believed, and where in them it shows.
///
/// Two refusals are equal when reason and place are; the detail is for people.
public struct Refusal: Error, Sendable {
    /// What is wrong.
    public let reason: Reason
    /// Where it shows, such as `SignedData.certificates`, `receipt.17[3].1704` or `header.x5c[0]`.
    public let place: String
    /// How many bytes lie before it in the file, where that says anything.
    public let offset: Int?
    /// More about it, in a sentence without anything from the data; may be empty.
    public let detail: String

    /// Creates a refusal, for checks of one's own.
    ///
    /// - Parameters:
    ///   - reason: The one that fits best.
    ///   - place: Where it shows, by the names that other refusals use.
    ///   - offset: How many bytes lie before it in the file.
    ///   - detail: More about it; it is shown to strangers, so put nothing of the data into it.
    public init(_ reason: Reason, at place: String, offset: Int? = nil, _ detail: String = "") {
        self.reason = reason
        self.place = place
        self.offset = offset
        self.detail = detail
    }

    /// What is wrong, for the developer of whoever sent the data.
    public var sentence: String {
        detail.isEmpty ? "\(reason.sentence) (\(place))" : "\(reason.sentence) \(detail) (\(place))"
    }
}

extension Refusal: Hashable {
    /// Compares reason and place.
    public static func == (one: Refusal, other: Refusal) -> Bool {
        one.reason == other.reason && one.place == other.place
    }

    /// Hashes reason and place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(reason)
        hasher.combine(place)
    }
}
