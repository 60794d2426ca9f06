import Foundation
import LocalAppStore
import OpenStoreKit
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreKit
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing

@testable import PurchaseKit

/// A simulation of the kit: phones of one account, a local store and a server, with random purchases, refunds, debits, restores, faults and
/// app sessions that end anywhere.
///
/// All choices follow from the seed. The order in which concurrent work runs does not, so a run with the same seed can differ.
struct KitSimulation {
    /// What the simulation found at its end.
    struct Findings {
        var differences: [String] = []
        var script: [String] = []
        var kills = 0
    }

    private static let coins: [ProductID: Int64] = [SampleProduct.credits5: 5, SampleProduct.credits10: 10]
    private static let features = [SampleProduct.sepia, SampleProduct.moonlight]

    /// The calls of ``Fulfillment/perform(_:)`` on a phone.
    private final class PerformedPurchases: Sendable {
        private let stored = Mutex<Set<TransactionID>>([])

        var all: Set<TransactionID> { stored.withLock { $0 } }

        func append(_ id: TransactionID) {
            _ = stored.withLock { $0.insert(id) }
        }
    }

    /// One phone with its disk and its current app session.
    private final class SimulatedPhone {
        let phone: Phone
        let disk = SimulatedDisk()
        var device: Device?
        var app: KitApp?
        var fuse = SessionFuse()
        let performed = PerformedPurchases()

        init(_ phone: Phone) {
            self.phone = phone
        }
    }

    private let seed: UInt64
    private let usesServer: Bool
    private let customer = CustomerID(UUID())
    private let harness: StoreHarness
    private let server: StubPurchaseService
    private var random: SeededRandom
    private var phones: [SimulatedPhone] = []
    private var findings = Findings()
    /// The debits that the app was told are final, or that it stored.
    private var debits: [(phone: Int, key: String, amount: Int64)] = []

    init(seed: UInt64) async throws {
        self.seed = seed
        random = SeededRandom(seed: seed)
        usesServer = seed % 2 == 0
        harness = try await StoreHarness.shared
        server = StubPurchaseService(StubPurchaseService.Database(verifier: harness.verifier), customer: customer)
        let first = try await Phone()
        phones = [SimulatedPhone(first)]
        // Without a server, the credits of a purchase are on the phone that delivers it.
        if usesServer { phones.append(SimulatedPhone(try await Phone(account: first.account))) }
    }

    /// Plays the actions of the seed, brings everything up to date, and compares phones, server and store.
    mutating func run(actions count: Int = 24) async throws -> Findings {
        for index in phones.indices { try await launch(index) }
        for _ in 0..<count { try await act() }
        try await heal()
        try await compare()
        for phone in phones { await phone.app?.close() }
        return findings
    }

    private mutating func note(_ text: String) {
        findings.script.append(text)
    }

    private mutating func launch(_ index: Int) async throws {
        let phone = phones[index]
        phone.fuse = SessionFuse()
        // A session can end while it starts.
        if random.next() % 4 == 0 { phone.fuse.light(after: Int(random.next() % 12) + 1) }
        let device: Device
        if let known = phone.device {
            device = known
        } else {
            device = try await phone.phone.launchSignedIn()
            phone.device = device
        }
        let (fuse, disk, performed) = (phone.fuse, phone.disk, phone.performed)
        do {
            let vault = try await Vault(
                SimulatedFile(disk: disk, fuse: fuse), keychain: SimulatedKeychain(disk: disk, fuse: fuse), bundleID: .test)
            phone.app = try await KitApp.launch(
                phone.phone, on: device, vault: vault, server: usesServer ? SimulatedConnection(service: server, fuse: fuse) : nil,
                customer: customer
            ) { configuration in
                configuration.step = { _ in await fuse.step() }
                configuration.fulfillments[SampleProduct.credits10] = .credit("coins", 10).and(
                    .update("items", from: [String]()) { items, purchase in items.append(purchase.id.rawValue) })
                configuration.fulfillments[SampleProduct.moonlight] = .perform { purchase throws(DeliveryError) in
                    performed.append(purchase.id)
                }
            }
        } catch is VaultError {
            guard fuse.isDead else { throw CancellationError() }
            try await relaunch(index)
        }
    }

