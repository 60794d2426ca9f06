import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import Synchronization

@testable import PurchaseProof

/// A responder that a test controls and that counts requests.
final class TestResponder: OCSPTransport {
    /// How the responder responds.
    enum Behavior: Sendable {
        /// Responds with the responder of an authority.
        case responder(OCSPResponder)
        /// Responds with the given bytes.
        case bytes([UInt8])
        /// Throws an error.
        case error
        /// Does not respond until the task is canceled.
        case noReply
        /// Responds with the responder of an authority after the gate is open.
        case gate(AsyncStream<Void>, OCSPResponder)
    }

    struct NoConnection: Error {}

    let behavior: Mutex<Behavior>
    private let count = Mutex(0)
    private let clock: any WallClock
    private let (stream, continuation) = AsyncStream<Void>.makeStream()

    init(_ behavior: Behavior, clock: any WallClock) {
        self.behavior = Mutex(behavior)
        self.clock = clock
    }

    /// The number of requests.
    var requests: Int { count.withLock { $0 } }
    /// One element for each request.
    var requested: AsyncStream<Void> { stream }

    func set(_ behavior: Behavior) {
        self.behavior.withLock { $0 = behavior }
    }

    func response(to request: [UInt8], from address: String) async throws -> [UInt8] {
        count.withLock { $0 += 1 }
        continuation.yield()
        guard address == RevocationHarness.address else { throw NoConnection() }
        switch behavior.withLock({ $0 }) {
        case .responder(let responder): return try responder.respond(to: request, at: clock.now)
        case .bytes(let bytes): return bytes
        case .error: throw NoConnection()
        case .noReply:
            await untilCancelled()
            throw CancellationError()
        case .gate(let gate, let responder):
            for await _ in gate {}
            try Task.checkCancellation()
            return try responder.respond(to: request, at: clock.now)
        }
    }
}

/// A chain with a responder, and a checker for its status.
struct RevocationHarness {
    static let address = "http://ocsp.example.com/tests"

    /// An authority whose certificates name a responder.
    static let authority: Result<CertificateAuthority, any Error> = Result {
        try CertificateAuthority(name: "Revoked", now: .testStart, ocspURL: address)
    }

    let clock = ManualClock()
    let transport: TestResponder
    let checker: RevocationChecker
    let chain: VerifiedChain
    let kind: TrustChain.Kind

    init(
        _ kind: TrustChain.Kind = .signedData, of authority: CertificateAuthority? = nil, timer: any Clock<Duration> = ContinuousClock()
    ) async throws {
        self.kind = kind
        let authority = try authority ?? Self.authority.get()
        transport = TestResponder(.responder(try OCSPResponder(authority: authority)), clock: clock)
        checker = RevocationChecker(
            transport: transport, clock: clock, timer: timer, deadline: .seconds(5), maximumAge: .seconds(3600), retry: .seconds(60)
        )
        chain = try await TrustChain(kind, of: authority).verify()
    }

    /// Returns a responder of the authority with the changes of `change`.
    func responder(_ change: (inout OCSPResponder) -> Void = { _ in }) throws -> OCSPResponder {
        var responder = try OCSPResponder(authority: Self.authority.get())
        change(&responder)
        return responder
    }

    var leaf: AuthorityCertificate { kind == .receipts ? .receiptLeaf : .signedDataLeaf }
    var intermediate: AuthorityCertificate { kind == .receipts ? .receiptIntermediate : .signedDataIntermediate }

    func revoking(_ certificate: AuthorityCertificate) throws -> TestResponder.Behavior {
        try .responder(responder { $0.statuses[certificate] = .revoked(at: .testStart.adding(days: -1), reason: .keyCompromise) })
    }

    /// Returns the failures in hard and in soft mode, or nil for a mode without a failure.
    func failures() async -> (hard: VerificationFailure?, soft: VerificationFailure?) {
        var results: [VerificationFailure?] = []
        for revocation in [Revocation.hard(checker), .soft(checker)] {
            do {
                try await revocation.verify(chain, place: "x", trace: nil)
                results.append(nil)
            } catch {
                results.append(error)
            }
        }
        return (results[0], results[1])
    }
}

/// Suspends until the task is canceled.
private func untilCancelled() async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
}

extension VerificationFailure {
    /// The indeterminate outcome of a reason at a place.
    static func indeterminate(_ reason: Indeterminacy.Reason, at place: String) -> VerificationFailure {
        .indeterminate(Indeterminacy(reason, at: place))
    }
}

/// A clock whose sleeps end immediately.
struct ImmediateTimer: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
    }
}

/// A clock whose sleeps of more than 30 seconds end with a call of `step()`.
///
/// Shorter sleeps never end.
final class SteppingTimer: Clock {
    private let (steps, continuation) = AsyncStream<Void>.makeStream()

    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func step() {
        continuation.yield()
    }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        if now.duration(to: deadline) > .seconds(30) {
            for await _ in steps { return }
        }
        await untilCancelled()
        throw CancellationError()
    }
}
