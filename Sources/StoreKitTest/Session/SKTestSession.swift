public import Foundation
package import LocalAppStore
import OpenStoreKit
import PurchaseModel
import PurchaseProtocol
public import StoreKit
import Synchronization

/// A store for one test: it sells by a `.storekit` file to a device of its own, and does what the test wants to see.
///
/// Each session has a store, in memory, and a device on which an account is signed in. That device is the current one of the test of
/// Swift Testing in which the session was made, so that tests can run side by side. What one session does no other sees. Elsewhere the
/// device is that of the process, and a session that is made while another lives has the same store.
///
/// Members that are not `async` can be called from any thread; they hold their caller for some milliseconds at most.
open class SKTestSession: NSObject, @unchecked Sendable {
    package let environment: TestEnvironment
    let failures = SimulatedErrors()
    private let file: Catalog
    private let settings: Mutex<SessionSettings>
    private let realTime = Mutex<Task<Void, Never>?>(nil)

    /// Creates a session for the `.storekit` file of that name, with or without its extension.
    ///
    /// It is looked for in the resources of all bundles of the process, in the resource folders beside the running program, in the
    /// working directory, and below that.
    ///
    /// - Throws: ``SKTestError/Code/fileNotFound``, or what ``init(contentsOf:)`` throws.
    public convenience init(configurationFileNamed filename: String) throws {
        guard let url = ConfigurationFile.named(filename) else { throw SKTestError(.fileNotFound) }
        try self.init(contentsOf: url)
    }

    /// Creates a session for a `.storekit` file.
    ///
    /// - Throws: ``SKTestError/Code/invalidURL`` for what is no file URL, ``SKTestError/Code/fileNotFound``, and
    ///   ``SKTestError/Code/invalidProductIdentifier`` for a file that can't be read, with the reason in the description.
    public init(contentsOf fileURL: URL) throws {
        guard fileURL.isFileURL else { throw SKTestError(.invalidURL) }
        guard let data = try? Data(contentsOf: fileURL) else { throw SKTestError(.fileNotFound) }
        do throws(CatalogError) {
            file = try Catalog(storekit: data)
        } catch {
            throw SKTestError(.invalidProductIdentifier, userInfo: [NSLocalizedDescriptionKey: error.description])
        }
        let key = TestKey.current
        if key == nil, let living = SessionRegistry.living {
            environment = living
            try living.sell(file)
        } else {
            environment = try TestEnvironment(file, on: key == nil ? TestDevice.shared.get() : TestDevice())
        }
        settings = Mutex(SessionSettings(catalog: file.settings))
        super.init()
        try apply(SessionSettings(catalog: file.settings), over: nil)
        failures.reset(to: file.settings.errors, on: environment.device)
        SessionRegistry.add(environment, for: key)
    }

    deinit {
        realTime.withLock { $0?.cancel() }
        SessionRegistry.remove(environment)
    }

    // MARK: - How the store behaves

    /// Whether purchases need a parent's approval; false unless the `.storekit` file enables it.
    open var askToBuyEnabled: Bool {
        get { setting(\.asksToBuy) }
        set { set(\.asksToBuy, to: newValue) }
    }

    /// Whether dialogs are disabled and every confirmation is assumed; no dialogs are shown in either case.
    open var disableDialogs: Bool {
        get { setting(\.disablesDialogs) }
        set { set(\.disablesDialogs, to: newValue) }
    }

    /// Whether every purchase fails, with ``failureError``.
    open var failTransactionsEnabled: Bool {
        get { setting(\.failsTransactions) }
        set { set(\.failsTransactions, to: newValue) }
    }

    /// The error of purchases while ``failTransactionsEnabled`` is true.
    open var failureError: SKError.Code {
        get { settings.withLock { $0.failureError } }
        set { change { $0.failureError = newValue } }
    }

    /// Whether every purchase is interrupted: it fails first, and succeeds when the issue is resolved.
    open var interruptedPurchasesEnabled: Bool {
        get { setting(\.interruptsPurchases) }
        set { set(\.interruptsPurchases, to: newValue) }
    }

    /// Whether the payment method declines renewals.
    open var shouldEnterBillingRetryOnRenewal: Bool {
        get { setting(\.failsRenewals) }
        set { set(\.failsRenewals, to: newValue) }
    }

    /// Whether access continues during a billing grace period when a renewal fails.
    open var billingGracePeriodIsEnabled: Bool {
        get { settings.withLock { $0.grantsGrace } }
        set { change { $0.catalog.grantsGrace = newValue } }
    }

    /// The storefront, as ISO 3166-1 alpha-3 code; a code without an App Store is ignored.
    open var storefront: String {
        get { setting(\.storefront) }
        set { set(\.storefront, to: newValue) }
    }

    /// The locale of product descriptions.
    open var locale: Locale {
        get { Locale(identifier: setting(\.locale) ?? "en_US") }
        set { change { $0.catalog.locale = newValue.identifier } }
    }

    /// The time rate of subscription renewals.
    open var timeRate: TimeRate {
        get { TimeRate(rawValue: setting(\.timeRate)) ?? .realTime }
        set { set(\.timeRate, to: newValue.rawValue) }
    }

    /// Resets the settings of the store to those of the `.storekit` file; transactions stay.
    open func resetToDefaultState() {
        change { $0 = SessionSettings(catalog: file.settings) }
        failures.reset(to: file.settings.errors, on: environment.device)
    }

    private func setting<Value>(_ path: any KeyPath<CatalogSettings, Value> & Sendable) -> Value {
        settings.withLock { $0.catalog[keyPath: path] }
    }

