import Foundation
import MessageSignatures
import OpenStoreKit
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import StoreKit
import StoreTestSupport
import Synchronization
import Wire

@testable import PurchaseKit

/// An app session with the kit on a phone.
struct KitApp: Sendable {
    // The phone retains its temporary folder.
    let phone: Phone
    let device: Device
    let vault: Vault
    let purchases: Purchases
    /// The clock of the kit's delays.
    let clock: TestClock
    let events: RecordedEvents

    /// The products of the sample catalog that the app delivers.
    static let fulfillments: [ProductID: Fulfillment] = [
        SampleProduct.credits5: .credit("coins", 5),
        SampleProduct.credits10: .credit("coins", 10),
        SampleProduct.sepia: .unlock("sepia"),
    ]

    /// Launches the app with the phone's files, and waits until the device is idle and unfinished purchases are delivered.
    static func launch(
        _ phone: Phone, server: (any PurchaseService)? = nil, customer: CustomerID? = nil,
        wallClock: any WallClock = SystemWallClock(), waits: Bool = true, clock: TestClock = TestClock(),
        _ configure: (inout PurchasesConfiguration) -> Void = { _ in }
    ) async throws -> KitApp {
        let device = try phone.launch()
        let vault = try await Vault(
            path: phone.folder.file("vault").path(percentEncoded: false),
            keychain: try FileKeychain(folder: phone.folder.file("keychain").path(percentEncoded: false)),
            bundleID: .test)
        let app = try await launch(phone, on: device, vault: vault, server: server, customer: customer, clock: clock) {
            $0.wallClock = wallClock
            configure(&$0)
        }
        if waits { await app.waitUntilIdle() }
        return app
    }

    /// Launches the app on an open device with an open vault.
    static func launch(
        _ phone: Phone, on device: Device, vault: Vault, server: (any PurchaseService)?, customer: CustomerID?,
        clock: TestClock = TestClock(), _ configure: (inout PurchasesConfiguration) -> Void
    ) async throws -> KitApp {
        var configuration = PurchasesConfiguration(
            products: .builtIn(
                fulfillments.keys.sorted() + [SampleProduct.moonlight, SampleProduct.magazine, SampleProduct.magazinePlus]),
            fulfillments: fulfillments, vault: vault, verifier: phone.harness.verifier,
            server: server.map { ServerConnection($0) }, customer: customer)
        configuration.clock = clock
        configuration.retrySchedule = RetrySchedule { 0 }
        configure(&configuration)
        let purchases = await Device.$current.withValue(device) {
            await MainActor.run { [configuration] in
                let purchases = Purchases(configuration)
                purchases.start()
                return purchases
            }
        }
        return KitApp(
            phone: phone, device: device, vault: vault, purchases: purchases, clock: clock,
            events: RecordedEvents(await purchases.events))
    }

    /// Runs code with the device as the current one, as an app's code runs.
    func onDevice<Result: Sendable>(_ body: @MainActor @Sendable () async throws -> Result) async rethrows -> Result {
        try await Device.$current.withValue(device) { try await body() }
    }

    /// Waits until the device is idle and one attempt was made to deliver each unfinished purchase.
    func waitUntilIdle() async {
        await onDevice {
            for _ in 1...2 {
                await device.waitUntilIdle()
                await purchases.waitUntilIdle()
            }
            await device.waitUntilIdle()
        }
    }

    @discardableResult
    func buy(_ product: ProductID, quantity: Int = 1) async -> PurchaseOutcome {
        let outcome = await onDevice { await purchases.buy(product, quantity: quantity) }
        await waitUntilIdle()
        return outcome
    }

    /// Brings the device up to date with the store, as when the app comes to the foreground.
    func wake() async {
        device.wake()
        await waitUntilIdle()
    }

    func restore(
        _ choose: @escaping @MainActor @Sendable ([RestorableProduct]) async -> Set<ProductID>
    ) async -> RestoreOutcome {
        await onDevice { await Device.withUserGesture { await purchases.restore(choose: choose) } }
    }

