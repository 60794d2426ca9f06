import PurchaseModel

extension Device {
    /// Shows the user's subscriptions, all or those of a group, and has the store change what the user wants changed.
    func manageSubscriptions(of group: String?) async throws(StoreKitError) {
        let statuses = await statusesByGroup().filter { group == nil || $0.groupID == group }.flatMap(\.statuses)
        let sheet = SubscriptionsSheet(
            subscriptions: statuses.map { status in
                let transaction = status.transaction.unsafePayloadValue
                return SubscriptionsSheet.Subscription(
                    transaction: TransactionID("\(transaction.id)"),
                    productID: ProductID(transaction.productID),
                    renews: status.renewalInfo.unsafePayloadValue.willAutoRenew
                )
            }
        )
        guard let change = await engine.interface.manage(sheet) else { return }
        do throws(PaymentFailure) { try await engine.carryOut(change) } catch { throw StoreKitError(error) }
    }
}