    private func set<Value>(_ path: any WritableKeyPath<CatalogSettings, Value> & Sendable, to value: Value) {
        change { $0.catalog[keyPath: path] = value }
    }

    /// Changes the settings of the store; a change that the store refuses has no effect.
    private func change(_ body: (inout SessionSettings) -> Void) {
        settings.withLock { settings in
            var wanted = settings
            body(&wanted)
            guard (try? apply(wanted, over: settings)) != nil else { return }
            settings = wanted
        }
        environment.device.wake()
    }

    private func apply(_ settings: SessionSettings, over old: SessionSettings?) throws {
        let (store, file) = (environment.store, file)
        try environment.queue.wait {
            if let old, settings.catalog != old.catalog { try await store.set(try file.setting(settings.catalog)) }
            if settings.catalog.timeRate != old?.catalog.timeRate || settings.grantsGrace != old?.grantsGrace {
                try await store.set(timeRate: settings.catalog.timeRate, grantsGrace: settings.grantsGrace)
            }
            if settings.purchaseFailure != old?.purchaseFailure { try await store.failPurchases(with: settings.purchaseFailure) }
        }
        let isFast = settings.catalog.timeRate != TimeRate.realTime.rawValue
        realTime.withLock { task in
            if isFast, task == nil { task = RealTime.pass(in: store, on: environment.queue) }
            if !isFast { task?.cancel() }
            if !isFast { task = nil }
        }
    }

    // MARK: - Transactions

    /// All transactions of the session, oldest first; then the payments that wait for a parent's approval or for a resolved issue.
    open func allTransactions() -> [SKTestTransaction] {
        let (store, account) = (environment.store, environment.account)
        let found = try? environment.queue.wait { try await store.transactions(of: account) }
        return (found ?? []).map { SKTestTransaction($0) }
    }

    /// Removes all purchases: a new account without purchases signs in, which is eligible for introductory offers.
    open func clearTransactions() {
        guard !allTransactions().isEmpty else { return }
        try? environment.changeAccount()
    }

    /// Removes a transaction with its renewals and restored copies; for a subscription, all remaining transactions.
    open func deleteTransaction(identifier: UInt) throws {
        let account = environment.account
        environment.device.forget(try act { try await $0.delete(Int64(clamping: identifier), of: account) })
    }

    /// Refunds a transaction.
    open func refundTransaction(identifier: UInt) throws {
        try act { try await $0.refund(Int64(clamping: identifier)) }
    }

    /// Approves a purchase that waits for a parent's approval.
    open func approveAskToBuyTransaction(identifier: UInt) throws {
        try act { try await $0.decide(Int64(clamping: identifier), approve: true) }
    }

    /// Declines a purchase that waits for a parent's approval.
    open func declineAskToBuyTransaction(identifier: UInt) throws {
        try act { try await $0.decide(Int64(clamping: identifier), approve: false) }
    }

    /// Resolves the issue of an interrupted purchase, or the billing issue of a subscription's renewal.
    open func resolveIssueForTransaction(identifier: UInt) throws {
        try act { try await $0.resolve(Int64(clamping: identifier)) }
    }

    /// Buys outside the app: the transaction comes to it by itself.
    ///
    /// A purchase that a parent must approve, or that is interrupted, leaves a transaction in ``allTransactions()`` that is deferred or
    /// has failed.
    open func buyProduct(productIdentifier: String) throws {
        let payment = PaymentID(UUID())
        let request = BuyRequest(account: environment.account, productID: ProductID(productIdentifier), payment: payment)
        try act { store in
            let reply = try await store.buy(request, at: nil, renews: true)
            guard let error = SKTestError(reply), try await !store.isWaiting(payment) else { return }
            throw error
        }
    }

    // MARK: - Subscriptions

    /// Enables auto-renew of a subscription.
    open func enableAutoRenewForTransaction(identifier: UInt) throws {
        try act { try await $0.act(.enableAutoRenew, on: Int64(clamping: identifier)) }
    }

    /// Disables auto-renew of a subscription.
    open func disableAutoRenewForTransaction(identifier: UInt) throws {
        try act { try await $0.act(.disableAutoRenew, on: Int64(clamping: identifier)) }
    }

    /// Ends the current period now and starts the next one.
    open func forceRenewalOfSubscription(productIdentifier: String) throws {
        try act(.renew, on: productIdentifier)
    }

    /// Ends the subscription now.
    open func expireSubscription(productIdentifier: String) throws {
        try act(.expire, on: productIdentifier)
    }

    /// Requests consent to a price increase.
    open func requestPriceIncreaseConsentForTransaction(identifier: UInt) throws {
        try act { try await $0.act(.raisePrice, on: Int64(clamping: identifier)) }
    }

    /// Consents to the price increase.
    open func consentToPriceIncreaseForTransaction(identifier: UInt) throws {
        try act { try await $0.act(.agree, on: Int64(clamping: identifier)) }
    }

    /// Declines the price increase, so that the subscription does not renew.
    open func declinePriceIncreaseForTransaction(identifier: UInt) throws {
        try act { try await $0.act(.disagree, on: Int64(clamping: identifier)) }
    }

    private func act(_ action: SubscriptionRequest.Action, on productIdentifier: String) throws {
        let (product, account) = (ProductID(productIdentifier), environment.account)
        guard file.product(product) != nil else { throw SKTestError(.invalidProductIdentifier) }
        guard file.product(product)?.type == .autoRenewable else { throw SKTestError(.invalidProductType) }
        try act { try await $0.act(action, on: product, of: account) }
    }

    /// Runs work in the store, and has the device fetch the resulting changes.
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
