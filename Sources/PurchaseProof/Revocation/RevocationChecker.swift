public import PurchaseModel
import Synchronization
import X509

/// Requests the revocation status of certificates by OCSP (RFC 6960), and caches it.
///
/// The first verification with a certificate chain sends the requests and waits for the responses until a deadline. Concurrent
/// verifications with the same chain wait for the same responses. The checker then caches the status as long as the responses are valid.
/// ``run()`` refreshes each status after half of this time, so that later verifications do not wait. Without ``run()``, the first
/// verification after the end of this time waits for new responses.
///
/// The checker requests the status of verified chains only, so data with an invalid chain or signature causes no requests. The cache has
/// room for 64 chains of each root, and the status of a chain that is not in the cache is requested each time. A lookup takes a lock for
/// the duration of a dictionary access.
public final class RevocationChecker: Sendable {
    /// The maximum size of an OCSP response in bytes.
    ///
    /// A typical response has about 2,000 bytes.
    public static let maximumResponse = 64 << 10

    private let transport: any OCSPTransport
    private let clock: any WallClock
    private let timer: any Clock<Duration>
    private let deadline: Duration
    private let maximumAge: Duration
    private let retry: Duration
    let table: Mutex<RevocationTable>

    /// Creates a checker.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - clock: The source of the current time, with which the validity of responses is compared.
    ///   - timer: The clock that measures the deadline and the interval of ``run()``.
    ///   - deadline: The maximum duration of the requests for one chain. swift-certificates limits the duration to ten seconds.
    ///   - maximumAge: The maximum time for which the checker caches the status of a chain that is not revoked. The validity of the
    ///     responses may end earlier.
    ///   - retry: The time after which the checker requests the status again when a certificate is revoked or the status is unavailable. It
    ///     is also the interval of ``run()``, so it should be well below half of `maximumAge`.
    public init(
        transport: any OCSPTransport, clock: any WallClock = SystemWallClock(), timer: any Clock<Duration> = ContinuousClock(),
        deadline: Duration = .seconds(5), maximumAge: Duration = .seconds(3600), retry: Duration = .seconds(60)
    ) {
        self.transport = transport
        self.clock = clock
        self.timer = timer
        self.deadline = deadline
        self.maximumAge = maximumAge
        self.retry = retry
        table = Mutex(RevocationTable(retry: retry.components.seconds))
    }

    /// Refreshes cached statuses until the task is canceled.
    public func run() async {
        while !Task.isCancelled {
            do { try await timer.sleep(for: retry) } catch { return }
            await refresh()
        }
    }

    /// Requests again each cached status whose time of refreshing has come, one chain after the other.
    func refresh() async {
        let now = clock.now
        for chain in table.withLock({ $0.due(at: now) }) where table.withLock({ $0.beginRefresh(of: chain, at: now) }) {
            _ = await requestStatus(of: chain)
        }
    }

    /// Returns the revocation status of a chain, from the cache or from the OCSP responders.
    func status(of chain: VerifiedChain) async -> RevocationStatus {
        guard chain.certificates.count > 1 else { return .notApplicable }
        while true {
            let now = clock.now
            switch table.withLock({ $0.step(for: chain, at: now) }) {
            case .cached(let status): return status
            case .request: return await requestStatus(of: chain)
            case .wait(let stream):
                for await _ in stream {}
                if Task.isCancelled { return .unavailable(.responderUnreachable, index: 0) }
            }
        }
    }

    /// Requests the status of a chain from the OCSP responders, and completes the request in the table.
    ///
    /// The caller has begun the request in the table, so that no second request for the same chain is sent.
    private func requestStatus(of chain: VerifiedChain) async -> RevocationStatus {
        let request = OCSPStatusRequest(chain: chain, transport: transport, now: clock.now, maximumAge: maximumAge.components.seconds)
        let status = await withTaskGroup(of: RevocationStatus?.self) { [timer, deadline] group in
            group.addTask { await request.run() }
            group.addTask {
                try? await timer.sleep(for: deadline)
                return nil
            }
            var status: RevocationStatus?
            // At the deadline, the request is canceled. It then returns the status that the responses up to the deadline determine.
            while let result = await group.next() {
                group.cancelAll()
                if let result { status = result }
            }
            return status ?? .unavailable(.responderUnreachable, index: 0)
        }
        let isCancelled = Task.isCancelled
        let now = clock.now
        let (current, waiting) = table.withLock { $0.complete(chain, status, isCancelled: isCancelled, at: now) }
        for continuation in waiting { continuation.finish() }
        return current
    }
}

/// A transport that sends OCSP requests to responders.
///
/// This library contains no HTTP client. Implement the transport with an HTTP client of your choice: send the request as the body of a POST
/// with the content type `application/ocsp-request`, and return the body of a response with status 200. The addresses of responders come
/// from certificates that chain to a trusted root. Apple's addresses use `http`, which is safe, because OCSP responses are signed.
public protocol OCSPTransport: Sendable {
    /// Sends an OCSP request to the responder at an address, and returns the body of the response.
    ///
    /// Return soon after the task is canceled, because ``RevocationChecker`` enforces its deadline by cancellation. Stop reading the body
    /// of a response after ``RevocationChecker/maximumResponse`` bytes.
    ///
    /// - Parameters:
    ///   - request: The OCSP request in DER.
    ///   - address: The URL of the responder.
    /// - Throws: An error of the transport's choice when the responder does not respond, or responds with another status than 200.
    func response(to request: [UInt8], from address: String) async throws -> [UInt8]
}