    /// Ends the app session; the device stays open.
    func close() async {
        await purchases.stop()
    }

    var state: PurchasesState {
        get async { await purchases.state }
    }

    func coins() async -> Int64 { await state.balance(of: "coins") }
}

/// The events of an app session, in their order.
final class RecordedEvents: Sendable {
    private let recorded = Mutex<[PurchaseEvent]>([])

    init(_ events: AsyncStream<PurchaseEvent>) {
        Task { [weak self] in
            for await event in events { self?.recorded.withLock { $0.append(event) } }
        }
    }

    var all: [PurchaseEvent] { recorded.withLock { $0 } }
}

extension PurchaseOutcome {
    /// The delivered purchase; nil for any other outcome.
    var delivered: Purchase? {
        if case .purchased(let purchase, .delivered) = self { purchase } else { nil }
    }
}

/// The key with which the servers of all tests sign leases.
private let leaseSigningKey: P256SigningKey = {
    do { return try P256SigningKey(newWithID: "test") } catch { preconditionFailure("\(error)") }
}()

/// A server in memory, with the ledger of one customer for each ``Customer`` and faults that a test sets.
final class StubPurchaseService: PurchaseService {
    /// A fault of the next calls.
    enum Fault: Sendable {
        /// The request does not arrive.
        case lostRequest
        /// The request is processed, and the answer is lost.
        case lostReply
        /// The server answers with an error.
        case refused(status: Int, code: String)
        /// The call succeeds.
        case none
    }

    fileprivate struct State {
        var transactions: [TransactionID: VerifiedTransaction] = [:]
        var owners: [TransactionID: CustomerID] = [:]
        var balances: [CustomerID: CreditBalance] = [:]
        var debits: [OpaqueText: Int64] = [:]
        var faults: [Fault] = []
        var isOffline = false
        var failing: String?
        var previousOwner: CustomerID?
        var gate: Gate?
        var calls: [String] = []
        var attempts: [String] = []
    }

    /// The server's data, which the connections of several customers and devices share.
    final class Database: Sendable {
        fileprivate let state = Mutex(State())
        let verifier: SignedDataVerifier
        let credits: [ProductID: Int64]
        /// The issuer of leases.
        let leases: LeaseIssuer
        private let leaseKey: P256SigningKey
        private let granted = Mutex<(names: [String], expires: Timestamp)?>(nil)

        /// Grants entitlements without a purchase, which leases state until a date.
        func grant(_ names: String..., until expires: Timestamp) {
            granted.withLock { $0 = (names, expires) }
        }

        /// The app's verifier of this server's leases.
        func leaseVerifier() throws -> LeaseVerifier {
            LeaseVerifier(
                keys: try VerificationKeySet([leaseKey.verificationKey]), issuer: "tillroll-server", bundleID: .test)
        }

        /// The granted entitlements, as the server lists them.
        fileprivate var grants: [EntitlementReply] {
            granted.withLock { $0?.names ?? [] }.map {
                EntitlementReply(
                    name: EntitlementName($0), access: Access(isGranted: true, state: .active, until: nil, reason: "A grant."))
            }
        }

        fileprivate func lease(_ customer: CustomerID, _ deviceKey: KeyThumbprint, _ balance: CreditBalance?) -> LeasePayload? {
            granted.withLock { granted in
                granted.map {
                    LeasePayload(
                        issuer: "tillroll-server", customer: customer, bundleID: .test, issuedAt: SystemWallClock().now,
                        expires: $0.expires, id: UUID().uuidString, deviceKey: deviceKey,
                        entitlements: $0.names.map { LeasedEntitlement($0) },
                        balances: balance.map { [LeasedBalance("coins", amount: $0.amount)] } ?? [])
                }
            }
        }

