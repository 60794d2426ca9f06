import PurchaseModel
import X509

/// What is known about which chain, and who waits for more: decides, and asks nobody.
struct RevocationTable {
    /// What somebody who needs a finding should do.
    enum Step {
        /// Take it.
        case known(RevocationFinding)
        /// Wait until the stream ends, and look again.
        case wait(AsyncStream<Never>)
        /// Ask, and settle it then.
        case ask
    }

    /// How many chains of one root are kept; more are asked about each time.
    static let limit = ProvenChains.limit

    /// How long a failure to find out is taken for an answer, in seconds.
    let retry: Int64

    private struct Entry {
        let chain: ProvenChain
        var finding: RevocationFinding
        /// Until when it counts.
        var until: Timestamp
        /// From when on it is to be asked again, off the request path.
        var due: Timestamp
    }

    private var entries: [[UInt8]: Entry] = [:]
    /// Who waits for which chain that is being asked about.
    private(set) var flights: [[UInt8]: [AsyncStream<Never>.Continuation]] = [:]

    init(retry: Int64) {
        self.retry = retry
    }

    /// What to do for a finding about a chain.
    mutating func step(for chain: ProvenChain, at now: Timestamp) -> Step {
        let entry = entries[chain.identity]
        if let entry, now < entry.until { return .known(entry.finding) }
        if let index = Self.expired(chain, at: now) {
            // Nobody would answer any more; what is known to be revoked stays so.
            if let entry, case .revoked = entry.finding { return .known(entry.finding) }
            return .known(.doubt(.certificateExpired, index: index))
        }
        return fly(chain)
    }

    /// Whether to ask again about a chain whose finding is due, and has not been asked about by somebody else meanwhile.
    mutating func takesOff(_ chain: ProvenChain, at now: Timestamp) -> Bool {
        guard flights[chain.identity] == nil, let entry = entries[chain.identity], entry.due <= now else { return false }
        flights[chain.identity] = []
        return true
    }

    /// The chains to ask about again, before what is known of them counts no longer.
    ///
    /// Those that have expired are forgotten, unless they were revoked.
    mutating func due(at now: Timestamp) -> [ProvenChain] {
        entries = entries.filter { _, entry in
            if case .revoked = entry.finding { return true }
            return Self.expired(entry.chain, at: now) == nil
        }
        return entries.values.filter { $0.due <= now && Self.expired($0.chain, at: now) == nil }.map(\.chain)
    }

    /// Ends a flight.
    ///
    /// - Parameters:
    ///   - finding: What was found.
    ///   - isBrokenOff: Whether whoever asked went away, which says nothing about the responder.
    /// - Returns: What counts now, and who waits for it.
    mutating func settle(
        _ chain: ProvenChain, _ finding: RevocationFinding, isBrokenOff: Bool, at now: Timestamp
    ) -> (counting: RevocationFinding, waiting: [AsyncStream<Never>.Continuation]) {
        let waiting = flights.removeValue(forKey: chain.identity) ?? []
        if isBrokenOff, case .doubt = finding { return (finding, waiting) }
        keep(finding, about: chain, at: now)
        return (entries[chain.identity]?.finding ?? finding, waiting)
    }

    private mutating func fly(_ chain: ProvenChain) -> Step {
        guard flights[chain.identity] != nil else {
            flights[chain.identity] = []
            return .ask
        }
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        flights[chain.identity]?.append(continuation)
        return .wait(stream)
    }

    private mutating func keep(_ finding: RevocationFinding, about chain: ProvenChain, at now: Timestamp) {
        let soon = now.adding(seconds: retry)
        if case .doubt = finding, var entry = entries[chain.identity] {
            // A failure takes nothing back: a good answer counts to its end, and a revocation until somebody denies it.
            switch entry.finding {
            case .revoked: (entry.until, entry.due) = (soon, soon)
            case .good where now < entry.until: entry.due = soon
            case .good, .doubt, .alone: (entry.finding, entry.until, entry.due) = (finding, soon, soon)
            }
            entries[chain.identity] = entry
            return
        }
        guard entries[chain.identity] != nil || entries.values.count(where: { $0.chain.root == chain.root }) < Self.limit else { return }
        switch finding {
        case .good(let until):
            let half = now.adding(milliseconds: (until.milliseconds - now.milliseconds) / 2)
            entries[chain.identity] = Entry(chain: chain, finding: finding, until: until, due: half)
        case .revoked, .doubt, .alone:
            entries[chain.identity] = Entry(chain: chain, finding: finding, until: soon, due: soon)
        }
    }

    /// The first certificate of a chain that has expired; nil when none has.
    private static func expired(_ chain: ProvenChain, at now: Timestamp) -> Int? {
        guard now.wholeSeconds > chain.validity.upperBound else { return nil }
        return chain.certificates.firstIndex { Timestamp($0.notValidAfter) < now.wholeSeconds }
    }
}
