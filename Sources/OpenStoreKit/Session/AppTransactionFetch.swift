import PurchaseModel
import PurchaseProof
import StoreProtocol
import Wire

/// The account's app transaction, which the device stores.
final class AppTransactionFetch {
    private let queue: PaymentQueue
    private let session: StoreSession
    private let accounts: AccountCalls

    init(queue: PaymentQueue, session: StoreSession, accounts: AccountCalls) {
        self.queue = queue
        self.session = session
        self.accounts = accounts
    }

    /// Returns the account's app transaction.
    ///
    /// The app transaction is fetched if the user requests it, or if the stored one is missing or is for another version of the app.
    ///
    /// - Parameter refreshing: Whether the user requests the latest app transaction, and is asked to sign in if no account is signed in.
    func appTransaction(refreshing: Bool) async throws(PaymentFailure) -> SignedAppTransaction {
        let request = AppTransactionRequest(appVersion: session.appVersion)
        if refreshing {
            let reply = try await accounts.require(DeviceEndpoints.appTransaction, request)
            return await save(reply, of: queue.machine.owner)
        }
        let known = session.state.appTransaction
        if let known, version(of: known) == session.appVersion { return known }
        let account = session.account
        do throws(WireClientError) {
            let reply = try await session.ask(DeviceEndpoints.appTransaction, request, as: account)
            if let reply, queue.machine.owner == account { return await save(reply, of: account) }
        } catch .refused(401, _) {
            // The store session has expired.
        } catch {
            guard known != nil else { throw PaymentFailure(error) }
        }
        if let known = session.state.appTransaction { return known }
        throw PaymentFailure(.unknown, "No account is signed in. Sign in and try again.")
    }

    private func save(_ reply: AppTransactionReply, of account: AccountID?) async -> SignedAppTransaction {
        // An app transaction that can't be verified is returned and not stored. An app transaction that can't be stored is fetched again at
        // the next call.
        let signed = reply.signedAppTransaction
        let isVerified = (try? await session.dataVerifier.verify(signed)) != nil
        // Another account may have signed in during the verification.
        if isVerified, account == queue.machine.owner { try? session.state.save(signed) }
        return signed
    }

    /// Returns the app version in an app transaction, without verifying the signature; the reader of the app transaction verifies it.
    private func version(of appTransaction: SignedAppTransaction) -> String? {
        appTransaction.unverifiedPayload?.applicationVersion
    }
}
