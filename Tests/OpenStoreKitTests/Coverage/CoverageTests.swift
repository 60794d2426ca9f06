import PurchaseTestSupport
import Testing

/// The coverage page lists exactly the public symbols of StoreKit 1 and StoreKit 2.
@Suite struct CoverageTests {
    private let page: CoveragePage

    init() throws {
        page = try CoveragePage()
    }

    @Test func `symbols that work or differ compile, and absent symbols have no use`() {
        var uses = StoreKitUses()
        uses.addQueue()
        uses.addPayments()
        uses.addPaymentTransactions()
        uses.addStoreKit1Products()
        uses.addRequests()
        uses.addStoreKit1Storefronts()
        uses.addDownloads()
        uses.addStoreKit1Errors()
        uses.addStoreKit1Others()
        uses.addProducts()
        uses.addTaskStates()
        uses.addBuying()
        uses.addSubscriptions()
        uses.addOffers()
        uses.addStatus()
        uses.addTransactions()
        uses.addTransactionValues()
        uses.addAdvancedCommerce()
        uses.addVerification()
        uses.addApp()
        uses.addMessages()
        uses.addStoreKit2Errors()
        uses.addOtherPayments()
        uses.addNames()
        #expect(page.disagreements(with: uses, in: ["StoreKit 1", "StoreKit 2"]) == [])
        #expect(uses.bySymbol.count > 700)
    }

    @Test func `the module's public symbols are those of the page`() throws {
        let symbols = try PublicSymbols(ofModules: "StoreKit", "CStoreKit")
        #expect(page.disagreements(with: symbols, in: ["StoreKit 1", "StoreKit 2"]) == [])
        #expect(symbols.names.count > 700)
    }

    @Test func `a symbol is listed in one row only`() {
        let symbols = page.rows.flatMap(\.symbols)
        #expect(Dictionary(grouping: symbols, by: \.self).filter { $0.value.count > 1 }.keys.sorted() == [])
    }

    @Test func `every row has a status, and a note unless it works`() {
        #expect(page.rows.flatMap(\.symbols).count > 1_000)
        for row in page.rows {
            #expect(["works", "differs", "absent"].contains(row.status), "\(row.symbols)")
            #expect(row.status == "works" || !row.note.isEmpty, "\(row.symbols)")
            #expect(!row.symbols.isEmpty)
        }
    }
}
