import Foundation
import PurchaseModel
import PurchaseTestSupport
import Synchronization
import Testing

@testable import PurchaseMaintenance
@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the comparison of customers with another configuration.
@Suite struct PolicyReplayTests {
    private static let (owner, second) = (RebuildScenario.owner, RebuildScenario.second)

    /// Another configuration, and what customers would gain or lose under it, as lines of text.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout AppConfiguration) -> Void
        let totals: [String]
        let lines: [String]

        init(
            _ description: String, _ change: @escaping @Sendable (inout AppConfiguration) -> Void, totals: [String] = [],
            lines: [String] = []
        ) {
            testDescription = description
            (self.change, self.totals, self.lines) = (change, totals, lines)
        }
    }

    private static func product(_ id: ProductID, _ change: @escaping @Sendable (inout ServerProduct) -> Void) -> Shop.Change {
        Shop.Change { app in
            for index in app.products.indices where app.products[index].id == id { change(&app.products[index]) }
        }
    }

    static let cases = [
        Case("the same configuration", { _ in }),
        // The second customer claimed the book first, and the owner later.
        Case(
            "keep instead of transfer", { $0.transfers.policy = .keep },
            totals: ["entitlement reader (customers): 1 gained, 1 lost", "USD: 0.990 gained, 0.990 lost"],
            lines: ["\(owner)  loses reader; -0.990 USD", "\(second)  gains reader; +0.990 USD"]),
        Case(
            "share instead of transfer", { $0.transfers.policy = .share },
            totals: ["entitlement reader (customers): 1 gained, 0 lost", "USD: 0.990 gained, 0.000 lost"],
            lines: ["\(second)  gains reader; +0.990 USD"]),
        Case(
            "no transfers at all", { $0.transfers.limit = 0 },
            lines: ["\(owner)  loses reader; -0.990 USD", "\(second)  gains reader; +0.990 USD"]),
        // The owner gains 5 credits, which the refund of 20 takes in place of writing them off: it writes 1 off, and not 6. One of the two
        // purchases of the second customer is a receipt, which states no price.
        Case(
            "twice the credits", product(.credits5) { $0.credits = 10 }.body,
            totals: ["credits: 10 gained, 0 lost", "USD: 1.980 gained, 0.000 lost"],
            lines: ["\(owner)  +0.990 USD", "\(second)  credits 16 → 26; +0.990 USD"]),
        Case(
            "credits of a subscription in another currency", product(.magazine) { $0.currency = "pages" }.body,
            totals: ["credits: 0 gained, 20 lost", "pages: 20 gained, 0 lost"], lines: ["\(owner)  credits 20 → 0; pages 0 → 20"]),
        Case(
            "a product without credits", product(.magazine) { $0.credits = nil }.body, totals: ["USD: 0.000 gained, 1.980 lost"],
            lines: ["\(owner)  credits 20 → 0; -1.980 USD"]),
        Case(
            "a debt instead of a write-off", { $0.refundPolicy = .debt }, totals: ["credits: 0 gained, 6 lost"],
            lines: ["\(owner)  credits 20 → 14"]),
        Case("a freeze instead of a write-off", { $0.refundPolicy = .freeze }, lines: ["\(owner)  credits 20 → 14, frozen"]),
        Case(
            "another entitlement", product(.book) { $0.entitlements = ["library"] }.body,
            totals: ["entitlement library (customers): 1 gained, 0 lost", "entitlement reader (customers): 0 gained, 1 lost"],
            lines: ["\(owner)  gains library; loses reader"]),
        // A grant gives the second customer the entitlement anyway, and the owner does not have it.
        Case(
            "an entitlement that was granted", product(.book) { $0.entitlements = ["reader", "beta"] }.body,
            lines: ["\(owner)  gains beta; +0.495 USD"]),
    ]

    @Test(arguments: cases)
    func `a policy replay lists who would gain or lose, and writes nothing`(_ example: Case) async throws {
        try await RebuildScenario.open(try SQLitePurchaseStorage(.memory)) { scenario in
            let before = try await scenario.rows()
            let (report, lines) = try await scenario.replay(example.change)
            for line in example.totals { #expect(report.lines.contains { $0.hasSuffix("  \(line)") }, "\(report.lines)") }
            if !example.lines.isEmpty || example.totals.isEmpty { #expect(lines == example.lines.sorted(), "\(lines)") }
            #expect(report.customers == lines.count && report.purchases == 6)
            #expect(try await scenario.rows() == before)
        }
    }

    @Test func `a claim that was refused counts under another policy`() async throws {
        try await RebuildScenario.open(try SQLitePurchaseStorage(.memory), transfers: TransferRules(policy: .keep)) { scenario in
            #expect(try await scenario.replay { _ in }.lines.isEmpty)
            let (_, lines) = try await scenario.replay { $0.transfers.policy = .transfer }
            #expect(lines == ["\(Self.owner)  gains reader; +0.990 USD", "\(Self.second)  loses reader; -0.990 USD"])
        }
    }

    @Test func `a damaged record ends the replay, and the error names the purchase and the next step`() async throws {
        try await RebuildScenario.open(try SQLitePurchaseStorage(.memory)) { scenario in
            try await scenario.execute(["UPDATE purchase SET entitlement = '{' WHERE original_transaction_id = '500' AND app = ?1"])
            let error = await #expect(throws: RebuildError.unreadable("500")) { try await scenario.replay { _ in } }
            #expect(error?.description.hasSuffix("Run tillroll-server rebuild --verify first.") == true)
        }
    }

    @Test func `the money of a subscription is that of the rest of its period`() async throws {
        try await RebuildScenario.open(try SQLitePurchaseStorage(.memory)) { scenario in
            // A quarter of the second period of 30 days is left.
            scenario.clock.set(.testStart.adding(days: 60).adding(seconds: -30 * 86_400 / 4))
            let (report, lines) = try await scenario.replay { $0.products[1].entitlements = [] }
            #expect(lines == ["\(Self.owner)  loses \(ProductID.magazine); -0.247 USD"])
            #expect(report.money["USD"]?.lost == 247)
        }
    }

    @Test func `charges of history before the catalog had credits are listed`() async throws {
        try await RebuildScenario.open(try SQLitePurchaseStorage(.memory)) { scenario in
            let (_, lines) = try await scenario.replay { $0.products[2].credits = 50 }
            // They come before the refund, which takes 6 of them in place of writing 6 off.
            #expect(lines == ["\(Self.owner)  credits 20 → 64; +0.990 USD"])
        }
    }

    // MARK: Amounts of a damaged database

    private static func charge(_ number: Int, revoked: Int64 = 0, price: Int64 = .max) -> PurchaseReplay.ChargeChange {
        PurchaseReplay.ChargeChange(
            purchase: "1", charge: "\(number)", date: .testStart, present: nil,
            other: PurchaseReplay.Credits(customer: owner, currency: .credits, credits: 1, revoked: revoked), price: price,
            priceCurrency: "USD")
    }

    @Test func `money beyond 64 bits stays at the limit`() throws {
        let scratch = try ReplayScratch()
        let entitlements = ["reader", "beta"].map { (name: EntitlementName) in
            PurchaseReplay.EntitlementChange(
                customer: Self.owner, name: name, isPresent: false, isOther: true, value: .max, currency: "USD")
        }
        try scratch.add(entitlements, [Self.charge(1), Self.charge(2)])
        let change = try #require(try scratch.changes(after: "", limit: 1).first)
        #expect(change.money == ["USD": .max])
        var report = PolicyReplayReport.Totals()
        for amount in [Int64.max, .max, .min, .min] { report.add(amount) }
        #expect(report.gained == .max && report.lost == .max)
    }

    @Test func `the value of credits with a damaged number stays at the limit`() {
        #expect(Self.charge(1, revoked: .min).values.map(\.milliunits) == [.max])
        let credits = PurchaseReplay.Credits(customer: Self.owner, currency: .credits, credits: 1, revoked: .max)
        let lost = PurchaseReplay.ChargeChange(
            purchase: "1", charge: "1", date: .testStart, present: credits, other: nil, price: .max, priceCurrency: "USD")
        #expect(lost.values.map(\.milliunits) == [.max])
    }

    @Test func `refunds beyond 64 bits do not end the replay`() async throws {
        let storage = try SQLitePurchaseStorage(.memory)
        let balance = try await storage.write(.test) { records in
            let records = try #require(records as? SQLTransaction)
            let refunds: [(kind: LedgerPosting.Kind, credits: Int64)] = [(.refund, .max), (.refund, .max), (.refundReversal, .min)]
            for (number, refund) in refunds.enumerated() {
                let decision = CreditDecision(
                    purchase: "1", kind: refund.kind, key: "1 transaction:1 \(number)", charge: "transaction:1", transactionID: "1",
                    customer: Self.owner, currency: .credits, credits: refund.credits, creditsPerUnit: nil, writtenOff: 0,
                    refundPolicy: .floor, number: Int64(number + 1), date: .testStart)
                try records.insert(decision)
                try records.post(
                    LedgerPosting(
                        customer: Self.owner, currency: .credits, key: decision.key, kind: refund.kind, entries: [], balance: 0,
                        date: .testStart),
                    balance: CreditBalance())
            }
            let replay = PolicyLedgerReplay(records: records, refundPolicy: .floor, change: { _, _ in nil }, additions: { _ in [] })
            return try replay.balance(of: LedgerKey(customer: Self.owner, currency: .credits))
        }
        #expect(balance == CreditBalance())
    }
}

extension RebuildScenario {
    /// Compares the customers with a changed configuration.
    fileprivate func replay(
        _ change: @Sendable (inout AppConfiguration) -> Void
    ) async throws -> (report: PolicyReplayReport, lines: [String]) {
        var other = configuration
        change(&other.apps[0])
        let replay = try #require(try await server.policyReplay(of: .test, under: other))
        let report = try await replay.run { _, _ in }
        var lines: [String] = []
        try await replay.forEachChange { lines.append($0.line) }
        return (report, lines.sorted())
    }
}
