import OpenStoreKit
import PurchaseModel
import PurchaseProtocol

extension Transaction {
    /// The transactions of the customer in this app, oldest first; the sequence then ends.
    ///
    /// Finished consumables are left out unless they were revoked, or `DeviceConfiguration.includesFinishedConsumables` is true.
    public static var all: Transactions { showing { $0.all.map(\.result) } }

    /// The transactions of a product, selected as in ``all``.
    public static func all(for productID: String) -> Transactions {
        showing(productID) { $0.all(for: productID).map(\.result) }
    }

    /// The transactions that currently entitle the customer to products; the sequence then ends.
    ///
    /// These are the latest transaction of each non-consumable and of each subscription that is subscribed or in the billing
    /// grace period, and every transaction of a non-renewing subscription. Revoked transactions are left out.
    public static var currentEntitlements: Transactions {
        let device = Device.active
        return Transactions(ElementSource { [weak device] in await entitlements(on: device) })
    }

    /// The transactions that currently entitle the customer to a product; the sequence then ends.
    public static func currentEntitlements(for productID: String) -> Transactions {
        let device = Device.active
        return Transactions(ElementSource { [weak device] in await entitlements(for: productID, on: device) })
    }

    /// The latest transaction that currently entitles the customer to a product; nil when there is none.
    public static func currentEntitlement(for productID: String) async -> VerificationResult<Transaction>? {
        await entitlements(for: productID, on: Device.active).last
    }

    /// The latest transaction of a product, in any state; nil when there is none.
    public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
        await latest(for: productID, on: Device.active)
    }

    /// The unfinished transactions; the sequence then ends.
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

    /// Transactions without a waiting purchase call: renewals, approved purchases, refunds, purchases on other devices.
    ///
    /// The first iteration after a launch begins with all unfinished transactions. The sequence ends with the device, or when
    /// the task is canceled.
    public static var updates: Transactions {
        Transactions(ElementSource(Device.unshared, { $0.updates() }, { await $1.result($0) }))
    }

    /// The status of the transaction's subscription; nil for other products, or when the status is not available.
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

// Verifying thousands of signatures takes long. These functions therefore leave the caller's actor, which may be the main actor.
extension Transaction {
    /// The selected part of the account's history on a device; empty without a device.
    ///
    /// Cost: a query of the journal, and a verification for each transaction that the selection lets through.
    @concurrent
    static func history(_ selection: HistorySelection, on device: Device?) async -> TransactionHistory {
        var entries: [HistoryEntry] = []
        for purchase in await device?.purchases(selection) ?? [] {
            guard let result: VerificationResult<Transaction> = await device?.result(purchase.signedTransaction) else { continue }
            entries.append(HistoryEntry(result: result, isFinished: purchase.isFinished))
        }
        return TransactionHistory(
            // Unverified transactions are sorted among the verified ones.
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
