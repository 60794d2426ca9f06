import PurchaseModel
import PurchaseProtocol
import WireClient

extension PaymentEngine {
    /// The outcome of a call to the store on behalf of the user.
    enum Answer<Response: Sendable>: Sendable {
        /// The store has responded.
        case response(Response)
        /// The user has canceled the sign-in.
        case cancelled
        /// Another account has signed in, to which the call does not apply.
        case anotherAccount
    }

    /// Calls the store on behalf of the user, and asks for a sign-in when no account is signed in.
    ///
    /// A session that the store no longer knows costs exactly one more sign-in.
    ///
    /// - Parameter payment: The payment of the call. The call is made only as the payment's account, and the response is valid whichever
    ///   account has signed in meanwhile. Without a payment, the response is valid only for the account that made the call.
    func ask<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        about payment: PaymentID? = nil
    ) async throws(WireClientError) -> Answer<Response> {
        var mayRepeat = session.isSignedIn
        while true {
            guard try await ensureSignedIn() else { return .cancelled }
            let account = session.account
            if let payment, machine.records[payment]?.account != account { return .anotherAccount }
            do {
                guard let response = try await session.ask(endpoint, body, as: account), payment != nil || machine.owner == account else {
                    return .anotherAccount
                }
                return .response(response)
            } catch .refused(401, _) where mayRepeat {
                mayRepeat = false
            }
        }
    }

    /// Calls the store on behalf of the user, and throws a failure when there is no response.
    func require<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request
    ) async throws(PaymentFailure) -> Response {
        let answer: Answer<Response>
        do throws(WireClientError) {
            answer = try await ask(endpoint, body)
        } catch {
            throw PaymentFailure(error)
        }
        return try requireResponse(answer)
    }

    /// Returns the store's response, or throws a failure when there is none.
    func requireResponse<Response>(_ answer: Answer<Response>) throws(PaymentFailure) -> Response {
        switch answer {
        case .response(let response): return response
        case .cancelled: throw PaymentFailure(.paymentCancelled)
        case .anotherAccount: throw PaymentFailure(.unknown, "Another account has signed in meanwhile.")
        }
    }

    /// Fetches the latest receipt at the user's request.
    func refreshReceipt(_ request: ReceiptRequest) async throws(PaymentFailure) {
        var request = request
        request.appVersion = session.appVersion
        let reply = try await require(DeviceEndpoints.receipt, request)
        try await session.save(reply.receipt, of: session.account)
    }

    /// Signs an account in and fetches the transactions that the store holds for the account.
    func signIn(_ credentials: Credentials) async throws(WireClientError) {
        try await session.signIn(credentials)
        ownerChanged()
    }

    /// Signs out: the account's transactions leave the queue until the account signs in again.
    func signOut() async throws(DeviceError) {
        try await session.signOut()
        ownerChanged()
    }

    /// Assigns the queue to the account that has signed in.
    ///
    /// When the journal can't be written, payments without an account are assigned at the next launch.
    func ownerChanged() {
        let before = machine.owner
        try? apply(.ownerChanged(state.owner))
        if machine.owner != before {
            dropPendingDeliveries()
            deviceEvents.dropUndelivered()
            unverifiedPurchases = [:]
            withheld = []
        }
        releaseForeignCalls()
        restoreRequest = nil
        watching?.cancel()
        watching = nil
        needsSync = true
        startPass()
        startWatching()
    }

    /// Whether an account is signed in, after asking the user when none is; false when the user cancels.
    ///
    /// Concurrent callers wait for the same sign-in.
    func ensureSignedIn() async throws(WireClientError) -> Bool {
        guard !session.isSignedIn else { return true }
        let asking = signingIn ?? Task { await askToSignIn() }
        signingIn = asking
        return try await asking.value.get()
    }

    private func askToSignIn() async -> Result<Bool, WireClientError> {
        defer { signingIn = nil }
        if enteredCredentials == nil { enteredCredentials = await interface.signIn() }
        guard let credentials = enteredCredentials else { return .success(false) }
        do {
            try await signIn(credentials)
        } catch {
            if !error.isRetryable { enteredCredentials = nil }
            return .failure(error)
        }
        enteredCredentials = nil
        await interface.didSignIn(as: credentials.account)
        return .success(true)
    }
}
