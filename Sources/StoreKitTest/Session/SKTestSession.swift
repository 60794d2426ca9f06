public import Foundation
package import LocalAppStore
import OpenStoreKit
import PurchaseModel
public import StoreKit
import StoreProtocol
import Synchronization

/// A test session, which has a local store with the products of a `.storekit` file and lets a test control the store.
///
/// A session in a test of Swift Testing has its own in-memory store, and its own device on which an account is signed in. The device is
/// the current device of the test, so that tests can run in parallel without affecting each other. Sessions outside of Swift Testing use
/// one device for the process, and share a store while they exist at the same time.
///
/// Members that are not `async` can be called from any thread. They block the thread for a few milliseconds at most.
open class SKTestSession: NSObject, @unchecked Sendable {
    package let environment: TestEnvironment
    let failures = SimulatedErrors()
    private let file: Catalog
    private let settings: Mutex<SessionSettings>
    private let realTime = Mutex<Task<Void, Never>?>(nil)

    /// Creates a session for the `.storekit` file with a name.
    ///
    /// The file is searched in the resources of all bundles of the process, in the resource folders beside the running program, in the
    /// working directory, and in the folders below the working directory.
    ///
    /// - Parameter filename: The name of the file, with or without the extension.
    ///
    /// - Throws: ``SKTestError/Code/fileNotFound`` if no such file exists, and the errors of ``init(contentsOf:)``.
    public convenience init(configurationFileNamed filename: String) throws {
        guard let url = StoreKitConfigurationFile.named(filename) else { throw SKTestError(.fileNotFound) }
        try self.init(contentsOf: url)
    }

    /// Creates a session for a `.storekit` file.
    ///
    /// A file of a later version than the session knows is used as far as it has known keys and values. A warning on standard error names
    /// what is ignored.
    ///
    /// - Throws: ``SKTestError/Code/invalidURL`` if the URL is not a file URL; ``SKTestError/Code/fileNotFound`` if no file exists there;
    ///   ``SKTestError/Code/invalidProductIdentifier`` if the file is not a valid `.storekit` file, with the reason in the description.
    public init(contentsOf fileURL: URL) throws {
        guard fileURL.isFileURL else { throw SKTestError(.invalidURL) }
        guard let data = try? Data(contentsOf: fileURL) else { throw SKTestError(.fileNotFound) }
        do throws(CatalogError) {
            file = try Catalog(storekit: data)
        } catch {
            throw SKTestError(.invalidProductIdentifier, userInfo: [NSLocalizedDescriptionKey: error.description])
        }
        if let warning = file.laterVersionWarning { LaterVersionWarnings.print(warning, of: fileURL) }
        let key = TestKey.current
        if key == nil, let shared = SessionRegistry.liveEnvironment {
            environment = shared
            try shared.replaceCatalog(file)
        } else {
            environment = try TestEnvironment(file, on: key == nil ? TestDevice.shared.get() : TestDevice())
        }
        settings = Mutex(SessionSettings(catalog: file.settings))
        super.init()
        try environment.queue.waitInTurn { [self] in try await apply(SessionSettings(catalog: file.settings), over: nil) }
        failures.reset(to: file.settings.errors, on: environment.device)
        SessionRegistry.add(environment, for: key)
    }

    deinit {
        realTime.withLock { $0?.cancel() }
        SessionRegistry.remove(environment)
    }

    // MARK: - Settings of the store

    /// Whether purchases need a parent's approval (Ask to Buy); false unless the `.storekit` file enables Ask to Buy.
    open var askToBuyEnabled: Bool {
        get { setting(\.askToBuyEnabled) }
        set { set(\.askToBuyEnabled, to: newValue) }
    }

    /// Whether purchases continue without dialogs; the value has no effect, because a session on Linux never shows dialogs.
    open var disableDialogs: Bool {
        get { setting(\.disablesDialogs) }
        set { set(\.disablesDialogs, to: newValue) }
    }

    /// Whether every purchase fails with ``failureError``.
    open var failTransactionsEnabled: Bool {
        get { setting(\.failsTransactions) }
        set { set(\.failsTransactions, to: newValue) }
    }

    /// The error code with which purchases fail while ``failTransactionsEnabled`` is true.
    open var failureError: SKError.Code {
        get { settings.withLock { $0.failureError } }
        set { change { $0.failureError = newValue } }
    }

