import Foundation
package import PurchaseModel
package import StoreProtocol
package import Synchronization

/// Support for the test sessions of StoreKitTest.
extension Device {
    /// A closure that returns the device of the current test's session, for code without a task-local device; nil until a test session
    /// exists.
    package static let testDeviceProvider = Mutex<(@Sendable () -> Device?)?>(nil)

    /// A closure that returns the device of another test's session, for a test without a session; nil until a test session exists.
    package static let sharedTestDeviceProvider = Mutex<(@Sendable () -> Device?)?>(nil)

    /// Signs an account in with the reply to a sign-in request that a test session has sent.
    ///
    /// The call writes the session on the calling thread, because the initializers of Apple's test sessions are synchronous. Commands
    /// submitted afterwards belong to the account.
    package func adopt(_ reply: SignInReply, of account: AccountID) {
        if state.owner != account {
            try? FileManager.default.removeItem(at: receiptURL)
            service.forgetTransactions()
        }
        // If the session can't be written to disk, it lasts until the process ends.
        try? state.begin(DeviceIdentity.Session(account: account, token: reply.token, storefront: reply.storefront))
        engine.inbox.submit(.ownerChanged)
        // The app may have added observers before this device was created; the launch notifies them.
        if service.queue?.isObserved == true { engine.inbox.submit(.launch) }
    }

    /// Removes transactions that a test session has deleted from the store; returns at once.
    package func forget(_ transactions: [TransactionID]) {
        engine.inbox.submit(.forget(transactions))
    }
}
