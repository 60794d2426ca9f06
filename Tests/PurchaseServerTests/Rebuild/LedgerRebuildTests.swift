import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseMaintenance
@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the comparison of one ledger.
@Suite struct LedgerRebuildTests {
    private static let ledger = LedgerKey(customer: RebuildScenario.owner, currency: .credits)

    @Test func `a lost debit among many entries without postings leaves the balance as it is`() async throws {
        let storage = try SQLitePurchaseStorage(.memory)
        let (findings, balance) = try await storage.write(.test) { records in
            let (records, ledger) = (try #require(records as? SQLTransaction), Self.ledger)
            for number in 1...150 { try records.replaceEntries(of: Int64(number), with: [LedgerEntry(.purchases, -1)], of: ledger) }
            try records.replaceEntries(of: 151, with: [LedgerEntry(.balance, -5), LedgerEntry(.debits, 5)], of: ledger)
            try records.put(CreditBalance(amount: 7), postings: 151, of: ledger)
            let findings = try LedgerRebuild(app: .test, ledger: ledger).compare(in: records, isWriting: true)
            return (findings, try records.storedBalance(of: ledger)?.balance)
        }
        #expect(balance == CreditBalance(amount: 7))
        #expect(findings.differences.filter { $0.resolution == .restore }.count == 1 && findings.differences.count == 151)
    }
}
