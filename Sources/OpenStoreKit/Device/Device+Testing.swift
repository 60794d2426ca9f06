import Foundation
package import PurchaseModel
package import PurchaseProtocol
package import Synchronization

/// What test sessions need of a device.
extension Device {
    /// Finds the device of whoever asks, where no task has one of its own; nil while no test session was made.
    package static let finder = Mutex<(@Sendable () -> Device?)?>(nil)

    /// Finds the device of a test session for whoever asks in a test that made none; nil while no test session was made.
    package static let lender = Mutex<(@Sendable () -> Device?)?>(nil)

    /// Takes over a sign-in that was made elsewhere, and returns at once: what is submitted afterwards is the account's.
    package func adopt(_ reply: SignInReply, of account: AccountID) {
        if state.owner != account {
            try? FileManager.default.removeItem(at: receiptURL)
            service.forgetTransactions()
        }
        // One that can't be written lasts for this launch.
        try? state.begin(DeviceIdentity.Session(account: account, token: reply.token, storefront: reply.storefront))
        engine.submit(.ownerChanged)
        // They were there before the device was.
        if service.queue?.isObserved == true { engine.submit(.launch) }
    }

    /// Forgets transactions that the store does not have any more, and returns at once.
    package func forget(_ transactions: [TransactionID]) {
        engine.submit(.forget(transactions))
    }
}
