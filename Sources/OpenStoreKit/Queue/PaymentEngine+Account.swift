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
        /// Another account has signed in, so that the call or its response does not apply.
        case anotherAccount
    }

    /// Calls the store on behalf of the user, and asks for a sign-in if no account is signed in.
    ///
    /// If the store refuses the session, the user is asked to sign in once more.
    ///
    /// - Parameter payment: The payment of the call, or nil. With a payment, the call is made only as the payment's account, and its
    ///   response is valid even if another account has signed in meanwhile. Without a payment, the response is valid only for the account
    ///   that made the call.
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

    /// Calls the store on behalf of the user, and returns the response.
    ///
    /// - Throws: ``PaymentFailure`` if the store refuses the call or can't be reached, or if the user cancels the sign-in.
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

    /// Returns the store's response.
    ///
    /// - Throws: ``PaymentFailure`` if the user has canceled the sign-in or another account has signed in.
    func requireResponse<Response>(_ answer: Answer<Response>) throws(PaymentFailure) -> Response {
        switch answer {
        case .response(let response): return response
        case .cancelled: throw PaymentFailure(.paymentCancelled)
        case .anotherAccount: throw PaymentFailure(.unknown, "Another account has signed in meanwhile. Try again.")
        }
    }

    /// Fetches and stores the latest receipt, and asks for a sign-in if no account is signed in.
    func refreshReceipt(_ request: ReceiptRequest) async throws(PaymentFailure) {
        var request = request
        request.appVersion = session.appVersion
        let reply = try await require(DeviceEndpoints.receipt, request)
        try await session.save(reply.receipt, of: session.account)
    }

    /// Signs an account in, and starts to fetch the account's transactions from the store.
    func signIn(_ credentials: Credentials) async throws(WireClientError) {
        try await session.signIn(credentials)
        ownerChanged()
    }

    /// Signs out: the account's transactions leave the queue until the account signs in again.
    func signOut() async throws(DeviceError) {
        try await session.signOut()
        ownerChanged()
    }

    /// Assigns the payment queue to the account that has signed in, or to no account after signing out.
    ///
    /// If the journal can't be written, payments without an account are assigned at the next launch.
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

    /// Asks the user to sign in if no account is signed in; returns false if the user cancels.
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
