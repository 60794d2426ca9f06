public import Foundation
import MessageSignatures
public import Observation
import PurchaseModel
import PurchaseProof
import StoreKit
import Wire

/// An app's purchases: the products, the customer's entitlements and balances, and problems for the user.
///
/// ```swift
/// let purchases = Purchases(configuration)
/// purchases.start()
/// for await state in purchases.states {
///     button.isEnabled = state.areProductsLoaded && state.canMakePayments
/// }
/// ```
///
/// The state changes on the main actor. Observe the state with SwiftUI or `withObservationTracking`, with the sequence ``states``, or with
/// the notification ``stateDidChange``. ``start()`` delivers the purchases that earlier app sessions left unfinished; nothing is restored
/// until ``restore(choose:)`` is called.
@MainActor
public final class Purchases: Observable {
    /// The notification that the state has changed.
    public static nonisolated let stateDidChange = Notification.Name("TillrollPurchasesStateDidChange")
    /// The notification of an event; its `userInfo` has the ``PurchaseEvent`` under ``eventKey``.
    public static nonisolated let didReceiveEvent = Notification.Name("TillrollPurchasesDidReceiveEvent")
    /// The key of the event in the `userInfo` of ``didReceiveEvent``.
    public static nonisolated let eventKey = "event"

    let configuration: PurchasesConfiguration
    let book: EntitlementBook
    let clock: TrustedClock
    let parts: PurchaseParts
    private let registrar = ObservationRegistrar()
    private let stateStreams = StreamList<PurchasesState>(buffering: .bufferingNewest(1))
    private let eventStreams = StreamList<PurchaseEvent>(buffering: .unbounded)
    private(set) var current = PurchasesState()
    private var tasks: [Task<Void, Never>] = []
    private var expiration: Task<Void, Never>?
    var runningRestore: Task<RestoreOutcome, Never>?
    private let refreshes = SharedRuns()
    private let serverReadings = SharedRuns()
    private var problems = ProblemList()
    var downloadRates: [ProductID: DownloadRate] = [:]
    /// The date of the last attempt to read the customer's purchases and lease from the server; nil before the first attempt.
    private var leaseRequested: Timestamp?
    /// The number of purchases of each product that are running.
    var running: [ProductID: Int] = [:]
    /// The purchases that calls of ``buy(_:quantity:offer:)`` or of a ``PaymentObserver`` wait for.
    var expected: Set<TransactionID> = []

    deinit {
        parts.session.end()
        for task in tasks { task.cancel() }
        expiration?.cancel()
    }

    /// Creates the object that manages the app's purchases; call ``start()`` to begin deliveries.
    public init(_ configuration: PurchasesConfiguration) {
        self.configuration = configuration
        let clock = TrustedClock(configuration.wallClock)
        self.clock = clock
        book = EntitlementBook(
            fulfillments: configuration.fulfillments, durations: configuration.nonRenewingDurations, customer: configuration.customer)
        let relay = PurchaseParts.Relay()
        parts = PurchaseParts(configuration, clock, relay)
        relay.purchases = self
    }

    // MARK: - State

    /// The state of the app's purchases.
    public var state: PurchasesState {
        registrar.access(self, keyPath: \.state)
        return current
    }

    /// A sequence of the states, which begins with the current state; a slow reader receives the latest state.
    public var states: AsyncStream<PurchasesState> { stateStreams.stream(from: current) }

    /// A sequence of future events.
    public var events: AsyncStream<PurchaseEvent> { eventStreams.stream() }

    func change(_ body: (inout PurchasesState) -> Void) {
        var next = current
        body(&next)
        next.problems = problems.all
        guard next != current else { return }
        registrar.withMutation(of: self, keyPath: \.state) { current = next }
        stateStreams.send(next)
        NotificationCenter.default.post(name: Self.stateDidChange, object: self)
    }

    func announce(_ event: PurchaseEvent) {
        eventStreams.send(event)
        NotificationCenter.default.post(name: Self.didReceiveEvent, object: self, userInfo: [Self.eventKey: event])
    }

