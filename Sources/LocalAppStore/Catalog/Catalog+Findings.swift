public import Foundation
public import PurchaseModel

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
