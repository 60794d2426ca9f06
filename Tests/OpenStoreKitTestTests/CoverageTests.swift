import PurchaseTestSupport
import Testing

/// The coverage page lists exactly the public symbols of StoreKitTest.
@Suite struct CoverageTests {
    private let page: CoveragePage

    init() throws {
        page = try CoveragePage()
    }

    @Test func `symbols that work or differ compile, and absent symbols have no use`() {
        var uses = StoreKitUses()
        uses.addSessions()
        uses.addTestTransactions()
        uses.addTestOptions()
        uses.addFailures()
        uses.addTestErrors()
        #expect(page.disagreements(with: uses, in: ["StoreKitTest"]) == [])
        #expect(uses.bySymbol.count > 100)
    }

    @Test func `the module's public symbols are those of the page`() throws {
        let symbols = try PublicSymbols(ofModules: "StoreKitTest")
        #expect(page.disagreements(with: symbols, in: ["StoreKitTest"]) == [])
        #expect(symbols.names.count > 100)
    }
}
