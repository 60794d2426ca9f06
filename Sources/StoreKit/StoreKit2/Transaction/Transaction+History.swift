import OpenStoreKit
import PurchaseModel
import StoreProtocol

extension Transaction {
    /// A sequence of the customer's transactions in the app, oldest first, which ends after the latest transaction.
    ///
    /// The sequence omits finished consumables that were not revoked, unless `DeviceConfiguration.includesFinishedConsumables` is true.
    public static var all: Transactions { showing { $0.all.map(\.result) } }

    /// Returns a sequence of the customer's transactions of a product, oldest first.
    ///
    /// The sequence omits the same transactions as ``all``.
    public static func all(for productID: String) -> Transactions {
        showing(productID) { $0.all(for: productID).map(\.result) }
    }

    /// A sequence of the transactions that currently entitle the customer to products, which ends after the latest transaction.
    ///
    /// The sequence contains the latest transaction of each non-consumable, the latest transaction of each auto-renewable subscription that
    /// is subscribed or in the billing grace period, and every transaction of a non-renewing subscription. It omits revoked transactions.
    public static var currentEntitlements: Transactions {
        let device = Device.active
        return Transactions(ElementSource { [weak device] in await entitlements(on: device) })
    }

    /// Returns a sequence of the transactions that currently entitle the customer to a product, oldest first.
    public static func currentEntitlements(for productID: String) -> Transactions {
        let device = Device.active
        return Transactions(ElementSource { [weak device] in await entitlements(for: productID, on: device) })
    }

    /// Returns the latest transaction that currently entitles the customer to a product, or nil if no transaction does.
    public static func currentEntitlement(for productID: String) async -> VerificationResult<Transaction>? {
        await entitlements(for: productID, on: Device.active).last
    }

    /// Returns the customer's latest transaction of a product, or nil if the customer has none.
    ///
    /// The transaction may be revoked or expired. The method ignores the same transactions as ``all``.
    public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
        await latest(for: productID, on: Device.active)
    }

    /// A sequence of the transactions that the app has not finished, which ends after the latest transaction.
    public static var unfinished: Transactions {
        let device = Device.active
        return Transactions(
            ElementSource { [weak device] in
                guard let device else { return [] }
                var results: [VerificationResult<Transaction>] = []
                for signed in await device.unfinished() {
                    if let result: VerificationResult<Transaction> = await device.result(signed) { results.append(result) }
                }
                return results
            }
        )
    }

    /// A sequence of transactions that the app does not receive as the result of its purchase calls.
    ///
    /// Examples are renewals, purchases that a parent approved, refunds, and purchases on other devices.
    ///
    /// The first iteration after a launch begins with all unfinished transactions. The sequence ends when the task is canceled, or when the
    /// `Device` is deallocated.
    public static var updates: Transactions {
        Transactions(ElementSource(Device.unshared, { $0.updates() }, { await $1.result($0) }))
    }

    /// The status of the subscription to which the transaction belongs.
    ///
    /// The value is nil for products that are not auto-renewable subscriptions, and when the status is not available.
    public var subscriptionStatus: Product.SubscriptionInfo.Status? {
        get async {
            guard productType == .autoRenewable, let device = origin.activeDevice else { return nil }
            guard device.simulatedFailures.error(for: .subscriptionStatus) == nil else { return nil }
            return await device.status(of: self)
        }
    }

    private static func showing(
        _ productID: String? = nil, _ choose: @escaping @Sendable (TransactionHistory) -> [VerificationResult<Transaction>]
    ) -> Transactions {
        let device = Device.active
        return Transactions(ElementSource { [weak device] in choose(await shown(productID, on: device)) })
    }
}

// The functions below run outside of the caller's actor, which may be the main actor, because verifying many signatures takes long.
extension Transaction {
    /// Returns the selected part of the account's transaction history on a device; the history is empty if `device` is nil.
    ///
    /// Cost: one query of the journal on the device, and the verification of each selected transaction.
    @concurrent
    static func history(_ selection: HistorySelection, on device: Device?) async -> TransactionHistory {
        var entries: [HistoryEntry] = []
        for purchase in await device?.purchases(selection) ?? [] {
            guard let result: VerificationResult<Transaction> = await device?.result(purchase.signedTransaction) else { continue }
            entries.append(HistoryEntry(result: result, isFinished: purchase.isFinished))
        }
        return TransactionHistory(
            // The device returns unverified transactions after the verified transactions, so all are sorted here.
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
