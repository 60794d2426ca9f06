import KitProcess
import PurchaseModel
import StoreTestSupport
import Testing

/// Phones that begin in the same state, what happens on them in an app session, and what must be true of them afterward.
struct KitScenario: Sendable {
    /// What the app session with the kill does.
    enum Kind: CaseIterable {
        /// Buys products.
        case purchase
        /// Delivers what the account bought without the app.
        case delivery
        /// Restores some of the products that the account bought on another phone.
        case restore
        /// Debits credits.
        case debit
        /// Learns about refunds of purchases that were delivered before.
        case refund
    }

    let kind: Kind
    let usesServer: Bool
    private let backend: KitBackend
    /// A phone of an account that has bought everything; only for a restore.
    private let owner: KitPhone?

    init(_ kind: Kind, usesServer: Bool) async throws {
        self.kind = kind
        self.usesServer = usesServer
        backend = try await KitBackend.shared
        owner = kind == .restore ? try await (usesServer ? Self.serverOwner : Self.deviceOwner).value : nil
    }

    private static let serverOwner = Task { try await makeOwner(usesServer: true) }
    private static let deviceOwner = Task { try await makeOwner(usesServer: false) }

    private static func makeOwner(usesServer: Bool) async throws -> KitPhone {
        let phone = try await KitPhone(usesServer: usesServer)
        #expect(try await phone.launch(.purchase).reports.count == 2)
        return phone
    }

    /// The script of the app session.
    var script: KitJob.Script {
        switch kind {
        case .purchase: .purchase
        case .restore: .restore
        case .debit: .debit
        case .delivery, .refund: .deliver
        }
    }

    /// The products that are refunded in the scenario ``Kind/refund``.
    private static let refunded: [ProductID] = [KitCatalog.credits5, KitCatalog.sepia, KitCatalog.book]

    /// Creates a phone in the state before the app session.
    func phone() async throws -> KitPhone {
        let phone = try await KitPhone(usesServer: usesServer, owner: owner, credits: kind == .debit ? KitCatalog.granted : 0)
        switch kind {
        case .purchase, .restore, .debit: break
        case .delivery:
            for (product, _) in KitCatalog.purchases { try await backend.store.buy(product, for: phone.phone.account) }
        case .refund:
            _ = try await phone.launch(.purchase)
            let charges = try await phone.charges
            for product in Self.refunded {
                for transaction in charges[product] ?? [] { try await backend.store.refund(transaction) }
            }
        }
        return phone
    }

    /// Relaunches the app after app sessions that were killed, and expects that nothing is lost and nothing counts twice.
    func expectConsistent(_ phone: KitPhone, after cuts: [KitPhone.Launch], _ killPoint: String) async throws {
        let comment: Comment = "\(kind), server: \(usesServer), \(killPoint)"
        let relaunched = try await phone.launch()
        let first = try #require(relaunched.reports.first, comment)
        try await expect(first, of: phone, after: cuts, comment)

        let again = try await phone.launch(script)
        let second = try #require(again.reports.first, comment)
        #expect(second == first, comment)
        // Nothing was left for this app session.
        let writes = again.steps.prefix(again.stepsOfLaunch).filter { $0.hasPrefix("vault") || $0.hasPrefix("delivery") }
        #expect(writes.isEmpty, comment)

        let last = try #require(again.reports.last, comment)
        #expect(again.code == 0 && again.reports.count == 2, comment)
        try await expect(last, of: phone, after: cuts + [relaunched, again], comment)
        try await expectEnd(last, again, of: phone, comment)
    }

    /// Expects what must be true of an idle phone, wherever the script was interrupted.
    private func expect(_ report: KitReport, of phone: KitPhone, after launches: [KitPhone.Launch], _ comment: Comment) async throws {
        let server = try await phone.serverBalance
        if let server { #expect(report.balance == server, comment) }
        #expect(report.unfinished == 0 && report.problems.isEmpty, "\(comment): \(report.problems)")
        let charges = try await phone.charges
        for (product, transactions) in charges { #expect(transactions.count == 1, "\(comment): \(product)") }
        var expected = purchased(charges)
        switch kind {
        case .purchase, .delivery: break
        case .restore:
            if !usesServer { expected.balance = 0 }
            (expected.bananas, expected.filters) = (0, 0)
            #expect(report.notes.isEmpty || report.notes == expected.notes, comment)
            #expect(report.content == nil || report.content == expected.content, comment)
            (expected.notes, expected.content) = (report.notes, report.content)
        case .debit:
            let credits = usesServer ? KitCatalog.granted : expected.balance
            let debits = KitCatalog.debits.filter { (credits - report.balance) & $0.value != 0 }
            expected.balance = credits - debits.values.reduce(0, +)
            let outcomes = Set(launches.flatMap(\.outcomes))
            for key in KitCatalog.debits.keys {
                if outcomes.contains("\(key) confirmed") { #expect(debits[key] != nil, "\(comment): \(key)") }
                if outcomes.contains("\(key) refused") { #expect(debits[key] == nil, "\(comment): \(key)") }
            }
            // The credits always suffice for this debit, so that the server accepts it once it is stored.
            if outcomes.contains("offline provisional") { #expect(debits["offline"] != nil, comment) }
        case .refund:
            expected.balance -= 15
            expected.entitlements = [KitCatalog.moonlight.rawValue]
        }
        #expect(report == expected, comment)
    }

    /// Expects the result of the complete script.
    private func expectEnd(_ report: KitReport, _ launch: KitPhone.Launch, of phone: KitPhone, _ comment: Comment) async throws {
        let charges = try await phone.charges
        switch kind {
        case .purchase, .delivery, .refund:
            #expect(Set(charges.keys) == Set(KitCatalog.purchases.map(\.product)), comment)
        case .restore:
            #expect(report.notes == purchased(charges).notes && report.content == backend.contentHash, comment)
            #expect(products("gained", launch).union(products("kept", launch)) == KitCatalog.chosen, comment)
            #expect(products("declined", launch) == [KitCatalog.sepia], comment)
            #expect(products("lost", launch).isEmpty && products("undelivered", launch).isEmpty, comment)
        case .debit where usesServer:
            // The last of the debits that reached the server was refused.
            #expect(report.balance == 1 || report.balance == 5, comment)
        case .debit:
            #expect(report.balance == 15 - 1 - 2 - 8, comment)
        }
    }

    private func products(_ name: String, _ launch: KitPhone.Launch) -> Set<ProductID> {
        Set(launch.outcomes.filter { $0.hasPrefix("\(name) ") }.map { ProductID(String($0.dropFirst(name.count + 1))) })
    }

    /// What a phone has that bought the charged products.
    private func purchased(_ charges: [ProductID: [TransactionID]]) -> KitReport {
        var report = KitReport()
        for (product, quantity) in KitCatalog.purchases where charges[product] != nil {
            // A purchase without the app has the quantity 1.
            let quantity = kind == .delivery ? 1 : quantity
            switch product {
            case KitCatalog.credits5:
                report.balance += 5 * Int64(quantity)
            case KitCatalog.credits10:
                report.balance += 10 * Int64(quantity)
                report.bananas = quantity
            case KitCatalog.sepia:
                report.filters = 1
                report.entitlements.insert("sepia")
            case KitCatalog.moonlight:
                report.notes = charges[product, default: []].map(\.rawValue)
                report.entitlements.insert(product.rawValue)
            default:
                report.content = backend.contentHash
                report.entitlements.insert(product.rawValue)
            }
        }
        return report
    }
}