        init(verifier: SignedDataVerifier, credits: [ProductID: Int64] = [SampleProduct.credits5: 5, SampleProduct.credits10: 10]) {
            self.verifier = verifier
            self.credits = credits
            leaseKey = leaseSigningKey
            leases = LeaseIssuer(key: leaseSigningKey)
        }

        /// The number of calls of an operation that arrived.
        func count(_ operation: String) -> Int { state.withLock { $0.calls.count { $0 == operation } } }

        /// The number of calls of an operation, also of those that did not arrive.
        func attempts(_ operation: String) -> Int { state.withLock { $0.attempts.count { $0 == operation } } }

        func balance(of customer: CustomerID) -> Int64 { state.withLock { $0.balances[customer]?.amount ?? 0 } }

        /// The credits that a customer has debited.
        func debited(by customer: CustomerID) -> Int64 {
            state.withLock { $0.debits.filter { $0.key.rawValue.hasPrefix(customer.rawValue) }.values.reduce(0, +) }
        }

        /// Records a signed transaction that a notification contains.
        func receive(_ signed: SignedTransaction) async throws {
            let transaction = try await verifier.verify(signed)
            _ = state.withLock { $0.record(transaction, owner: nil, credits) }
        }

        /// Makes the server state that the purchases belonged to another customer before.
        func transferring(from customer: CustomerID) {
            state.withLock { $0.previousOwner = customer }
        }

        func owner(of original: TransactionID) -> CustomerID? { state.withLock { $0.owners[original] } }

        /// Moves a purchase to another customer.
        func move(_ original: TransactionID, to customer: CustomerID) { state.withLock { $0.owners[original] = customer } }
    }

    let database: Database
    let customer: CustomerID

    init(_ database: Database, customer: CustomerID) {
        self.database = database
        self.customer = customer
    }

    /// Sets the faults of the next calls.
    func fail(_ faults: Fault...) {
        database.state.withLock { $0.faults += faults }
    }

    /// Removes the faults of the next calls.
    func clearFaults() {
        database.state.withLock { $0.faults = [] }
    }

    /// Holds the next submission until a gate is open.
    func hold(at gate: Gate) {
        database.state.withLock { $0.gate = gate }
    }

    /// Sets the operation whose calls do not arrive; nil for none.
    func set(failing operation: String?) {
        database.state.withLock { $0.failing = operation }
    }

    /// Sets whether no call arrives.
    func set(offline: Bool) {
        database.state.withLock { $0.isOffline = offline }
    }

