import PurchaseTestSupport
import Testing

/// The page about coverage says what is there, and no more.
@Suite struct CoverageTests {
    private let page: CoveragePage

    init() throws {
        page = try CoveragePage()
    }

    @Test func `what works or differs compiles, and what is absent is nowhere used`() {
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

    @Test func `the module has the symbols of the page, and no other public ones`() throws {
        let symbols = try PublicSymbols(ofModules: "StoreKit", "CStoreKit")
        #expect(page.disagreements(with: symbols, in: ["StoreKit 1", "StoreKit 2"]) == [])
        #expect(symbols.names.count > 700)
    }

    @Test func `a symbol stands in one row`() {
        let symbols = page.rows.flatMap(\.symbols)
        #expect(Dictionary(grouping: symbols, by: \.self).filter { $0.value.count > 1 }.keys.sorted() == [])
    }

    @Test func `a row works, differs or is absent, and says how or why`() {
        #expect(page.rows.count > 500)
        for row in page.rows {
            #expect(["works", "differs", "absent"].contains(row.status), "\(row.symbols)")
            #expect(row.status == "works" || !row.remark.isEmpty, "\(row.symbols)")
            #expect(!row.symbols.isEmpty)
        }
    }
}