    /// Updates the state from the vault, and returns after an update that began after the call.
    ///
    /// Calls during an update share the next update, so that thousands of simultaneous deliveries cause few updates, and an older state
    /// never replaces a newer one.
    func refresh() async {
        await refreshes.next { await self.readVault() }.value
    }

    private func readVault() async {
        // Keep the state if the result of the verification can't be recorded.
        let (vault, customer) = (configuration.vault, configuration.customer)
        guard (try? await vault.verifyMovedProofs(configuration.verifier, for: customer)) != nil else { return }
        let contents = await vault.contents
        if let time = contents.time { clock.raise(to: time) }
        let now = clock.now
        let lease: LeasePayload? =
            if let leases = configuration.leaseVerifier { parts.reader.lease(in: contents, leases) } else { nil }
        let (entitlements, nextChange) = await Self.entitlements(in: contents, lease, book, now)
        let installed = await Self.installedContent(in: contents)
        let undownloaded = await Self.undownloaded(in: contents, installed, entitlements, configuration.fulfillments)
        problems.readSubscriptions(entitlements, in: contents)
        problems.set(.clockSetBack, clock.isSetBack)
        problems.set(.restoredFromBackup, contents.needsReconciliation)
        problems.offlineUseEnds = lease.flatMap { book.endOfOfflineUse(by: $0, entitlements, at: now) }?.date
        change { state in
            state.entitlements = entitlements
            state.areEntitlementsKnown = contents.checked != nil
            state.balances = contents.balances
            state.installedContent = installed
            state.undownloaded = undownloaded
            state.showPausedDownloads(contents.downloads)
            state.pending = contents.pending.filter { now < $0.requestedAt.adding(seconds: PendingPurchase.secondsUntilExpiration) }
            state.canMakePayments = AppStore.canMakePayments
        }
        // Schedule an update for the expiration of a pending purchase, because no event announces the expiration.
        let nextExpiration = current.pending.map { $0.requestedAt.adding(seconds: PendingPurchase.secondsUntilExpiration) }.min()
        let nextRenewal = contents.lease == nil ? nil : renewLease(lease, now)
        scheduleRefresh(at: [nextChange, nextExpiration, nextRenewal].compactMap { $0 }.min(), now)
    }

    @concurrent
    private static func entitlements(
        in contents: VaultContents, _ lease: LeasePayload?, _ book: EntitlementBook, _ now: Timestamp
    ) async -> (states: [EntitlementName: EntitlementState], nextChange: Timestamp?) {
        book.entitlements(in: contents, lease: lease, at: now)
    }

    /// The maximum milliseconds between two updates of the state while an entitlement can end.
    private static let longestSleep: Int64 = 3_600_000

    /// Schedules an update of the state for a date, such as the end of an entitlement, because no event announces that date.
    private func scheduleRefresh(at date: Timestamp?, _ now: Timestamp) {
        expiration?.cancel()
        guard let date, !tasks.isEmpty else { return }
        // Sleep for an hour at most, because the device's clock can be changed while the task sleeps.
        let delay = Duration.milliseconds(min(date.milliseconds(since: now), Self.longestSleep))
        expiration = Task { [weak self, clock = configuration.clock] in
            guard (try? await clock.sleep(for: delay)) != nil, !Task.isCancelled else { return }
            await self?.refresh()
        }
    }

    /// Requests another lease in the second half of a lease's duration, and after its end, so that an app that stays open can be used
    /// offline as long as possible.
    ///
    /// - Parameter lease: The lease; nil after its expiration.
    /// - Returns: The date of the next request; nil before the first request.
    private func renewLease(_ lease: LeasePayload?, _ now: Timestamp) -> Timestamp? {
        guard let leaseRequested, !tasks.isEmpty else { return nil }
        let interval = lease?.renewalInterval ?? LeasePayload.longestRenewalInterval
        let date = max(lease?.renewalDate ?? now, leaseRequested.adding(milliseconds: interval))
        guard date <= now else { return date }
        serverReadings.next { await self.readServerNow() }
        return now.adding(milliseconds: interval)
    }

    // MARK: - Starting

