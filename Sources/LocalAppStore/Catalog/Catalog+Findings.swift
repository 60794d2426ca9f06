public import Foundation
public import PurchaseModel

extension Catalog {
    /// All findings about a `.storekit` file: errors first, then warnings, each in the order of the file; empty for a valid file.
    ///
    /// A file without errors is usable.
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
