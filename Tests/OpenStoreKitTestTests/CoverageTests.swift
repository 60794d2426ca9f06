import PurchaseTestSupport
import Testing

/// The page about coverage says what there is of StoreKitTest, and no more.
@Suite struct CoverageTests {
    private let page: CoveragePage

    init() throws {
        page = try CoveragePage()
    }

    @Test func `what works or differs compiles, and what is absent is nowhere used`() {
        var uses = StoreKitUses()
        uses.addSessions()
        uses.addTestTransactions()
        uses.addTestOptions()
        uses.addFailures()
        uses.addTestErrors()
        #expect(page.disagreements(with: uses, in: ["StoreKitTest"]) == [])
        #expect(uses.bySymbol.count > 100)
    }

    @Test func `the module has the symbols of the page, and no other public ones`() throws {
        let symbols = try PublicSymbols(ofModules: "StoreKitTest")
        #expect(page.disagreements(with: symbols, in: ["StoreKitTest"]) == [])
        #expect(symbols.names.count > 100)
    }
}