    /// Starts listening to StoreKit, delivers unfinished purchases of earlier app sessions, and loads the products.
    ///
    /// Call the method once, at the launch of the app. The tasks that the method starts inherit the task-local values of the caller.
    public func start() {
        guard tasks.isEmpty else { return }
        let listener = listener
        tasks = [
            Task { await listener.listen() },
            Task { [weak self] in await self?.launch() },
        ]
    }

    /// Stops listening and retrying, and ends ``states`` and ``events``.
    ///
    /// Call the method before another ``Purchases`` opens the vault, such as after a sign-out. A stopped ``Purchases`` can't be started
    /// again.
    public func stop() async {
        parts.session.end()
        for task in tasks { task.cancel() }
        tasks = []
        expiration?.cancel()
        serverReadings.cancel()
        await parts.engine.stop()
        await parts.installer.stop()
        for timer in parts.retryTimers { await timer.cancel() }
        stateStreams.finish()
        eventStreams.finish()
    }

    private var listener: StoreListener {
        StoreListener(
            engine: parts.engine, reader: parts.reader, restored: parts.restored, changed: { [weak self] in await self?.refresh() },
            promoted: { [weak self] promotion in await self?.decide(promotion) }, presentation: configuration.presentation)
    }

    private func launch() async {
        await prepareVault()
        await refresh()
        async let products: Void = parts.loader.load()
        async let unfinished: Void = listener.deliverUnfinished()
        async let downloads: Void = parts.installer.downloadRequested()
        await parts.reader.readCurrent()
        await refresh()
        async let confirmation: Void = parts.importer.confirm()
        async let server: Void = readServer()
        // Read refunds without waiting for the deliveries, which can take hours.
        await parts.reader.readRevocations()
        await parts.engine.submitRefunds()
        await refresh()
        _ = await (products, unfinished, downloads, server, confirmation)
        await refresh()
    }

    /// Binds later entries of the vault to the customer of this app session, removes expired pending purchases, and finds content whose
    /// folder has moved.
    func prepareVault() async {
        let (session, now) = (parts.session, clock.now)
        await configuration.vault.begin(session)
        _ = try? await configuration.vault.change(in: session) { (contents) throws(VaultError) in
            var entries: [VaultEntry] = []
            for purchase in contents.pending where purchase.requestedAt.adding(seconds: PendingPurchase.secondsUntilExpiration) <= now {
                entries.append(.pendingEnded(purchase.id))
            }
            return entries
        }
        await parts.installer.locate()
    }

    /// Waits for the launch that ``start()`` began, and delivers the unfinished transactions; for tests and background tasks.
    public func waitUntilIdle() async {
        for task in tasks.dropFirst() { await task.value }
        await listener.deliverUnfinished()
        await serverReadings.last?.value
        await refresh()
    }

    /// Loads the products and their prices again, and returns after one attempt; ``start()`` loads the products automatically.
    public func loadProducts() async {
        await parts.loader.load()
    }

    private func readServer() async {
        guard configuration.server != nil else { return }
        await serverReadings.next { await self.readServerNow() }.value
    }

    /// Requests the server's data after the delivery of a purchase that the server has not listed, or whose entitlement the lease lacks.
    ///
    /// The server must list the purchase first, because only a listed purchase that is missing in a later list counts as moved to another
    /// customer. A lease from before an upgrade states the replaced subscription, so a new lease is needed.
    private func readServer(after delivery: Purchase) async {
        let payload = delivery.transaction.payload
        guard configuration.server != nil, payload.productType != .consumable, !tasks.isEmpty else { return }
        let contents = await configuration.vault.contents
        guard !contents.listed.contains(payload.originalTransactionId) || isMissing(payload.productId, inLeaseOf: contents) else { return }
        serverReadings.next { await self.readServerNow() }
    }

    private func isMissing(_ product: ProductID, inLeaseOf contents: VaultContents) -> Bool {
        guard let leases = configuration.leaseVerifier, let lease = parts.reader.lease(in: contents, leases) else { return false }
        let names = (configuration.fulfillments[product] ?? .standard(for: product)).entitlements(of: product)
        return !names.isEmpty && Set(lease.entitlements.map { EntitlementName($0.name) }).isDisjoint(with: names)
    }