    private mutating func relaunch(_ index: Int) async throws {
        findings.kills += 1
        note("phone \(index): killed")
        let phone = phones[index]
        phone.fuse.kill()
        await phone.app?.close()
        phone.app = nil
        try await launch(index)
    }

    /// Waits for work that ends, or for the end of the session.
    private mutating func waitUntilIdle(_ index: Int, _ work: @escaping @Sendable (KitApp) async -> Void) async throws {
        guard let app = phones[index].app else { return }
        let fuse = phones[index].fuse
        let done = Mutex(false)
        let task = Task {
            await work(app)
            done.withLock { $0 = true }
        }
        try await eventually { done.withLock { $0 } || fuse.isDead }
        // A dead session continues nothing, so its task is left alone.
        if fuse.isDead { try await relaunch(index) } else { await task.value }
    }

    private mutating func act() async throws {
        let index = Int(random.next() % UInt64(phones.count))
        guard let device = phones[index].device else { return }
        switch random.next() % 16 {
        case 0...3:
            let product = [SampleProduct.credits5, SampleProduct.credits10][Int(random.next() % 2)]
            let quantity = Int(random.next() % 3) + 1
            note("phone \(index): buy \(quantity) × \(product)")
            try await waitUntilIdle(index) { app in _ = await app.onDevice { await app.purchases.buy(product, quantity: quantity) } }
        case 4:
            let product = Self.features[Int(random.next() % 2)]
            note("phone \(index): buy \(product)")
            try await waitUntilIdle(index) { app in _ = await app.onDevice { await app.purchases.buy(product) } }
        case 5...6:
            let amount = Int64(random.next() % 6) + 1
            let key = "debit \(debits.count)"
            note("phone \(index): debit \(amount)")
            debits.append((index, key, amount))
            try await waitUntilIdle(index) { app in
                _ = try? await app.onDevice { try await app.purchases.debit(amount, of: "coins", idempotencyKey: key) }
            }
        case 7:
            let charges = try await phones[index].phone.charges
            let refunded = Set(charges.filter { $0.amount.milliunits < 0 }.map(\.transactionID))
            let open = charges.filter { $0.amount.milliunits > 0 && !refunded.contains($0.transactionID) }
            guard !open.isEmpty else { return }
            let charge = open[Int(random.next() % UInt64(open.count))]
            note("store: refund \(charge.transactionID), \(charge.productID)")
            try await harness.refund(charge.transactionID)
        case 8...9:
            let steps = Int(random.next() % 20) + 1
            note("phone \(index): ends after \(steps) steps")
            phones[index].fuse.light(after: steps)
        case 10: try await relaunch(index)
        case 11:
            let isOffline = random.next() % 2 == 0
            note("server offline: \(isOffline)")
            server.set(offline: isOffline)
        case 12:
            note("server: lost request and reply")
            server.fail(.lostReply, .lostRequest)
        case 13:
            let isOffline = random.next() % 2 == 0
            note("phone \(index): offline: \(isOffline)")
            phones[index].phone.transport.set(offline: isOffline)
        case 14:
            let choice = random.next()
            note("phone \(index): restore")
            try await waitUntilIdle(index) { app in
                _ = await app.restore { products in
                    Set(products.enumerated().filter { choice >> UInt64($0.offset % 60) & 1 == 1 }.map(\.element.productID))
                }
            }
        default:
            note("phone \(index): wake")
            device.wake()
            try await waitUntilIdle(index) { app in await app.waitUntilIdle() }
        }
    }

