import OpenStoreKit
import PurchaseModel
import PurchaseProtocol

extension Transaction {
    /// Every transaction of the customer in this app, oldest first; then it ends.
    ///
    /// Consumables only while they are not finished, or when they were taken back, unless
    /// `DeviceConfiguration.includesFinishedConsumables` says otherwise.
    public static var all: Transactions { showing { $0.all.map(\.result) } }

    /// Every transaction of a product, as ``all`` has them.
    public static func all(for productID: String) -> Transactions {
        showing(productID) { $0.all(for: productID).map(\.result) }
    }

    /// The transactions by which the customer may use something now; then it ends.
    ///
    /// Of each product the newest: non-consumables, non-renewing subscriptions, and subscriptions that are paid or in grace period.
    public static var currentEntitlements: Transactions {
        let device = Device.active
        return Transactions(Supply { [weak device] in await entitlements(on: device) })
    }

    /// The transactions by which the customer may use a product now; then it ends.
    public static func currentEntitlements(for productID: String) -> Transactions {
        let device = Device.active
        return Transactions(Supply { [weak device] in await entitlements(for: productID, on: device) })
    }

    /// The transaction by which the customer may use a product now; nil when the customer may not.
    public static func currentEntitlement(for productID: String) async -> VerificationResult<Transaction>? {
        await entitlements(for: productID, on: Device.active).last
    }

    /// The newest transaction of a product, in whatever state; nil when it was never bought.
    public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
        await latest(for: productID, on: Device.active)
    }

    /// The transactions that were not finished; then it ends.
    public static var unfinished: Transactions {
        let device = Device.active
        return Transactions(
            Supply { [weak device] in
                guard let device else { return [] }
                var results: [VerificationResult<Transaction>] = []
                for signed in await device.unfinished() {
                    if let result: VerificationResult<Transaction> = await device.result(signed) { results.append(result) }
                }
                return results
            }
        )
    }

    /// Transactions that come while no purchase call waits for them: renewals, approvals, refunds, purchases elsewhere.
    ///
    /// For the first who asks after a launch, everything unfinished comes first. It ends with the device, or with the task.
    public static var updates: Transactions {
        Transactions(Supply(Device.own, { $0.updates() }, { await $1.result($0) }))
    }

    /// How the subscription stands that this is a transaction of; nil for other products, and when that can't be found out.
    public var subscriptionStatus: Product.SubscriptionInfo.Status? {
        get async {
            guard productType == .autoRenewable, let device = origin.serving else { return nil }
            guard device.simulatedFailures.error(for: .subscriptionStatus) == nil else { return nil }
            return await device.status(of: self)
        }
    }

    private static func showing(
        _ productID: String? = nil, _ choose: @escaping @Sendable (TransactionHistory) -> [VerificationResult<Transaction>]
    ) -> Transactions {
        let device = Device.active
        return Transactions(Supply { [weak device] in choose(await shown(productID, on: device)) })
    }
}

// Thousands of signatures may be checked here, so all of it leaves the caller's actor, which may be the one that draws.
extension Transaction {
    /// What was asked for of the account's history on a device, in StoreKit's form; empty without a device.
    ///
    /// Cost: a query of the journal, and a verification for each transaction that the selection lets through.
    @concurrent
    static func history(_ selection: HistorySelection, on device: Device?) async -> TransactionHistory {
        var entries: [HistoryEntry] = []
        for purchase in await device?.purchases(selection) ?? [] {
            guard let result: VerificationResult<Transaction> = await device?.result(purchase.transaction) else { continue }
            entries.append(HistoryEntry(result: result, isFinished: purchase.isFinished))
        }
        return TransactionHistory(
            // What can't be verified takes its place among the others.
            entries: entries.sorted { TransactionHistory.isOlder($0, $1) },
            includesFinishedConsumables: device?.configuration.includesFinishedConsumables ?? false)
    }

    static func latest(for productID: String, on device: Device?) async -> VerificationResult<Transaction>? {
        await shown(productID, on: device).latest(for: productID)?.result
    }

    static func entitlements(on device: Device?) async -> [VerificationResult<Transaction>] {
        await entitlements(nil, on: device)
    }

    static func entitlements(for productID: String, on device: Device?) async -> [VerificationResult<Transaction>] {
        await entitlements(ProductID(productID), on: device).filter { $0.unsafePayloadValue.productID == productID }
    }

    private static func entitlements(_ product: ProductID?, on device: Device?) async -> [VerificationResult<Transaction>] {
        guard let device else { return [] }
        let statuses = await device.statusesByGroup().flatMap(\.statuses)
        return await history(.owned(product), on: device).currentEntitlements(statuses)
    }

    private static func shown(_ productID: String?, on device: Device?) async -> TransactionHistory {
        let includesFinished = device?.configuration.includesFinishedConsumables ?? false
        return await history(.shown(productID.map { ProductID($0) }, includesFinishedConsumables: includesFinished), on: device)
    }
}
