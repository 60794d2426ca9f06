import PurchaseModel
import PurchaseProtocol
import WireClient

extension PaymentEngine {
    /// What came of asking the store in the user's name.
    enum Answer<Response: Sendable>: Sendable {
        /// The store has answered.
        case response(Response)
        /// The user has cancelled the sign-in.
        case cancelled
        /// Another account has signed in, whose matter this is not.
        case anotherAccount
    }

    /// Calls the store as the user, asking for a sign-in when nobody is signed in.
    ///
    /// A session that the store has forgotten costs one more sign-in, and no more than one.
    ///
    /// - Parameter payment: What the call is about: it is made only as the account whose payment that is, and its answer counts
    ///   whoever has signed in meanwhile. Any other answer counts only for who asked.
    func ask<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        about payment: PaymentID? = nil
    ) async throws(WireClientError) -> Answer<Response> {
        var mayRepeat = session.isSignedIn
        while true {
            guard try await signedIn() else { return .cancelled }
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

    /// Calls the store as the user for something that fails otherwise.
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
        return try granted(answer)
    }

    /// The store's answer; without one it is a failure.
    func granted<Response>(_ answer: Answer<Response>) throws(PaymentFailure) -> Response {
        switch answer {
        case .response(let response): return response
        case .cancelled: throw PaymentFailure(.paymentCancelled)
        case .anotherAccount: throw PaymentFailure(.unknown, "Another account has signed in meanwhile.")
        }
    }

    /// Fetches the latest receipt on the user's wish.
    func refreshReceipt(_ request: ReceiptRequest) async throws(PaymentFailure) {
        var request = request
        request.appVersion = session.appVersion
        let reply = try await require(DeviceEndpoints.receipt, request)
        try await session.keep(reply.receipt, of: session.account)
    }

    /// Signs an account in; what the store holds for it is taken over.
    func signIn(_ credentials: Credentials) async throws(WireClientError) {
        try await session.signIn(credentials)
        ownerChanged()
    }

    /// Signs out: what is the account's leaves the queue until it signs in again.
    func signOut() async throws(DeviceError) {
        try await session.signOut()
        ownerChanged()
    }

    /// Gives the queue to whoever has signed in.
    ///
    /// When that can't be written, the payments that were nobody's are bound at the next launch.
    func ownerChanged() {
        let before = machine.owner
        try? take(.ownerChanged(state.owner))
        if machine.owner != before {
            forgetPendingDeliveries()
            news.forgetUnheard()
            unproven = [:]
        }
        releaseForeignCalls()
        restoreRequest = nil
        watching?.cancel()
        watching = nil
        wantsSync = true
        startPass()
        startWatching()
    }

    /// Whether somebody is signed in, asking the user when nobody is; false when the user cancels.
    ///
    /// Whoever asks while the user is being asked waits for the same answer.
    func signedIn() async throws(WireClientError) -> Bool {
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
            try await signIn(credentials)
        } catch {
            if !error.isPassing { typed = nil }
            return .failure(error)
        }
        typed = nil
        await interface.signedIn(as: credentials.account)
        return .success(true)
    }
}
