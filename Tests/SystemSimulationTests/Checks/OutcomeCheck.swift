import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import StoreTestSupport

@testable import LocalAppStore
@testable import PurchaseServer
@testable import PurchaseStorage

/// Compares the server and the apps with the oracle when everything is quiet.
struct OutcomeCheck {
    let world: SimulatedWorld
    let devices: [SimulatedDevice]

    func violations() async throws -> [Violation] {
        var expected = try await outcomes(ofMembersWith: devices.filter { $0.kind != .kitAlone })
        let onDevices = try await outcomes(ofMembersWith: devices)
        let records = try await ServerRecords(of: world.server)
        let debits = world.acknowledgments.lists.debits
        var balances: [CustomerID: Int64] = [:]
        for customer in world.customers {
            let debited = records.debits.filter { $0.customer == customer }.reduce(0) { $0 + (debits[$1.key]?.amount ?? 0) }
            balances[customer] = expected.balances[customer, default: 0] - debited + records.writtenOff[customer, default: 0]
        }
        let seats = try await SeatCheck(world: world, records)
        for (customer, products) in seats.products(expected.purchases) { expected.products[customer, default: []].formUnion(products) }
        var violations = try await serverViolations(expected, balances)
        violations += policyViolations(records)
        violations += try await chargeViolations()
        violations += seats.violations()
        // A member whom the developer's server invites has no transaction, and the kit learns of the seat by a lease.
        for device in devices { violations += await viewViolations(device, onDevices, balances) }
        return violations
    }

    /// The outcomes according to the store's records, in which the accounts of devices have the products of their memberships.
    private func outcomes(ofMembersWith devices: [SimulatedDevice]) async throws -> PurchaseOutcomes {
        let oracle = StoreOracle(
            customers: Dictionary(uniqueKeysWithValues: zip(world.accounts, world.customers)), credits: SimulatedCatalog.credits,
            members: Set(devices.map { world.accounts[$0.account] }))
        return try await oracle.outcomes(of: world.store.store)
    }

    private func serverViolations(
        _ expected: PurchaseOutcomes, _ balances: [CustomerID: Int64]
    ) async throws -> [Violation] {
        let server = try world.server.running.server
        guard let app = server.apps[.test] else { return [Violation(.failed, "no app")] }
        let now = world.store.clock.now
        var outcomes = try await world.server.disk.read(.test) { [customers = world.customers] records in
            var outcomes = PurchaseOutcomes()
            for id in expected.purchases.keys {
                let entitlement = try records.purchase(id)?.timeline.entitlement(at: now)
                outcomes.purchases[id] = entitlement.map { PurchaseOutcomes.Purchase($0, at: now) }
            }
            for customer in customers { outcomes.balances[customer] = try records.balance(of: customer, in: .credits).amount }
            return outcomes
        }
        var violations: [Violation] = []
        for customer in world.customers {
            let reply = try await app.entitlements.list(of: .id(customer), at: nil, withEvidence: false)
            let active = reply.entitlements.filter(\.isActive).map { ProductID($0.name.rawValue) }
            if !active.isEmpty { outcomes.products[customer] = Set(active) }
            let balance = outcomes.balances[customer, default: 0]
            if balance != balances[customer] {
                violations.append(Violation(.wrongBalance, "\(customer): \(balance), expected \(balances[customer, default: 0])"))
            }
        }
        var expected = expected
        expected.balances = outcomes.balances
        violations += outcomes.differences(from: expected).map { Violation(.wrongOutcome, $0) }
        if let audit = try await server.auditLedger(of: .test), !audit.unbalanced.isEmpty {
            violations.append(Violation(.unbalancedLedger))
        }
        return violations
    }

    /// Compares what the server decided about refunds and debits with its refund policy.
    private func policyViolations(_ records: ServerRecords) -> [Violation] {
        var violations: [Violation] = []
        if world.server.policy != .floor {
            for (customer, amount) in records.writtenOff where amount != 0 {
                violations.append(Violation(.wrongPolicy, "\(customer): \(amount) written off under \(world.server.policy)"))
            }
        }
        for debit in records.debits where debit.balance < 0 {
            violations.append(Violation(.wrongPolicy, "the debit \(debit.key) of \(debit.customer) left a balance of \(debit.balance)"))
        }
        return violations
    }

    /// Compares what the store charged with its prices and refunds, and with what apps were promised.
    private func chargeViolations() async throws -> [Violation] {
        let lists = world.acknowledgments.lists
        let transactions = try await world.store.storedTransactions()
        var violations: [Violation] = []
        for transaction in transactions where transaction.isCharged {
            let left = transaction.price - transaction.seatRefund
            let refunded = transaction.seatRefund + left * Int64(transaction.refundedPercentage ?? 0) / 100_000
            // A part of the price is refunded at an upgrade, and the thousandths of a partial refund are rounded.
            let expected =
                transaction.isUpgraded ? 0...transaction.price : transaction.price - refunded - 1...transaction.price - refunded + 1
            if !expected.contains(transaction.paid) {
                violations.append(Violation(.wrongCharge, "\(transaction.id): \(transaction.paid), expected \(expected)"))
            }
        }
        let accounts = Set(devices.map { world.accounts[$0.account].rawValue })
        for transaction in transactions where !transaction.isFinished && accounts.contains(transaction.account) {
            violations.append(Violation(.unfinishedInStore, "\(transaction.id) of \(transaction.account), \(transaction.productID)"))
        }
        for payment in Set(lists.purchases.keys).union(lists.pending.keys) {
            let account = world.accounts[payment.account].rawValue
            let pending = lists.decliningAccounts.contains(payment.account) ? 0 : lists.pending[payment, default: 0]
            let promised = lists.purchases[payment, default: []].count + pending
            let charged = transactions.count { $0.isCharged && $0.account == account && $0.productID == payment.product }
            if charged < promised {
                violations.append(Violation(.promisedPaymentLost, "\(account), \(payment.product): \(charged) of \(promised)"))
            }
        }
        return violations
    }

    private func viewViolations(
        _ device: SimulatedDevice, _ expected: PurchaseOutcomes, _ balances: [CustomerID: Int64]
    ) async -> [Violation] {
        guard let app = device.app else { return [Violation(.failed, "device \(device.index) has no app")] }
        let customer = world.customers[device.account]
        let view = await app.view()
        var violations: [Violation] = []
        let products = expected.products[customer, default: []].subtracting(SimulatedCatalog.consumables)
        let name = "device \(device.index) (\(device.kind.rawValue))"
        if view.products != products {
            violations.append(Violation(.wrongView, "\(name): \(view.products.sorted()), expected \(products.sorted())"))
        }
        var balance = balances[customer, default: 0]
        if let own = view.ownDebits {
            let debits = world.acknowledgments.lists.debits
            balance = expected.balances[customer, default: 0] - own.reduce(0) { $0 + (debits[$1]?.amount ?? 0) }
        }
        if view.balance != balance {
            violations.append(Violation(.wrongView, "\(name): balance \(view.balance.map { "\($0)" } ?? "none"), expected \(balance)"))
        }
        for defect in view.defects { violations.append(Violation(.wrongView, "\(name): \(defect)")) }
        if view.unfinished > 0 { violations.append(Violation(.unfinished, "\(name): \(view.unfinished)")) }
        if !view.openDebits.isEmpty { violations.append(Violation(.openDebit, "\(name): \(view.openDebits.sorted())")) }
        return violations
    }
}
