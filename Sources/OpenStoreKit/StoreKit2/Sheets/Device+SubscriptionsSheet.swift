import Foundation
import PurchaseModel
import WireClient

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
        switch await engine.interface.manage(sheet) {
        case nil: break
        case .cancel(let transaction): try await manage(ManageRequest(transaction: transaction, .disableAutoRenew))
        case .renew(let transaction): try await manage(ManageRequest(transaction: transaction, .enableAutoRenew))
        case .change(let transaction, let product):
            try await manage(ManageRequest(transaction: transaction, changeTo: product, payment: PaymentID(UUID())))
        }
    }

    /// Changes a subscription, as its customer does; what came of it comes like other news.
    func manage(_ request: ManageRequest) async throws(StoreKitError) {
        await engine.ready()
        do throws(PaymentFailure) {
            _ = try await engine.require(DeviceEndpoints.manage, request)
        } catch { throw StoreKitError(error) }
        engine.submit(.retry)
    }
}
