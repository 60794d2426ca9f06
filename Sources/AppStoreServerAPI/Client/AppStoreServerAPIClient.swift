import Foundation
public import PurchaseModel
import Synchronization

/// A client of the App Store Server API.
///
/// A client is made for one app in one environment, and is used by any number of tasks. Its calls share one token, which is reused until
/// shortly before it expires, and one circuit breaker.
///
/// ```swift
/// func appStore(privateKey: String) throws -> AppStoreServerAPIClient {
///     let configuration = try AppStoreServerAPIConfiguration(
///         issuerID: "57246542-96fe-1a63-e053-0824d011072a",
///         keyID: "ABC1234567",
///         privateKey: privateKey,
///         bundleID: "com.example.monkeyshop",
///         environment: .sandbox
///     )
///     return AppStoreServerAPIClient(configuration)
/// }
/// ```
///
/// Responses contain signed data. Verify it with `PurchaseProof` before you use it:
///
/// ```swift
/// func purchasedProducts(
///     of transaction: TransactionID, from appStore: AppStoreServerAPIClient, by verifier: SignedDataVerifier
/// ) async throws -> Set<ProductID> {
///     var products: Set<ProductID> = []
///     for try await page in appStore.transactionHistory(transactionId: transaction) {
///         for signed in page.signedTransactions {
///             let transaction = try await verifier.verify(signed).payload
///             if !transaction.isRevoked { products.insert(transaction.productId) }
///         }
///     }
///     return products
/// }
/// ```
///
/// Each call throws ``AppStoreServerAPIError``, after the retries of ``ServerAPIRetryPolicy``:
///
/// ```swift
/// func explain(_ error: AppStoreServerAPIError) -> String {
///     switch error {
///     case .api(let response) where response.error == .transactionIdNotFound: "The transaction is not in this environment."
///     case .unauthorized(let clockSkew?): "Correct the clock of this machine by \(-clockSkew) seconds."
///     case .rateLimited(let until?): "Try again after \(until)."
///     case _ where error.isRetryable: "Try again later."
///     default: "\(error)"
///     }
/// }
/// ```
///
/// If the App Store refuses a token, and its `Date` header differs from the local clock by more than a minute and at most a day, the client
/// corrects its time and repeats the request once. The correction lasts as long as the client.
///
/// Source: [App Store Server API](https://developer.apple.com/documentation/appstoreserverapi).
public final class AppStoreServerAPIClient: Sendable {
    static let userAgent = "tillroll-app-store-server-api/swift/1.0"

    /// The settings of the client.
    public let configuration: AppStoreServerAPIConfiguration
    private let transport: any ServerAPITransport
    private let clock: any WallClock
    private let timer: any Clock<Duration>
    /// The time since the creation of the client, by `timer`.
    private let age: @Sendable () -> Duration
    private let state: Mutex<State>

    private struct State: Sendable {
        var tokens: TokenSource
        var breaker: CircuitBreaker
        var random: any RandomNumberGenerator & Sendable

        /// Returns a random number from 0 to 1.
        mutating func jitter() -> Double {
            Double(random.next() >> 11) / Double(1 << 53)
        }
    }

