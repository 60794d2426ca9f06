public import PurchaseModel
import Synchronization

/// Finds out whether certificates were revoked, by OCSP (RFC 6960), and remembers the answers.
///
/// The first use of a chain asks and waits, at most for a deadline; whoever needs the same chain meanwhile waits for the same
/// answer. From then on the answer is at hand until it is no longer good. Have ``run()`` run as a service, and answers are
/// asked for anew when half their time is over, so that nobody waits again; without it, the first use after their end waits.
///
/// Only chains that were proven are asked about, so strangers can't make it ask anybody. It keeps 64 chains for each root;
/// what is beyond is asked about each time. A lookup takes a lock for as long as it takes to look into a table.
public final class RevocationChecker: Sendable {
    /// The longest answer that is read, in bytes; usual ones have about 2,000.
    public static let maximumAnswer = 64 << 10

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
    ///   - transport: Who carries questions.
    ///   - clock: Says what time it is, for the answers' validity.
    ///   - timer: Measures deadlines and pauses.
    ///   - deadline: How long asking about one chain may take; the certificate library ends it after ten seconds at the latest.
    ///   - maximumAge: How long a good answer is believed at most; its own validity may end sooner.
    ///   - retry: How long it is not asked again after an answer that was not good. Also the pause of ``run()``, so it should be
    ///     well below half of `maximumAge`.
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

    /// Keeps answers fresh until its task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            do { try await timer.sleep(for: retry) } catch { return }
            await refresh()
        }
    }

    /// Asks anew about every chain whose answer is due, one after the other.
    func refresh() async {
        let now = clock.now
        for chain in table.withLock({ $0.due(at: now) }) where table.withLock({ $0.takesOff(chain, at: now) }) {
            _ = await ask(about: chain)
        }
    }

    /// What is known about a chain, or can be found out until the deadline.
    func finding(for chain: ProvenChain) async -> RevocationFinding {
        guard chain.certificates.count > 1 else { return .alone }
        while true {
            let now = clock.now
            switch table.withLock({ $0.step(for: chain, at: now) }) {
            case .known(let finding): return finding
            case .ask: return await ask(about: chain)
            case .wait(let stream):
                for await _ in stream {}
                if Task.isCancelled { return .doubt(.responderUnreachable, index: 0) }
            }
        }
    }

    /// Asks about a chain, whose flight has begun, and ends it.
    private func ask(about chain: ProvenChain) async -> RevocationFinding {
        let inquiry = OCSPInquiry(chain: chain, transport: transport, now: clock.now, maximumAge: maximumAge.components.seconds)
        let finding = await withTaskGroup(of: RevocationFinding?.self) { [timer, deadline] group in
            group.addTask { await inquiry.run() }
            group.addTask {
                try? await timer.sleep(for: deadline)
                return nil
            }
            var finding: RevocationFinding?
            // When the time is up first, asking is broken off, and ends with whatever is known by then.
            while let result = await group.next() {
                group.cancelAll()
                if let result { finding = result }
            }
            return finding ?? .doubt(.responderUnreachable, index: 0)
        }
        let isBrokenOff = Task.isCancelled
        let now = clock.now
        let (counting, waiting) = table.withLock { $0.settle(chain, finding, isBrokenOff: isBrokenOff, at: now) }
        for continuation in waiting { continuation.finish() }
        return counting
    }
}
