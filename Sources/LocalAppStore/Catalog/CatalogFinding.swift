public import Foundation
public import PurchaseModel

/// An error or a warning about a `.storekit` file.
public struct CatalogFinding: Codable, Hashable, Sendable {
    /// The severity of a finding.
    public enum Severity: String, Codable, Hashable, Sendable, CaseIterable {
        /// The file cannot be read as a catalog.
        case error
        /// The file can be read as a catalog, but its author may have intended something else.
        case warning
    }

    /// The maximum number of findings of each severity for one file.
    public static let limit = 1000

    /// The severity of the finding.
    public let severity: Severity
    /// The place of the finding in the file's JSON; `$` for the file as a whole.
    ///
    /// An example is `subscriptionGroups[0].subscriptions[2].displayPrice`.
    public let path: String
    /// A sentence that states the problem and its solution, for the author of the file.
    public let message: String

    init(_ severity: Severity, at path: String, _ message: String) {
        self.severity = severity
        self.path = path
        self.message = message
    }
}

extension CatalogFinding: CustomStringConvertible {
    /// The severity, the place and the sentence of the finding, on one line.
    public var description: String { "\(severity.rawValue): \(path): \(message)" }
}

extension Catalog {
    /// Returns all errors and warnings about a `.storekit` file; an empty array for a file without either.
    ///
    /// Errors precede warnings, and both are in the order of the file.
    ///
    /// A file without errors can be read as a catalog.
    ///
    /// - Parameters:
    ///   - storekit: The content of the file.
    ///   - storefronts: Additional storefronts that the file may name.
    public static func findings(in storekit: Data, storefronts: [Storefront] = []) -> [CatalogFinding] {
        let text: StorekitText
        do throws(CatalogError) { text = try StorekitText(storekit) } catch {
            let message =
                switch error {
                case .notJSON: StorekitText.syntaxErrorMessage(storekit)
                case .tooLarge, .unsupportedVersion, .missing, .wrongType, .invalidValue, .duplicate: "\(error)"
                }
            return [CatalogFinding(.error, at: error.path, message)]
        }
        let diagnostics = StorekitDiagnostics()
        var reader = StorekitReader(diagnostics: diagnostics, storefronts: storefronts)
        reader.read(text.file)
        return diagnostics.findings
    }
}
