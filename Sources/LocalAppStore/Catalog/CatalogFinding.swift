/// An error or a warning about a `.storekit` file.
public struct CatalogFinding: Codable, Hashable, Sendable {
    /// The severity of a finding.
    public enum Severity: String, Codable, Hashable, Sendable, CaseIterable {
        /// The file is unusable.
        case error
        /// The file is usable, but may not mean what the author intended.
        case warning
    }

    /// The maximum number of findings of each severity for one file.
    public static let limit = 1000

    /// The severity of the finding.
    public let severity: Severity
    /// The place in the JSON, such as `subscriptionGroups[0].subscriptions[2].displayPrice`; `$` for the file as a whole.
    public let path: String
    /// A sentence that states the problem and its solution.
    public let message: String

    init(_ severity: Severity, at path: String, _ message: String) {
        self.severity = severity
        self.path = path
        self.message = message
    }
}

extension CatalogFinding: CustomStringConvertible {
    /// One line: severity, place, sentence.
    public var description: String { "\(severity.rawValue): \(path): \(message)" }
}
