public import PurchaseModel
import Synchronization
import X509

/// Requests the revocation status of certificates by OCSP (RFC 6960), and caches it.
///
/// The first verification with a chain sends the requests and waits for the responses until a deadline; concurrent verifications with the
/// same chain wait for the same responses. The status is then cached until it is out of date. Run ``run()`` as a service to refresh
/// statuses after half their validity, so that no later verification waits. Without it, the first verification after the end of the
/// validity waits.
///
/// Only the status of verified chains is requested, so unverified data cannot cause requests. The cache has 64 chains for each root;
/// the status of further chains is requested each time. A lookup takes a lock for the duration of a dictionary access.
public final class RevocationChecker: Sendable {
    /// The maximum size of a response in bytes.
    ///
    /// Typical responses have about 2,000.
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
    ///   - clock: The source of the current time, for the validity of responses.
    ///   - timer: Measures deadlines and pauses.
    ///   - deadline: The maximum duration of the requests for one chain. The certificate library has a limit of ten seconds.
    ///   - maximumAge: The maximum time for which a good status is cached. The validity of the response may end earlier.
    ///   - retry: The time after which a status other than good is requested again, and the interval of ``run()``. It should be well below
    ///     half of `maximumAge`.
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

    /// Requests every status that is due, one chain after the other.
    func refresh() async {
        let now = clock.now
        for chain in table.withLock({ $0.due(at: now) }) where table.withLock({ $0.beginRefresh(of: chain, at: now) }) {
            _ = await requestStatus(of: chain)
        }
    }

    /// The status of a chain, from the cache or from a responder.
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

    /// Requests the status of a chain, for which a request was begun in the table, and completes it there.
    private func requestStatus(of chain: VerifiedChain) async -> RevocationStatus {
        let request = OCSPStatusRequest(chain: chain, transport: transport, now: clock.now, maximumAge: maximumAge.components.seconds)
        let status = await withTaskGroup(of: RevocationStatus?.self) { [timer, deadline] group in
            group.addTask { await request.run() }
            group.addTask {
                try? await timer.sleep(for: deadline)
                return nil
            }
            var status: RevocationStatus?
            // At the deadline, the request is canceled and returns the status that the responses received so far determine.
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

/// Sends OCSP requests to responders.
///
/// The library contains no HTTP client. Send the request as the body of a POST with the content type `application/ocsp-request`, and
/// return the body of a response with status 200. The addresses come from certificates that chain to a trusted root. Apple's use `http`,
/// which is safe, because responses are signed.
public protocol OCSPTransport: Sendable {
    /// Returns the response of the responder at an address.
    ///
    /// Return soon after the task is canceled, because ``RevocationChecker`` enforces its deadline by cancellation. Stop reading a
    /// body after ``RevocationChecker/maximumResponse`` bytes.
    ///
    /// - Throws: When the responder does not respond, or not with status 200.
    func response(to request: [UInt8], from address: String) async throws -> [UInt8]
}

/// The cached statuses, and the requests in progress.
///
/// The table determines the next step, and performs no I/O.
struct RevocationTable {
    /// The next step of a verification that needs a status.
    enum Step {
        /// Use the status.
        case cached(RevocationStatus)
        /// Wait until the stream ends, then ask for the next step.
        case wait(AsyncStream<Never>)
        /// Request the status, then complete the request.
        case request
    }

    /// The maximum number of chains for each root.
    ///
    /// The status of further chains is requested each time.
    static let limit = VerifiedChainCache.limit

    /// The time for which an unavailable status is cached, in seconds.
    let retry: Int64

    private struct Entry {
        let chain: VerifiedChain
        var status: RevocationStatus
        /// The end of the status's validity.
        var until: Timestamp
        /// The time at which the status is refreshed in the background.
        var due: Timestamp
    }

    private var entries: [[UInt8]: Entry] = [:]
    /// The verifications that wait for each request in progress.
    private(set) var requests: [[UInt8]: [AsyncStream<Never>.Continuation]] = [:]

    init(retry: Int64) {
        self.retry = retry
    }

    /// The next step for the status of a chain.
    mutating func step(for chain: VerifiedChain, at now: Timestamp) -> Step {
        let entry = entries[chain.identity]
        if let entry, now < entry.until { return .cached(entry.status) }
        if let index = Self.expired(chain, at: now) {
            // Responders do not keep the status of expired certificates. A cached revocation remains.
            if let entry, case .revoked = entry.status { return .cached(entry.status) }
            return .cached(.unavailable(.certificateExpired, index: index))
        }
        return begin(chain)
    }

    /// Begins to refresh a status that is due, unless a request for it is in progress; returns whether it did.
    mutating func beginRefresh(of chain: VerifiedChain, at now: Timestamp) -> Bool {
        guard requests[chain.identity] == nil, let entry = entries[chain.identity], entry.due <= now else { return false }
        requests[chain.identity] = []
        return true
    }

    /// The chains whose status is to be refreshed.
    ///
    /// Chains that have expired are removed, unless they are revoked.
    mutating func due(at now: Timestamp) -> [VerifiedChain] {
        entries = entries.filter { _, entry in
            if case .revoked = entry.status { return true }
            return Self.expired(entry.chain, at: now) == nil
        }
        return entries.values.filter { $0.due <= now && Self.expired($0.chain, at: now) == nil }.map(\.chain)
    }

    /// Completes a request.
    ///
    /// - Parameters:
    ///   - status: The status from the responders.
    ///   - isCancelled: Whether the requesting task was canceled; the status then implies nothing about the responder.
    /// - Returns: The current status, and the verifications that wait for it.
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
            // A failed request replaces neither a good status before its end, nor a revocation.
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

    /// The index of the first certificate that has expired; nil when none has.
    private static func expired(_ chain: VerifiedChain, at now: Timestamp) -> Int? {
        guard now.wholeSeconds > chain.validity.upperBound else { return nil }
        return chain.certificates.firstIndex { Timestamp($0.notValidAfter) < now.wholeSeconds }
    }
}
