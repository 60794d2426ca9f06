import Foundation
import ProcessTestSupport
import Testing

@Suite struct IssuerLinkageTests {
    /// The names of modules and types that a binary with issuing code contains.
    private static let issuingTypes = ["PurchaseIssuing", "ReceiptIssuer", "SignedDataIssuer", "LocalAppStore"]

    private static func contains(_ text: String, in program: String) throws -> Bool {
        let bytes = try Data(contentsOf: URL(filePath: BuiltProducts.path(program)), options: .alwaysMapped)
        return bytes.range(of: Data(text.utf8)) != nil
    }

    @Test(arguments: issuingTypes)
    func `the production binary does not link issuing code`(_ name: String) throws {
        #expect(try !Self.contains(name, in: "tillroll-server"))
    }

    @Test(arguments: issuingTypes)
    func `the search finds issuing code in tillroll`(_ name: String) throws {
        #expect(try Self.contains(name, in: "tillroll"))
    }
}