    /// The teams of the customer at the developer's server.
    public var teams: Teams {
        Teams(configuration.server?.service) { [weak self] in await self?.readServerNow() }
    }

    private func readServerNow() async {
        leaseRequested = clock.now
        let reading = await parts.reader.readServer(configuration.leaseVerifier)
        if let failure = reading.failure, failure.isRetryable, !parts.session.hasEnded {
            await parts.serverRetries.schedule { [weak self] in await self?.readServer() }
        } else {
            await parts.serverRetries.succeeded()
        }
        await parts.ledger.synchronize()
        if reading.purchases != nil { await markChecked() }
        await refresh()
    }

    /// Records that the customer's purchases were read completely from the store or the server.
    func markChecked() async {
        let now = clock.now
        _ = try? await configuration.vault.change(in: parts.session, isOfCustomer: true) { (contents) throws(VaultError) in
            contents.checked == nil ? [.checked(now)] : []
        }
    }

    /// Retries failed requests for products, failed deliveries and failed requests to the server; returns after one attempt for each.
    ///
    /// The kit retries automatically. Call the method when the network is available again or the app enters the foreground.
    public func retry() async {
        problems.forgetUnverified()
        await prepareVault()
        async let products: Void = parts.loader.load()
        async let waiting: Void = parts.engine.retry()
        async let downloads: Void = parts.installer.downloadRequested()
        async let unfinished: Void = listener.deliverUnfinished()
        await parts.reader.readCurrent()
        await parts.importer.confirm()
        await readServer()
        _ = await (products, waiting, downloads, unfinished)
        await refresh()
    }

    // MARK: - Reports

    func receive(_ result: Result<ProductLoader.Listing, PurchaseFailure>) async {
        switch result {
        case .success(let listing):
            problems.set(.storeUnreachable, false)
            change { state in
                state.products = listing.products.map { ProductListing($0) }
                state.unavailableProducts = listing.unavailable
                state.areProductsLoaded = true
            }
            // Read the purchases, because an answer of the store shows that the account's purchases on this device are up to date.
            await parts.reader.readCurrent()
            await markChecked()
        case .failure:
            problems.set(.storeUnreachable, true)
        }
        await refresh()
    }

    func receive(_ report: FulfillmentReport) async {
        switch report {
        case .progress(let product, let received, let length): show(received, of: length, of: product)
        case .download(let product, let state): show(state, of: product)
        case .installed: await refresh()
        case .ended(let result):
            problems.note(result)
            notify(of: result)
            await refresh()
            if case .delivered(let purchase, isNew: true, _) = result { await readServer(after: purchase) }
        }
    }

    private func notify(of result: FulfillmentResult) {
        switch result {
        case .delivered(let purchase, let isNew, _):
            if isNew { announce(.delivered(purchase, isExpected: expected.contains(purchase.id))) }
            if purchase.transaction.payload.isRevoked { announce(.revoked(purchase.productID, purchase.id)) }
        case .revoked(let purchase): announce(.revoked(purchase.productID, purchase.id))
        case .undelivered(let purchase, let error): announce(.undelivered(purchase, error))
        case .otherCustomer, .unverified: break
        }
    }

    /// Adds the problem that other code of the app has finished a transaction.
    func noteFinishedElsewhere(_ product: ProductID) {
        problems.noteFinishedElsewhere(product)
        change { _ in }
    }

    func serverAnswered(_ error: WireClientError?) {
        let isUnreachable = error?.isRetryable ?? false
        problems.set(.serverUnreachable, isUnreachable)
        // Keep both problems while the server is unreachable, because only an answer shows whether the token and the key are accepted.
        if !isUnreachable {
            let isSignedOut = if case .refused(401, _) = error { true } else { false }
            problems.set(.signInExpired, isSignedOut)
            problems.set(.serverRefused, error != nil && !isSignedOut)
        }
        change { _ in }
    }

    /// Updates the balances in the state after a synchronization of the ledger.
    func ledgerAnswered(_ error: WireClientError?) async {
        serverAnswered(error)
        await refresh()
    }

    func refuse(_ debit: VaultDebit) async {
        await refresh()
        announce(.debitRefused(key: debit.key, amount: debit.amount, currency: debit.currency))
    }
}
