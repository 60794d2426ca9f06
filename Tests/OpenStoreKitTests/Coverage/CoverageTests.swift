import Foundation
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
        uses.addPricingTerms()
        uses.addStatus()
        uses.addSeatsOfRenewals()
        uses.addTransactions()
        uses.addTransactionValues()
        uses.addSeatsOfTransactions()
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

    @Test func `the rows have exactly Apple's symbols, and 97 percent of StoreKit 2 without views are available`() throws {
        let list = try ListedSymbol.all()
        let listed = Set(list.map(\.name))
        let rows = Set(page.rows.flatMap(\.symbols))
        #expect(listed.subtracting(rows).sorted() == [])
        #expect(rows.subtracting(listed).sorted() == [])
        #expect(list.count == listed.count)
        let available = Set(page.rows.filter(\.isAvailable).flatMap(\.symbols))
        #expect(list.filter { $0.requiresViews && available.contains($0.name) }.map(\.name) == [])
        // The symbols of the newest SDK that is not a beta.
        let storeKit2 = Set(page.rows.filter { $0.part == "StoreKit 2" }.flatMap(\.symbols))
        let counted = list.filter { !$0.requiresViews && $0.version <= 27.0 && storeKit2.contains($0.name) }
        #expect(counted.count > 600)
        #expect(counted.filter { available.contains($0.name) }.count * 100 >= counted.count * 97)
    }
}

/// A line of `docs/storekit-symbols.txt`: the version of the SDK, the symbol, and `UI` for a symbol that requires views, scenes or windows.
private struct ListedSymbol {
    let version: Double
    let name: String
    let requiresViews: Bool

    private init?(_ line: Substring) {
        let words = line.split(separator: " ")
        guard words.count >= 2, let version = Double(words[0]) else { return nil }
        self.version = version
        name = String(words[1])
        requiresViews = words.dropFirst(2).first == "UI"
    }

    static func all() throws -> [ListedSymbol] {
        let file = URL(filePath: #filePath).appending(path: "../../../../docs/storekit-symbols.txt").standardizedFileURL
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { ListedSymbol($0) }
    }
}