    /// Whether every purchase is interrupted: the purchase fails at first, and succeeds when the test resolves the issue.
    open var interruptedPurchasesEnabled: Bool {
        get { setting(\.interruptedPurchasesEnabled) }
        set { set(\.interruptedPurchasesEnabled, to: newValue) }
    }

    /// Whether the account's payment method declines renewals, so that subscriptions enter the billing retry period.
    open var shouldEnterBillingRetryOnRenewal: Bool {
        get { setting(\.failsRenewals) }
        set { set(\.failsRenewals, to: newValue) }
    }

    /// Whether a billing grace period, in which access continues, follows a failed renewal.
    open var billingGracePeriodIsEnabled: Bool {
        get { settings.withLock { $0.billingGracePeriodIsEnabled } }
        set { change { $0.catalog.billingGracePeriodIsEnabled = newValue } }
    }

    /// The storefront of the account, as an ISO 3166-1 alpha-3 code such as `USA`.
    ///
    /// Setting a code of a country or region without an App Store has no effect.
    open var storefront: String {
        get { setting(\.storefront) }
        set { set(\.storefront, to: newValue) }
    }

    /// The locale of the names and descriptions of products.
    open var locale: Locale {
        get { Locale(identifier: setting(\.locale) ?? "en_US") }
        set { change { $0.catalog.locale = newValue.identifier } }
    }

    /// The speed at which subscriptions renew.
    open var timeRate: TimeRate {
        get { TimeRate(rawValue: setting(\.timeRate)) ?? .realTime }
        set { set(\.timeRate, to: newValue.rawValue) }
    }

    /// Resets the settings of the session to those of the `.storekit` file, and keeps the transactions.
    open func resetToDefaultState() {
        change { [file] in $0 = SessionSettings(catalog: file.settings) }
        failures.reset(to: file.settings.errors, on: environment.device)
    }

    private func setting<Value>(_ path: any KeyPath<CatalogSettings, Value> & Sendable) -> Value {
        settings.withLock { $0.catalog[keyPath: path] }
    }

    private func set<Value: Sendable>(_ path: any WritableKeyPath<CatalogSettings, Value> & Sendable, to value: Value) {
        change { $0.catalog[keyPath: path] = value }
    }

    /// Changes the settings of the session's store; a change that the store refuses has no effect.
    private func change(_ body: @escaping @Sendable (inout SessionSettings) -> Void) {
        // Changes take turns, so that each one is based on the settings that the one before it has applied.
        try? environment.queue.waitInTurn { [self] in
            let old = settings.withLock { $0 }
            var wanted = old
            body(&wanted)
            try await apply(wanted, over: old)
            settings.withLock { [wanted] in $0 = wanted }
        }
        environment.device.wake()
    }

    private func apply(_ settings: SessionSettings, over old: SessionSettings?) async throws {
        let store = environment.store
        if let old, settings.catalog != old.catalog { try await store.set(try file.setting(settings.catalog)) }
        if settings.catalog.timeRate != old?.catalog.timeRate || settings.billingGracePeriodIsEnabled != old?.billingGracePeriodIsEnabled {
            try await store.set(timeRate: settings.catalog.timeRate, billingGracePeriodIsEnabled: settings.billingGracePeriodIsEnabled)
        }
        if settings.purchaseFailure != old?.purchaseFailure { try await store.failPurchases(with: settings.purchaseFailure) }
        let isFast = settings.catalog.timeRate != TimeRate.realTime.rawValue
        realTime.withLock { task in
            if isFast, task == nil { task = RenewalTimer.start(in: store, on: environment.queue) }
            if !isFast { task?.cancel() }
            if !isFast { task = nil }
        }
    }

    // MARK: - Transactions

    /// Returns all transactions of the session, oldest first, followed by the payments that are deferred or interrupted.
    open func allTransactions() -> [SKTestTransaction] {
        let (store, account) = (environment.store, environment.account)
        let found = try? environment.queue.wait { try await store.transactions(of: account) }
        return (found ?? []).map { SKTestTransaction($0) }
    }

    /// Removes all transactions of the session.
    ///
    /// A new account without purchases is signed in, which is eligible for introductory offers.
    open func clearTransactions() {
        guard !allTransactions().isEmpty else { return }
        try? environment.changeAccount()
    }