    private mutating func heal() async throws {
        note("heal")
        server.set(offline: false)
        server.clearFaults()
        for index in phones.indices {
            phones[index].phone.transport.reconnect()
            phones[index].fuse.kill()
            await phones[index].app?.close()
        }
        for round in 0...1 {
            for index in phones.indices {
                if round == 0 {
                    try await launch(index)
                    phones[index].fuse.light(after: .max)
                    if phones[index].fuse.isDead { try await relaunch(index) }
                    phones[index].fuse.light(after: .max)
                }
                phones[index].device?.wake()
                for _ in 1...2 {
                    try await waitUntilIdle(index) { app in
                        await app.waitUntilIdle()
                        await app.onDevice { await app.purchases.retry() }
                        await app.waitUntilIdle()
                    }
                }
            }
            // The App Store notifies the server of refunds.
            if usesServer, round == 0 {
                for phone in phones {
                    for proof in await phone.app?.vault.contents.proofs.compactMap(\.proof) ?? []
                    where proof.transaction.payload.isRevoked {
                        try await server.database.receive(proof.transaction.original)
                    }
                }
            }
        }
    }

    private mutating func compare() async throws {
        let charges = try await phones[0].phone.charges
        let refunded = Set(charges.filter { $0.amount.milliunits < 0 }.map(\.transactionID))
        let catalog = try Catalog(storekit: SampleCatalog.storekit)
        var credited: Int64 = 0
        for charge in charges where charge.amount.milliunits > 0 && !refunded.contains(charge.transactionID) {
            guard let perUnit = Self.coins[charge.productID], let unit = catalog.product(charge.productID)?.price.milliunits, unit > 0
            else { continue }
            credited += perUnit * (charge.amount.milliunits / unit)
        }
        for (index, phone) in phones.enumerated() {
            guard let app = phone.app else { continue }
            let contents = await app.vault.contents
            func expect(_ isTrue: Bool, _ text: @autoclosure () -> String) {
                if !isTrue { findings.differences.append("phone \(index): \(text())") }
            }
            expect(contents.openDebits.isEmpty, "open debits \(contents.openDebits)")
            let debited =
                usesServer
                ? server.database.debited(by: customer)
                : debits.filter { $0.phone == index && contents.debit($0.key) != nil }.reduce(0) { $0 + $1.amount }
            let balance = await app.coins()
            expect(balance == credited - debited, "balance \(balance), expected \(credited) - \(debited)")
            if usesServer {
                let served = server.database.balance(of: customer)
                expect(balance == served, "balance \(balance), server \(served)")
            }
            let waiting = phone.device?.paymentQueue.transactions.count ?? 0
            expect(waiting == 0, "\(waiting) unfinished transactions")
            let items = try contents.values["items"].map { try JSONDecoder().decode([String].self, from: $0) } ?? []
            expect(Set(items).count == items.count, "an item was delivered twice: \(items)")
            let tens = Set(charges.filter { $0.productID == SampleProduct.credits10 }.map(\.transactionID.rawValue))
            expect(Set(items).isSubset(of: tens), "an item without a purchase: \(items)")
            let moonlights = await app.vault.contents.delivered.filter { id in
                contents.facts(of: id)?.product == SampleProduct.moonlight
            }
            expect(moonlights.isSubset(of: phone.performed.all), "delivered and not performed: \(moonlights)")
            for product in Self.features {
                let isOwned = charges.contains {
                    $0.productID == product && $0.amount.milliunits > 0 && !refunded.contains($0.transactionID)
                }
                let name: EntitlementName = product == SampleProduct.sepia ? "sepia" : EntitlementName(product.rawValue)
                let status = await app.state.status(of: name)
                expect(status == (isOwned ? .owned(until: nil) : .none), "\(name) is \(status), owned: \(isOwned)")
            }
        }
        let delivered = await phones.asyncReduce(Set<String>()) { all, phone in
            all.union(await phone.app?.vault.contents.delivered.map(\.rawValue) ?? [])
        }
        for charge in charges where charge.amount.milliunits > 0 && Self.coins[charge.productID] != nil {
            let isDelivered = delivered.contains(charge.transactionID.rawValue) || refunded.contains(charge.transactionID)
            if !isDelivered { findings.differences.append("\(charge.transactionID) is paid and not delivered") }
        }
    }
}

extension Array {
    fileprivate func asyncReduce<Result>(_ initial: Result, _ body: (Result, Element) async -> Result) async -> Result {
        var result = initial
        for element in self { result = await body(result, element) }
        return result
    }
}
