/// Something about a `.storekit` file that its author should know.
public struct CatalogFinding: Codable, Hashable, Sendable {
    /// How bad it is.
    public enum Severity: String, Codable, Hashable, Sendable, CaseIterable {
        /// The file cannot be used.
        case error
        /// The file can be used, perhaps not as it was meant.
        case warning
    }

    /// The most findings of each severity that are kept of one file.
    public static let limit = 1000

    /// How bad it is.
    public let severity: Severity
    /// The place in the JSON, such as `subscriptionGroups[0].subscriptions[2].displayPrice`; `$` for the file as a whole.
    public let path: String
    /// What is the matter and what to do about it.
    public let sentence: String

    init(_ severity: Severity, at path: String, _ sentence: String) {
        self.severity = severity
        self.path = path
        self.sentence = sentence
    }
}

extension CatalogFinding: CustomStringConvertible {
    /// One line: severity, place, sentence.
    public var description: String { "\(severity.rawValue): \(path): \(sentence)" }
}
