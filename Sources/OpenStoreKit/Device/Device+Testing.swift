import Foundation
package import PurchaseModel
package import PurchaseProtocol
package import Synchronization

/// Support for test sessions.
extension Device {
    /// Returns the current device where no task-local device is set; nil until the first test session is created.
    package static let testDeviceProvider = Mutex<(@Sendable () -> Device?)?>(nil)

    /// Returns the test session's device for a test without a session; nil until the first test session is created.
    package static let sharedTestDeviceProvider = Mutex<(@Sendable () -> Device?)?>(nil)

    /// Accepts a sign-in that was made elsewhere, and returns at once: commands submitted afterwards belong to the account.
    package func adopt(_ reply: SignInReply, of account: AccountID) {
        if state.owner != account {
            try? FileManager.default.removeItem(at: receiptURL)
            service.forgetTransactions()
        }
        // A session that can't be written lasts for this app session.
        try? state.begin(DeviceIdentity.Session(account: account, token: reply.token, storefront: reply.storefront))
        engine.submit(.ownerChanged)
        // An app may have added observers before the device was created.
        if service.queue?.isObserved == true { engine.submit(.launch) }
    }

    /// Removes transactions that the store no longer has, and returns at once.
    package func forget(_ transactions: [TransactionID]) {
        engine.submit(.forget(transactions))
    }
}
