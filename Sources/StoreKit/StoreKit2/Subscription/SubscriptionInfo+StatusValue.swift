import OpenStoreKit
import PurchaseModel
import StoreProtocol

extension Product.SubscriptionInfo {
    /// The status of one subscription, with its latest signed transaction and signed renewal information.
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

        /// Creates a status from the store's response; returns nil if StoreKit can't represent the signed data in the response.
        init?(_ status: HistoryReply.Status, on device: Device) async {
            guard let transaction: VerificationResult<Transaction> = await device.result(status.signedTransaction),
                let renewalInfo: VerificationResult<RenewalInfo> = await device.result(status.signedRenewalInfo)
            else { return nil }
            let state = RenewalState(transaction.unsafePayloadValue, renewalInfo.unsafePayloadValue)
            self.init(state: state, transaction: transaction, renewalInfo: renewalInfo)
        }

        /// A sequence that delivers the new status whenever the status of a subscription changes.
        public static var updates: Statuses {
            Statuses(ElementSource(Device.unshared, { $0.statusUpdates() }, { await Status($0, on: $1) }))
        }

        /// A sequence of the statuses of all the customer's subscriptions in the app, with one element for each subscription group.
        public static var all: AsyncStream<(groupID: String, statuses: [Status])> {
            let device = Device.active
            // The buffer is not limited, because it holds one element for each subscription group of the account.
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
