import Foundation
import ProcessTestSupport
import Testing

@Suite struct ForgerTests {
    /// The names under which issuing would be linked.
    private static let forger = ["PurchaseIssuing", "ReceiptIssuer", "SignedDataIssuer", "LocalAppStore"]

    private static func finds(_ text: String, in program: String) throws -> Bool {
        let bytes = try Data(contentsOf: URL(filePath: BuiltProducts.path(program)), options: .alwaysMapped)
        return bytes.range(of: Data(text.utf8)) != nil
    }

    @Test(arguments: forger)
    func `the production binary does not link the forger`(_ name: String) throws {
        #expect(try !Self.finds(name, in: "tillroll-server"))
    }

    @Test(arguments: forger)
    func `the search would find the forger where it is`(_ name: String) throws {
        #expect(try Self.finds(name, in: "tillroll"))
    }
}