    /// Creates a client; no request is sent until the first call.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the client.
    ///   - transport: The transport of the HTTP requests.
    ///   - clock: The clock with which tokens are signed.
    ///   - timer: The clock of delays between attempts.
    ///   - random: The random numbers that spread the attempts of many clients.
    public init(
        _ configuration: AppStoreServerAPIConfiguration, transport: any ServerAPITransport = HTTPServerAPITransport(),
        clock: any WallClock = SystemWallClock(), timer: any Clock<Duration> = ContinuousClock(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.configuration = configuration
        self.transport = transport
        self.clock = clock
        self.timer = timer
        age = Self.stopwatch(timer)
        state = Mutex(
            State(tokens: TokenSource(configuration), breaker: CircuitBreaker(configuration.circuitBreaker), random: random))
    }

    private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// Sends a request, and decodes the JSON of the response.
    func call<Value: Decodable & Sendable>(
        _ request: ServerAPIRequest, _ type: Value.Type = Value.self
    ) async throws(AppStoreServerAPIError) -> Value {
        try await result(of: request, type).get()
    }

    /// Sends a request, and discards the body of the response.
    func perform(_ request: ServerAPIRequest) async throws(AppStoreServerAPIError) {
        _ = try await exchange(request).get()
    }

    /// Runs on the global executor, because decoding a large page takes milliseconds.
    @concurrent
    private func result<Value: Decodable & Sendable>(
        of request: ServerAPIRequest, _ type: Value.Type
    ) async -> Result<Value, AppStoreServerAPIError> {
        await exchange(request).flatMap { response in
            Result { () throws(AppStoreServerAPIError) in try ResponseReader.decode(type, from: response) }
        }
    }

    /// Sends a request until it succeeds or must not be repeated.
    private func exchange(_ request: ServerAPIRequest) async -> Result<ServerAPITransportResponse, AppStoreServerAPIError> {
        let start = age()
        var retries = RequestRetries(configuration.retries, isIdempotent: request.endpoint.isIdempotent)
        var isRenewed = false
        var lastError: AppStoreServerAPIError?
        while true {
            if Task.isCancelled { return .failure(.canceled) }
            let attempt: Attempt
            do throws(AppStoreServerAPIError) {
                attempt = try await send(request)
            } catch {
                // The error of the last attempt says more than the circuit breaker, which it has opened.
                if case .unavailable(.circuitOpen) = error { return .failure(lastError ?? error) }
                return .failure(error)
            }
            let error: AppStoreServerAPIError
            switch attempt.result {
            case .success(let response): return .success(response)
            case .failure(let failure): error = failure
            }
            if case .unauthorized = error {
                guard !isRenewed, attempt.canRenew else { return .failure(error) }
                isRenewed = true
                continue
            }
            let (elapsed, now) = (age() - start, clock.now)
            let decision = state.withLock { retries.decide(after: error, elapsed: elapsed, now: now, jitter: $0.jitter()) }
            guard case .retry(let delay) = decision else { return .failure(error) }
            lastError = error
            do { try await timer.sleep(for: delay) } catch { return .failure(.canceled) }
        }
    }

    /// The outcome of one attempt.
    private struct Attempt {
        let result: Result<ServerAPITransportResponse, AppStoreServerAPIError>
        /// Whether another token can be accepted; only for an unauthorized request.
        var canRenew = false
    }

    /// Sends a request once.
    ///
    /// - Throws: ``AppStoreServerAPIError`` for a request that is not sent.
    private func send(_ request: ServerAPIRequest) async throws(AppStoreServerAPIError) -> Attempt {
        let (token, isNew, permit) = try admit()
        let message = request.authorized(by: token.text, at: configuration.baseURL, timeout: configuration.timeout)
        var attempt: Attempt
        do throws(ServerAPITransportError) {
            let response = try await transport.send(message)
            let now = clock.now
            let reader = ResponseReader(response, now: now)
            attempt = Attempt(result: reader.error.map { .failure($0) } ?? .success(response))
            if case .unauthorized = reader.error {
                attempt.canRenew = state.withLock { $0.tokens.renew(token, isNew: isNew, serverTime: reader.serverTime, now: now) }
            }
        } catch {
            attempt = Attempt(result: .failure(AppStoreServerAPIError(error)))
        }
        let outcome: CircuitBreaker.Outcome =
            switch attempt.result {
            case .success: .available
            case .failure(let error): CircuitBreaker.Outcome(error)
            }
        state.withLock { $0.breaker.record(outcome, of: permit, at: age()) }
        return attempt
    }

    /// Returns the token for a request, and the permission of the circuit breaker to send it.
    private func admit() throws(AppStoreServerAPIError) -> (TokenSource.Token, isNew: Bool, CircuitBreaker.Permit) {
        let (time, now) = (age(), clock.now)
        let result = state.withLock { state -> Result<(TokenSource.Token, isNew: Bool, CircuitBreaker.Permit), AppStoreServerAPIError> in
            guard let (token, isNew) = try? state.tokens.token(at: now) else {
                return .failure(.invalidRequest("The token cannot be signed, because the system's random number generator failed."))
            }
            do throws(CircuitBreaker.Refusal) {
                return .success((token, isNew, try state.breaker.admit(at: time)))
            } catch {
                return .failure(.unavailable(.circuitOpen(until: now.adding(milliseconds: (error.until - time).wholeMilliseconds))))
            }
        }
        return try result.get()
    }
}

extension AppStoreServerAPIClient: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The app, the environment and the server, without the key and the token.
    public var description: String { configuration.description }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// The configuration, without the private key and the token.
    public var customMirror: Mirror { Mirror(self, children: ["configuration": configuration]) }
}

extension AppStoreServerAPIError {
    /// Creates the error of a call from the error of its transport.
    fileprivate init(_ error: ServerAPITransportError) {
        self =
            switch error {
            case .notConnected: .unavailable(.notConnected)
            case .noResponse: .unavailable(.noResponse)
            case .responseTooLarge(let status): .malformedResponse(status: status, "The body is too large.")
            case .canceled: .canceled
            }
    }
}

extension Duration {
    /// The duration in milliseconds, rounded up and saturated.
    fileprivate var wholeMilliseconds: Int64 {
        let (milliseconds, overflow) = components.seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow, milliseconds < .max - 1000 else { return .max }
        return milliseconds + Int64((Double(components.attoseconds) / 1e15).rounded(.up))
    }
}
