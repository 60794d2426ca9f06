import OpenStoreKit
import PurchaseModel
import PurchaseProtocol

extension Product.SubscriptionInfo {
    /// How one subscription stands, and what proves it.
    public struct Status: Hashable, Sendable {
        /// The state of the subscription.
        public let state: RenewalState
        /// Its newest period.
        public let transaction: VerificationResult<Transaction>
        /// What the store intends with it.
        public let renewalInfo: VerificationResult<RenewalInfo>

        init(state: RenewalState, transaction: VerificationResult<Transaction>, renewalInfo: VerificationResult<RenewalInfo>) {
            self.state = state
            self.transaction = transaction
            self.renewalInfo = renewalInfo
        }

        /// The status as the store tells it; nil for what has no form in StoreKit.
        init?(_ status: PurchasesReply.Status, on device: Device) async {
            guard let transaction: VerificationResult<Transaction> = await device.result(status.transaction),
                let renewalInfo: VerificationResult<RenewalInfo> = await device.result(status.renewalInfo)
            else { return nil }
            let state = RenewalState(transaction.unsafePayloadValue, renewalInfo.unsafePayloadValue)
            self.init(state: state, transaction: transaction, renewalInfo: renewalInfo)
        }

        /// The states of subscriptions that change from now on.
        public static var updates: Statuses {
            Statuses(Supply(Device.own, { $0.statusUpdates() }, { await Status($0, on: $1) }))
        }

        /// The states of all the customer's subscriptions in the app, group by group; then it ends.
        public static var all: AsyncStream<(groupID: String, statuses: [Status])> {
            let device = Device.active
            return AsyncStream { continuation in
                let task = Task {
                    for group in await device?.statusesByGroup() ?? [] {
                        continuation.yield(group)
                    }
                    continuation.finish()
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        }
    }
}
