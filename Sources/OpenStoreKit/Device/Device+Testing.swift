import Foundation
package import PurchaseModel
package import PurchaseProtocol
package import Synchronization

/// Support for test sessions.
extension Device {
    /// Finds the current device where no task-local device is set; nil while no test session was created.
    package static let finder = Mutex<(@Sendable () -> Device?)?>(nil)

    /// Lends the device of a test session to a test without a session; nil while no test session was created.
    package static let lender = Mutex<(@Sendable () -> Device?)?>(nil)

    /// Accepts a sign-in that was made elsewhere, and returns at once: commands submitted afterwards belong to the account.
    package func adopt(_ reply: SignInReply, of account: AccountID) {
        if state.owner != account {
            try? FileManager.default.removeItem(at: receiptURL)
            service.forgetTransactions()
        }
        // A session that can't be written lasts for this app session.
        try? state.begin(DeviceIdentity.Session(account: account, token: reply.token, storefront: reply.storefront))
        engine.submit(.ownerChanged)
        // The observers were added before the device was created.
        if service.queue?.isObserved == true { engine.submit(.launch) }
    }

    /// Removes transactions that the store no longer has, and returns at once.
    package func forget(_ transactions: [TransactionID]) {
        engine.submit(.forget(transactions))
    }
}
