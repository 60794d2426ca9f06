import PurchaseModel
import PurchaseTestSupport

/// A random life of one subscription, which knows at each moment what the customer has paid for.
///
/// The life uses nothing of what it checks: it keeps the running period, and at most one renewal that was charged ahead.
struct SubscriptionLife {
    /// A paid period, as the App Store charged it.
    struct Period {
        var product: ProductID
        var start: Timestamp
        var end: Timestamp
        var isRefunded = false
        /// The transactions of seats that were added during the period, and those of them that are refunded.
        var seats: [TransactionID] = []
        var refundedSeats: Set<TransactionID> = []
    }

    private(set) var now = Timestamp.testStart
    private(set) var transcript = ""
    private var running: Period?
    private var next: Period?
    private var last: ProductID = "m"
    private var events: [SignedEvent] = []
    private var random: SeededRandom
    private let statesReasons: Bool
    private let marksUpgrades: Bool

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        statesReasons = seed % 3 != 0
        marksUpgrades = seed % 2 == 0
    }

    /// The product that the customer has at a date from the present on, with a minus sign without access.
    func product(at date: Timestamp) -> String {
        if let next, date >= next.start { return (next.isRefunded || date >= next.end ? "-" : "") + next.product.rawValue }
        guard let running else { return "-\(last)" }
        return (running.isRefunded || date >= running.end ? "-" : "") + running.product.rawValue
    }

    /// The present, and the dates until which something is paid.
    var moments: [Timestamp] {
        [now, now.adding(seconds: 60)]
            + [running?.end, next?.end].compactMap { $0 }.filter { $0 > now }.flatMap {
                [$0.adding(milliseconds: -1), $0, $0.adding(seconds: 60)]
            }
    }

    mutating func shuffledEvents() -> [SignedEvent] { events.shuffled(using: &random) }

    /// One thing that happens in a life.
    mutating func step() {
        now = now.adding(seconds: Int64.random(in: 60...3_600 * 5, using: &random))
        if let due = next, now >= due.start { (running, next) = (due, nil) }
        guard let period = running, !period.isRefunded, now < period.end else {
            next = nil
            return purchase(["m", "y", "z"].randomElement(using: &random) ?? "m", "subscribes to")
        }
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
            // Without reasons, a replaced renewal can be told apart while the period before it is among the latest ones.
            guard statesReasons || !transcript.contains("upgrades") else { return }
            purchase(["m", "y", "z"].filter { $0 != period.product }.randomElement(using: &random) ?? "m", "upgrades to")
        case 2 where next == nil: refundRunning()
        // A period without reasons can't be told apart from a purchase, and a transaction with seats states the reason in any case.
        case 2 where statesReasons: addSeats()
        case 3 where next == nil && !period.seats.isEmpty: refundSeats()
        case 3 where next.map { !$0.isRefunded } ?? false: refundNext()
        case 4 where next == nil:
            // Nothing happens until the period ends; the subscription is renewed then.
            now = period.end
            charge(period.product, at: now)
            (running, next) = (next, nil)
        default:
            guard next == nil else { return }
            // The App Store charges up to a day ahead; a change of the plan is for the next period.
            now = max(now, period.end.adding(seconds: -Int64.random(in: 1...86_400, using: &random)))
            charge(Bool.random(using: &random) ? period.product : ["m", "y", "z"].randomElement(using: &random) ?? "m", at: period.end)
        }
    }

    private mutating func purchase(_ product: ProductID, _ verb: String) {
        if marksUpgrades, let replaced = next ?? running, verb == "upgrades to" { sign(replaced, .renewal, isUpgraded: true) }
        let period = Period(product: product, start: now, end: now.adding(days: product == "m" ? 30 : 365))
        (running, next, last) = (period, nil, product)
        note("\(verb) \(product)")
        sign(period, .purchase)
    }

    private mutating func charge(_ product: ProductID, at start: Timestamp) {
        let period = Period(product: product, start: start, end: start.adding(days: product == "m" ? 30 : 365))
        (next, last) = (period, product)
        note("is charged for \(product) from \(start)")
        sign(period, .renewal)
    }

    private mutating func refundRunning() {
        guard var period = running else { return }
        period.isRefunded = true
        note("gets a refund of \(period.product)")
        sign(period, nil, revokedAt: now)
        // The period ends when each of its transactions is refunded.
        for seats in period.seats where period.refundedSeats.insert(seats).inserted { sign(seats, of: period, revokedAt: now) }
        (running, last) = (period, period.product)
    }

    private mutating func addSeats() {
        guard var period = running else { return }
        let seats = TransactionID("\(period.product)\(period.start.milliseconds)+\(period.seats.count)")
        period.seats.append(seats)
        running = period
        note("adds seats to \(period.product)")
        sign(seats, of: period, revokedAt: nil)
    }

    private mutating func refundSeats() {
        guard var period = running, let seats = period.seats.first(where: { !period.refundedSeats.contains($0) }) else { return }
        period.refundedSeats.insert(seats)
        running = period
        note("gets a refund of added seats of \(period.product)")
        sign(seats, of: period, revokedAt: now)
    }

    /// Signs a transaction of added seats, which has the order line of the period or its own.
    private mutating func sign(_ seats: TransactionID, of period: Period, revokedAt: Timestamp?) {
        let earlier = events.last { $0.transaction.transactionId == seats }?.transaction
        var payload =
            earlier
            ?? TransactionPayload.sample(
                id: seats, original: "100", product: period.product, type: .autoRenewable, date: now, expires: period.end)
        if earlier == nil {
            payload.webOrderLineItemId =
                Bool.random(using: &random) ? seats.rawValue : "\(period.product)\(period.start.milliseconds)"
        }
        payload.signedDate = now
        payload.transactionReason = TransactionReason.purchase.rawValue
        payload.additionalTransactionReason = AdditionalTransactionReason.seatAddition.rawValue
        payload.revocationDate = revokedAt
        events.append(SignedEvent(transaction: payload, source: "life"))
    }

    private mutating func refundNext() {
        guard var period = next else { return }
        period.isRefunded = true
        next = period
        note("gets a refund of the next period, \(period.product)")
        sign(period, .renewal, revokedAt: now)
    }

    private mutating func sign(_ period: Period, _ reason: TransactionReason?, isUpgraded: Bool? = nil, revokedAt: Timestamp? = nil) {
        let id = TransactionID("\(period.product)\(period.start.milliseconds)")
        let stated = events.last { $0.transaction.transactionId == id }?.transaction.transactionReason
        var payload = TransactionPayload.sample(
            id: id, original: "100", product: period.product, type: .autoRenewable, date: period.start, expires: period.end)
        payload.webOrderLineItemId = id.rawValue
        payload.signedDate = now
        payload.transactionReason = events.contains { $0.transaction.transactionId == id } ? stated : statesReasons ? reason?.rawValue : nil
        payload.isUpgraded = isUpgraded
        payload.revocationDate = revokedAt
        events.append(SignedEvent(transaction: payload, source: "life"))
    }

    private mutating func note(_ text: String) { transcript += "\(now) \(text)\n" }
}