/// The cached revocation statuses of certificate chains, and the requests for statuses that are in progress.
///
/// The table decides whether a status is used, awaited or requested. It sends no requests itself.
struct RevocationTable {
    /// The next step of a verification that needs the revocation status of a chain.
    enum Step {
        /// Use this status from the cache.
        case cached(RevocationStatus)
        /// Wait until the stream ends, because a request for the chain is in progress, and then call ``step(for:at:)`` again.
        case wait(AsyncStream<Never>)
        /// Request the status from the OCSP responders, and then call ``complete(_:_:isCancelled:at:)``.
        case request
    }

    /// The maximum number of chains of one root whose statuses are cached.
    ///
    /// The status of a chain that is not in the cache is requested each time.
    static let limit = VerifiedChainCache.limit

    /// The time in seconds after which a status is requested again when a certificate is revoked or the status is unavailable.
    let retry: Int64

    private struct Entry {
        let chain: VerifiedChain
        var status: RevocationStatus
        /// The time until which verifications use the cached status.
        var until: Timestamp
        /// The time from which ``RevocationChecker/run()`` requests the status again.
        var due: Timestamp
    }

    private var entries: [[UInt8]: Entry] = [:]
    /// The verifications that wait for each request in progress, by the ``VerifiedChain/identity`` of the request's chain.
    private(set) var requests: [[UInt8]: [AsyncStream<Never>.Continuation]] = [:]

    init(retry: Int64) {
        self.retry = retry
    }

    /// Returns the next step of a verification that needs the status of a chain, and records that a request begins if that is the step.
    mutating func step(for chain: VerifiedChain, at now: Timestamp) -> Step {
        let entry = entries[chain.identity]
        if let entry, now < entry.until { return .cached(entry.status) }
        if let index = Self.expired(chain, at: now) {
            // Responders do not keep the status of expired certificates, so no request is sent. A certificate that was revoked before it
            // expired remains revoked.
            if let entry, case .revoked = entry.status { return .cached(entry.status) }
            return .cached(.unavailable(.certificateExpired, index: index))
        }
        return begin(chain)
    }

    /// Begins a request that refreshes a cached status, if its time of refreshing has come and no request for the chain is in progress.
    ///
    /// - Returns: Whether a request has begun, so that the caller must send it.
    mutating func beginRefresh(of chain: VerifiedChain, at now: Timestamp) -> Bool {
        guard requests[chain.identity] == nil, let entry = entries[chain.identity], entry.due <= now else { return false }
        requests[chain.identity] = []
        return true
    }

    /// Returns the chains whose cached statuses are to be requested again.
    ///
    /// The method also removes the statuses of chains with an expired certificate from the cache, except those of revoked chains.
    mutating func due(at now: Timestamp) -> [VerifiedChain] {
        entries = entries.filter { _, entry in
            if case .revoked = entry.status { return true }
            return Self.expired(entry.chain, at: now) == nil
        }
        return entries.values.filter { $0.due <= now && Self.expired($0.chain, at: now) == nil }.map(\.chain)
    }

    /// Completes a request, and caches the status that the responders returned.
    ///
    /// - Parameters:
    ///   - chain: The chain whose status was requested.
    ///   - status: The status according to the responders.
    ///   - isCancelled: Whether the requesting task was canceled. The status can then be unavailable because of the cancellation, and is
    ///     not cached if it is.
    ///   - now: The current time.
    /// - Returns: The status that verifications use, and the verifications that wait for the request.
    mutating func complete(
        _ chain: VerifiedChain, _ status: RevocationStatus, isCancelled: Bool, at now: Timestamp
    ) -> (current: RevocationStatus, waiting: [AsyncStream<Never>.Continuation]) {
        let waiting = requests.removeValue(forKey: chain.identity) ?? []
        if isCancelled, case .unavailable = status { return (status, waiting) }
        insert(status, of: chain, at: now)
        return (entries[chain.identity]?.status ?? status, waiting)
    }

    private mutating func begin(_ chain: VerifiedChain) -> Step {
        guard requests[chain.identity] != nil else {
            requests[chain.identity] = []
            return .request
        }
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        requests[chain.identity]?.append(continuation)
        return .wait(stream)
    }

    private mutating func insert(_ status: RevocationStatus, of chain: VerifiedChain, at now: Timestamp) {
        let soon = now.adding(seconds: retry)
        if case .unavailable = status, var entry = entries[chain.identity] {
            // When a request fails, the cache keeps a revocation, and keeps a good status until its validity ends.
            switch entry.status {
            case .revoked: (entry.until, entry.due) = (soon, soon)
            case .good where now < entry.until: entry.due = soon
            case .good, .unavailable, .notApplicable: (entry.status, entry.until, entry.due) = (status, soon, soon)
            }
            entries[chain.identity] = entry
            return
        }
        guard entries[chain.identity] != nil || entries.values.count(where: { $0.chain.root == chain.root }) < Self.limit else { return }
        switch status {
        case .good(let until):
            let half = now.adding(milliseconds: (until.milliseconds - now.milliseconds) / 2)
            entries[chain.identity] = Entry(chain: chain, status: status, until: until, due: half)
        case .revoked, .unavailable, .notApplicable:
            entries[chain.identity] = Entry(chain: chain, status: status, until: soon, due: soon)
        }
    }

    /// Returns the index of the first certificate of a chain that has expired; nil when none has expired.
    private static func expired(_ chain: VerifiedChain, at now: Timestamp) -> Int? {
        guard now.wholeSeconds > chain.validity.upperBound else { return nil }
        return chain.certificates.firstIndex { Timestamp($0.notValidAfter) < now.wholeSeconds }
    }
}