    /// Deletes the purchase of a transaction, with all its renewals and restored transactions.
    open func deleteTransaction(identifier: UInt) throws {
        let account = environment.account
        environment.device.forget(try act { try await $0.delete(Int64(clamping: identifier), of: account) })
    }

    /// Refunds the transaction with an identifier.
    open func refundTransaction(identifier: UInt) throws {
        try act { try await $0.refund(Int64(clamping: identifier)) }
    }

    /// Approves a purchase that is pending a parent's approval (Ask to Buy).
    open func approveAskToBuyTransaction(identifier: UInt) throws {
        try act { try await $0.decide(Int64(clamping: identifier), approve: true) }
    }

    /// Declines a purchase that is pending a parent's approval (Ask to Buy).
    open func declineAskToBuyTransaction(identifier: UInt) throws {
        try act { try await $0.decide(Int64(clamping: identifier), approve: false) }
    }

    /// Resolves the issue of an interrupted purchase, or the billing issue of a subscription renewal.
    open func resolveIssueForTransaction(identifier: UInt) throws {
        try act { try await $0.resolve(Int64(clamping: identifier)) }
    }

    /// Purchases a product outside the app.
    ///
    /// The app receives the transaction as an update.
    ///
    /// If the purchase needs a parent's approval or is interrupted, ``allTransactions()`` contains a deferred or failed transaction.
    open func buyProduct(productIdentifier: String) throws {
        let payment = PaymentID(UUID())
        let request = BuyRequest(account: environment.account, productID: ProductID(productIdentifier), payment: payment)
        try act { store in
            let reply = try await store.buy(request, at: nil, renews: true)
            guard let error = SKTestError(reply), try await !store.isPending(payment) else { return }
            throw error
        }
    }

    // MARK: - Subscriptions

    /// Enables auto-renew of the subscription to which a transaction belongs.
    open func enableAutoRenewForTransaction(identifier: UInt) throws {
        try act { try await $0.performAction(.enableAutoRenew, on: Int64(clamping: identifier)) }
    }

    /// Disables auto-renew of the subscription to which a transaction belongs.
    open func disableAutoRenewForTransaction(identifier: UInt) throws {
        try act { try await $0.performAction(.disableAutoRenew, on: Int64(clamping: identifier)) }
    }

    /// Renews the subscription to a product now, before the end of the current period.
    open func forceRenewalOfSubscription(productIdentifier: String) throws {
        try act(.renew, on: productIdentifier)
    }

    /// Ends the subscription to a product now, before the end of the current period.
    open func expireSubscription(productIdentifier: String) throws {
        try act(.expire, on: productIdentifier)
    }

    /// Simulates a price increase of a transaction's subscription that requires the customer's consent.
    open func requestPriceIncreaseConsentForTransaction(identifier: UInt) throws {
        try act { try await $0.performAction(.increasePriceWithConsent, on: Int64(clamping: identifier)) }
    }

    /// Consents to the pending price increase of a transaction's subscription.
    open func consentToPriceIncreaseForTransaction(identifier: UInt) throws {
        try act { try await $0.performAction(.consentToPriceIncrease, on: Int64(clamping: identifier)) }
    }

    /// Declines the pending price increase of a transaction's subscription, which then does not renew.
    open func declinePriceIncreaseForTransaction(identifier: UInt) throws {
        try act { try await $0.performAction(.declinePriceIncrease, on: Int64(clamping: identifier)) }
    }

    private func act(_ action: SubscriptionRequest.Action, on productIdentifier: String) throws {
        let (product, account) = (ProductID(productIdentifier), environment.account)
        guard file.product(product) != nil else { throw SKTestError(.invalidProductIdentifier) }
        guard file.product(product)?.type == .autoRenewable else { throw SKTestError(.invalidProductType) }
        try act { try await $0.performAction(action, on: product, of: account) }
    }

    /// Runs a closure with the session's store, after which the device fetches the changes from the store.
    ///
    /// - Throws: ``SKTestError`` if the closure throws an error.
    package func act<Outcome: Sendable>(_ work: @escaping @Sendable (InProcessStore) async throws -> Outcome) throws -> Outcome {
        let store = environment.store
        defer { environment.device.wake() }
        do {
            return try environment.queue.wait { try await work(store) }
        } catch let error as SKTestError {
            throw error
        } catch {
            throw SKTestError(error)
        }
    }
}
