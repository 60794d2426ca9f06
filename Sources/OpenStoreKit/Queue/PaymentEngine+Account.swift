import PurchaseModel
import WireClient

extension PaymentEngine {
    /// Calls the store as the user, asking for a sign-in when nobody is signed in; nil when the user cancels.
    ///
    /// A session that the store has forgotten costs one more sign-in, and no more than one.
    func ask<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request
    ) async throws(WireClientError) -> Response? {
        let wasSignedIn = session.isSignedIn
        guard try await signedIn() else { return nil }
        do {
            return try await session.askSignedIn(endpoint, body)
        } catch .refused(401, _) where wasSignedIn {
            guard try await signedIn() else { return nil }
            return try await session.askSignedIn(endpoint, body)
        }
    }

    /// Fetches the latest receipt on the user's wish.
    func refreshReceipt(expired: Bool) async throws(PaymentFailure) {
        let reply: ReceiptReply?
        do {
            reply = try await ask(DeviceEndpoints.receipt, ReceiptRequest(expired: expired))
        } catch {
            throw PaymentFailure(error)
        }
        guard let reply else { throw PaymentFailure(.paymentCancelled) }
        try await session.keep(reply.receipt)
    }

    /// Whether somebody is signed in, asking the user when nobody is; false when the user cancels.
    ///
    /// Whoever asks while the user is being asked waits for the same answer.
    private func signedIn() async throws(WireClientError) -> Bool {
        guard !session.isSignedIn else { return true }
        let asking = signingIn ?? Task { await askToSignIn() }
        signingIn = asking
        return try await asking.value.get()
    }

    private func askToSignIn() async -> Result<Bool, WireClientError> {
        defer { signingIn = nil }
        if typed == nil { typed = await interface.signIn() }
        guard let credentials = typed else { return .success(false) }
        do {
            try await session.signIn(credentials)
        } catch {
            if !error.isPassing { typed = nil }
            return .failure(error)
        }
        typed = nil
        // Whatever the store holds for this account is taken over now.
        wantsSync = true
        startPass()
        return .success(true)
    }
}