    private func call<Reply>(
        _ operation: String, _ body: (inout State) throws(WireClientError) -> Reply
    ) throws(WireClientError) -> Reply {
        let result = database.state.withLock { state -> Result<Reply, WireClientError> in
            state.attempts.append(operation)
            guard !state.isOffline, state.failing != operation else { return .failure(.unreachable) }
            let fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
            switch fault {
            case .lostRequest: return .failure(.unreachable)
            case .refused(let status, let code): return .failure(.refused(status: status, WireError(code: code, message: "Refused.")))
            case .lostReply, Fault.none?, nil: break
            }
            state.calls.append(operation)
            do throws(WireClientError) {
                let reply = try body(&state)
                if case .lostReply = fault { return .failure(.unreachable) }
                return .success(reply)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    func submit(_ transactions: [SignedTransaction]) async throws(WireClientError) -> SubmitPurchasesReply {
        let gate = database.state.withLock { state in
            defer { state.gate = nil }
            return state.gate
        }
        await gate?.pass()
        var verified: [VerifiedTransaction?] = []
        for transaction in transactions { verified.append(try? await database.verifier.verify(transaction)) }
        return try call("submit") { [verified, database, customer] state throws(WireClientError) in
            let results = verified.map { transaction -> ProofResult in
                guard let transaction else {
                    return ProofResult(status: .refused, error: WireError(code: "proof.refused", message: "The proof was refused."))
                }
                let payload = transaction.payload
                let isKnown = state.transactions[payload.transactionId] != nil
                let owner = state.record(transaction, owner: payload.appAccountToken ?? customer, database.credits)
                return ProofResult(purchases: [
                    SubmittedPurchase(
                        transactionID: payload.transactionId, originalTransactionID: payload.originalTransactionId,
                        productID: payload.productId, fulfillment: owner == customer ? .complete : .otherCustomer,
                        previousCustomer: state.previousOwner, credits: 0, isKnown: isKnown)
                ])
            }
            return SubmitPurchasesReply(customer: customer, results: results, balances: [])
        }
    }

    func entitlements() async throws(WireClientError) -> EntitlementsReply {
        try call("entitlements") { [customer, database] state in
            let evidence = state.transactions.values.filter {
                state.owners[$0.payload.originalTransactionId] == customer && $0.payload.productType != .consumable
            }.map {
                EntitlementsReply.Evidence(
                    originalTransactionID: $0.payload.originalTransactionId, signedTransactions: [$0.original], signedRenewalInfo: [])
            }
            return EntitlementsReply(
                customer: customer, date: Timestamp(milliseconds: 0), entitlements: database.grants, evidence: evidence)
        }
    }

    func balances() async throws(WireClientError) -> BalancesReply {
        try call("balances") { [customer] state in
            BalancesReply(balances: state.balances[customer].map { [BalanceReply(currency: "coins", amount: $0.amount)] } ?? [])
        }
    }

    func debit(_ request: DebitRequest) async throws(WireClientError) -> LedgerReply {
        try call("debit") { [customer] state throws(WireClientError) in
            let key = OpaqueText("\(customer) \(request.idempotencyKey)")
            let isRepeated = state.debits[key] != nil
            if !isRepeated {
                guard (try? state.balances[customer]?.debit(request.amount)) != nil else {
                    throw .refused(status: 409, WireError(code: "balance.insufficient", message: "The balance is too low."))
                }
                state.debits[key] = request.amount
            }
            return LedgerReply(currency: "coins", balance: state.balances[customer]?.amount ?? 0, isRepeated: isRepeated)
        }
    }

    func lease(_ request: LeaseRequest) async throws(WireClientError) -> LeaseReply {
        try call("lease") { [database, customer] state throws(WireClientError) in
            guard let deviceKey = KeyThumbprint(request.deviceKey),
                let lease = database.lease(customer, deviceKey, state.balances[customer]),
                let signed = try? database.leases.issue(lease)
            else { throw .unreachable }
            return LeaseReply(lease: signed.compact, expires: lease.expires)
        }
    }

    func products() async throws(WireClientError) -> ServerProductsReply {
        try call("products") { [database] _ in
            ServerProductsReply(products: database.credits.keys.sorted().map { ServerProduct(id: $0) })
        }
    }
}

extension StubPurchaseService.State {
    /// Records a version of a transaction, with the credits of its charge, and returns the owner of the purchase.
    @discardableResult
    fileprivate mutating func record(
        _ transaction: VerifiedTransaction, owner: CustomerID?, _ catalog: [ProductID: Int64]
    ) -> CustomerID? {
        let payload = transaction.payload
        let known = transactions[payload.transactionId]
        if owners[payload.originalTransactionId] == nil { owners[payload.originalTransactionId] = owner }
        let customer = owners[payload.originalTransactionId]
        if known.map({ $0.payload.signedDate < payload.signedDate || payload.isRevoked }) ?? true {
            transactions[payload.transactionId] = transaction
        }
        guard let customer, let perUnit = catalog[payload.productId] else { return customer }
        let credits = perUnit * Int64(payload.quantity)
        if known == nil { _ = try? balances[customer, default: CreditBalance()].credit(credits, from: .purchases) }
        if payload.isRevoked, known.map({ !$0.payload.isRevoked }) ?? true {
            _ = try? balances[customer, default: CreditBalance()].revoke(credits, policy: .debt)
        }
        return customer
    }
}
