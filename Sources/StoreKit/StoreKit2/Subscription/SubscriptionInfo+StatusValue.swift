import OpenStoreKit
import PurchaseModel
import PurchaseProtocol

extension Product.SubscriptionInfo {
    /// The status of one subscription, with its signed data.
    public struct Status: Hashable, Sendable {
        /// The state of the subscription.
        public let state: RenewalState
        /// The latest transaction of the subscription.
        public let transaction: VerificationResult<Transaction>
        /// The renewal information of the subscription.
        public let renewalInfo: VerificationResult<RenewalInfo>

        init(state: RenewalState, transaction: VerificationResult<Transaction>, renewalInfo: VerificationResult<RenewalInfo>) {
            self.state = state
            self.transaction = transaction
            self.renewalInfo = renewalInfo
        }

        /// Creates a status from the store's response; nil when StoreKit can't represent the response.
        init?(_ status: HistoryReply.Status, on device: Device) async {
            guard let transaction: VerificationResult<Transaction> = await device.result(status.signedTransaction),
                let renewalInfo: VerificationResult<RenewalInfo> = await device.result(status.signedRenewalInfo)
            else { return nil }
            let state = RenewalState(transaction.unsafePayloadValue, renewalInfo.unsafePayloadValue)
            self.init(state: state, transaction: transaction, renewalInfo: renewalInfo)
        }

        /// The statuses of subscriptions that change from now on.
        public static var updates: Statuses {
            Statuses(ElementSource(Device.unshared, { $0.statusUpdates() }, { await Status($0, on: $1) }))
        }

        /// The statuses of all the customer's subscriptions in the app, group by group; the sequence then ends.
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
