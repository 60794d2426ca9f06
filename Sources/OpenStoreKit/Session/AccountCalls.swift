import PurchaseModel
import StoreProtocol
import Wire

/// Calls to the store on behalf of the user, which ask for a sign-in if no account is signed in.
final class AccountCalls {
    /// The outcome of a call.
    enum Answer<Response: Sendable>: Sendable {
        /// The store has responded.
        case response(Response)
        /// The user has canceled the sign-in.
        case cancelled
        /// Another account has signed in, so that the call or its response does not apply.
        case anotherAccount
    }

    private let session: StoreSession
    private let queue: PaymentQueue
    private let signIn: SignIn

    init(session: StoreSession, queue: PaymentQueue, signIn: SignIn) {
        self.session = session
        self.queue = queue
        self.signIn = signIn
    }

    /// Calls the store.
    ///
    /// If the store refuses the session, the user is asked to sign in once more. The response is valid only for the account that made the
    /// call.
    func ask<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request
    ) async throws(WireClientError) -> Answer<Response> {
        var mayRepeat = session.isSignedIn
        while true {
            guard try await signIn.ensureSignedIn() else { return .cancelled }
            let account = session.account
            do {
                guard let response = try await session.ask(endpoint, body, as: account), queue.machine.owner == account else {
                    return .anotherAccount
                }
                return .response(response)
            } catch .refused(401, _) where mayRepeat {
                mayRepeat = false
            }
        }
    }

    /// Calls the store, and repeats the call once if no response arrives.
    ///
    /// Use this only for requests that are safe to repeat.
    func askWithRetry<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request
    ) async throws(WireClientError) -> Answer<Response> {
        do throws(WireClientError) {
            return try await ask(endpoint, body)
        } catch {
            guard error.isRetryable else { throw error }
            return try await ask(endpoint, body)
        }
    }

    /// Calls the store, and returns the response.
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
        return try Self.response(answer)
    }

    /// Returns the store's response.
    ///
    /// - Throws: ``PaymentFailure`` if the user has canceled the sign-in or another account has signed in.
    static func response<Response>(_ answer: Answer<Response>) throws(PaymentFailure) -> Response {
        switch answer {
        case .response(let response): return response
        case .cancelled: throw PaymentFailure(.paymentCancelled)
        case .anotherAccount: throw PaymentFailure(.unknown, "Another account has signed in meanwhile. Try again.")
        }
    }

    /// Fetches and stores the latest receipt.
    func refreshReceipt(_ request: ReceiptRequest) async throws(PaymentFailure) {
        var request = request
        request.appVersion = session.appVersion
        let reply = try await require(DeviceEndpoints.receipt, request)
        try await session.save(reply.receipt, of: queue.machine.owner)
    }
}
