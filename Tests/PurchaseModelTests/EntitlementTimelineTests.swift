import FoundationExtras
import PurchaseTestSupport
import Testing

@testable import PurchaseModel

/// The rule about periods that were charged ahead, as a table of cases; hours are counted from the present.
@Suite struct EntitlementTimelineTests {
    private static let now = Timestamp.testStart.adding(days: 100)
    private static let month: Int64 = 30 * 24
    private static let year: Int64 = 365 * 24

    private static func date(_ hour: Int64) -> Timestamp { now.adding(seconds: hour * 3_600) }

    /// A signed transaction of the product `product` whose period is from one hour to another.
    static func period(
        _ product: ProductID, _ hours: Range<Int64>, signed: Int64? = nil, _ reason: TransactionReason? = nil, isUpgraded: Bool? = nil,
        revoked: Int64? = nil, info: RenewalInfoPayload? = nil
    ) -> SignedEvent {
        var payload = TransactionPayload.sample(
            id: TransactionID("\(product)\(hours.lowerBound)"), original: "100", product: product, type: .autoRenewable,
            date: date(hours.lowerBound), expires: date(hours.upperBound))
        payload.webOrderLineItemId = "\(product)\(hours.lowerBound)"
        payload.signedDate = date(signed ?? hours.lowerBound)
        payload.transactionReason = reason?.rawValue
        payload.isUpgraded = isUpgraded
        payload.revocationDate = revoked.map(date)
        return SignedEvent(transaction: payload, renewal: info, source: "test")
    }

    /// A signed transaction for seats that were added to a period of the product `m`.
    private static func seats(
        _ hours: Range<Int64>, revoked: Int64? = nil, reason: String = "SEAT_ADDITION", orderLine: String? = nil
    ) -> SignedEvent {
        var event = period("m", hours, .purchase, revoked: revoked)
        event.transaction.additionalTransactionReason = reason
        if let orderLine {
            event.transaction.webOrderLineItemId = orderLine
            event.transaction.transactionId = TransactionID("\(event.transaction.transactionId)+")
        }
        return event
    }

    /// Renewal info that names a product, signed at an hour.
    private static func info(_ product: ProductID, next: ProductID? = nil, signed: Int64) -> RenewalInfoPayload {
        var info = RenewalInfoPayload.sample(original: "100", product: product, date: date(signed))
        info.autoRenewProductId = next ?? product
        return info
    }

    /// A promise about signed events: the product of each hour, with a minus sign for one without access.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let events: [SignedEvent]
        /// The product that counts from each hour on.
        let products: [(hour: Int64, product: String)]
    }

    private static let charged = period("m", -48..<672, signed: -53, .renewal)
    private static let first = period("m", -768 ..< -48, signed: -768)
    private static let upgrade = period("y", -52 ..< -52 + year, .purchase, info: info("y", signed: -52))

    static let cases: [Case] = [
        Case(
            testDescription: "an upgrade replaces a renewal that was charged before it and starts after it",
            events: [first, charged, upgrade], products: [(0, "y"), (671, "y"), (673, "y"), (year - 53, "y"), (year - 51, "-y")]),
        Case(
            testDescription: "an upgrade without a reason and without renewal info replaces such a renewal, too",
            events: [first, period("m", -48..<672, signed: -53), period("y", -52 ..< -52 + year)], products: [(0, "y"), (673, "y")]),
        Case(
            testDescription: "newer renewal info names the plan when the period before the renewal is unknown",
            events: [period("m", -48..<672, signed: -53, .renewal), upgrade], products: [(0, "y"), (673, "y")]),
        Case(
            testDescription: "a renewal that is marked as upgraded stays replaced",
            events: [first, period("m", -48..<672, signed: -51, .renewal, isUpgraded: true), upgrade], products: [(0, "y"), (673, "y")]),
        Case(
            testDescription: "a replaced renewal is the period before the upgrade is known",
            events: [first, charged], products: [(0, "m"), (671, "m"), (673, "-m")]),
        Case(
            testDescription: "a refund of the upgrade does not bring the replaced renewal back",
            events: [first, charged, period("y", -52 ..< -52 + year, .purchase, revoked: -1)], products: [(0, "-y"), (100, "-y")]),
        Case(
            testDescription: "a lower plan that was charged ahead begins when the paid period ends",
            events: [period("y", -148..<20, .purchase), period("m", 20..<740, signed: -1, .renewal, info: info("m", signed: -1))],
            products: [(0, "y"), (19, "y"), (20, "m"), (739, "m"), (740, "-m")]),
        Case(
            testDescription: "a lower plan without a reason begins when the paid period ends",
            events: [period("y", -148..<20), period("m", 20..<740, signed: -1)], products: [(0, "y"), (20, "m")]),
        Case(
            testDescription: "an extension of the running period delays the plan that was charged ahead",
            events: [period("y", -148..<260, .purchase), period("m", 20..<740, signed: -1, .renewal)],
            products: [(0, "y"), (259, "y"), (260, "m"), (739, "m")]),
        Case(
            testDescription: "renewal info that is newer than the start of the next plan ends an extended period",
            events: [period("y", -148..<260, .purchase), period("m", -10..<710, .renewal, info: info("m", signed: -1))],
            products: [(0, "m"), (709, "m")]),
        Case(
            testDescription: "a refund of a period that has not begun takes nothing from the running one",
            events: [period("m", -148..<20, .purchase), period("m", 20..<740, signed: -1, .renewal, revoked: -1)],
            products: [(0, "m"), (19, "m"), (20, "-m")]),
        Case(
            testDescription: "a refund of a lower plan that has not begun leaves the paid plan until its end",
            events: [period("y", -148..<20, .purchase), period("m", 20..<740, signed: -1, .renewal, revoked: -1)],
            products: [(0, "y"), (19, "y"), (20, "-m")]),
        Case(
            testDescription: "a refund of the running period leaves the next one that was charged ahead",
            events: [period("m", -148..<20, .purchase, revoked: -1), period("m", 20..<740, signed: -2, .renewal)],
            products: [(0, "-m"), (20, "m")]),
        Case(
            testDescription: "a period that was revoked before its start never begins after a purchase in between",
            events: [
                period("y", -768..<9, .purchase), period("y", 9..<740, signed: -9, .purchase, revoked: -9),
                period("m", -6..<162, .purchase),
            ],
            products: [(0, "m"), (10, "m"), (161, "m"), (163, "-m")]),
        Case(
            testDescription: "a period that was revoked before its start says nothing about a later purchase that was revoked, too",
            events: [
                period("y", -768..<9, .purchase), period("y", 9..<740, signed: -9, .renewal, revoked: -9),
                period("m", -6..<162, .purchase, revoked: -6),
            ],
            products: [(0, "-m"), (10, "-m")]),
        Case(
            testDescription: "a period that was revoked before its start never begins, even if the purchase in between has ended by then",
            events: [period("y", 9..<740, signed: -9, .renewal, revoked: -9), period("m", -6..<2, .purchase)],
            products: [(0, "m"), (3, "-m"), (10, "-m")]),
        Case(
            testDescription: "a refund of added seats leaves the access of the period",
            events: [period("m", -148..<572, .purchase), seats(-100..<572, revoked: -1)], products: [(0, "m"), (571, "m"), (573, "-m")]),
        Case(
            testDescription: "a refund of the first seats leaves the access of the added ones",
            events: [period("m", -148..<572, .purchase, revoked: -1), seats(-100..<572)], products: [(0, "m"), (571, "m")]),
        Case(
            testDescription: "a period is revoked when each of its transactions is",
            events: [period("m", -148..<572, .purchase, revoked: -1), seats(-100..<572, revoked: -2), seats(-90..<572, revoked: -1)],
            products: [(0, "-m"), (571, "-m")]),
        Case(
            testDescription: "a refund of the last of many additions leaves the access of the period",
            events: [period("m", -148..<572, .renewal)] + (0..<12).map { seats(-100 + $0..<572, revoked: -1) },
            products: [(0, "m"), (571, "m")]),
        Case(
            testDescription: "a refund of added seats does not end the renewal that was charged ahead",
            events: [period("m", -148..<5, .purchase), seats(-100..<5, revoked: -1), period("m", 5..<700, signed: -3, .renewal)],
            products: [(0, "m"), (6, "m"), (699, "m")]),
        Case(
            testDescription: "an extension that only the first transaction states lasts, although seats were added",
            events: [period("m", -148..<700, .purchase), seats(-100..<572)], products: [(571, "m"), (573, "m"), (701, "-m")]),
        Case(
            testDescription: "a refund of added seats with the first transaction's order line leaves the access of the period",
            events: [period("m", -148..<572, .purchase), seats(-100..<572, revoked: -1, orderLine: "m-148")],
            products: [(0, "m"), (571, "m"), (573, "-m")]),
        Case(
            testDescription: "a period with one order line is revoked when each of its transactions is",
            events: [period("m", -148..<572, .purchase, revoked: -2), seats(-100..<572, revoked: -1, orderLine: "m-148")],
            products: [(0, "-m"), (571, "-m")]),
        Case(
            testDescription: "a refund of seats that were added after the renewal was charged ahead leaves both periods",
            events: [period("m", -148..<5, .purchase), period("m", 5..<700, signed: -3, .renewal), seats(-1..<5, revoked: 0)],
            products: [(0, "m"), (6, "m"), (699, "m"), (701, "-m")]),
        Case(
            testDescription: "a refund of seats that were added to a renewal that was charged ahead leaves both periods",
            events: [
                period("m", -148..<5, .purchase), period("m", 5..<700, signed: -3, .renewal),
                seats(5..<700, revoked: 0, orderLine: "added"),
            ],
            products: [(0, "m"), (6, "m"), (699, "m"), (701, "-m")]),
        Case(
            testDescription: "seats belong to their period, although a renewal of another product that was replaced lies between",
            events: [
                period("z", -800 ..< -200, .purchase), period("m", -211..<9, .purchase),
                period("z", -200 ..< -200 + year, signed: -215, .renewal, isUpgraded: true),
                period("z", 9..<9 + year, signed: -2, .renewal, revoked: 1), seats(5..<9),
            ],
            products: [(6, "m"), (10, "-z")]),
        Case(
            testDescription: "an upgrade during a period with added seats replaces the period",
            events: [period("m", -148..<572, .purchase), seats(-100..<572), period("y", -50 ..< -50 + year, .purchase, revoked: -1)],
            products: [(0, "-y")]),
        Case(
            testDescription: "an unknown reason of an additional transaction takes no access either",
            events: [period("m", -148..<572, .purchase), seats(-100..<572, revoked: -1, reason: "UNHEARD_OF")], products: [(0, "m")]),
        Case(
            testDescription: "a purchase after a refund counts at once, and so do its renewals",
            events: [
                period("y", -2_000 ..< -2_000 + year, .purchase, revoked: -1_500), period("m", -1_000 ..< -280, .purchase),
                period("m", -280..<440, signed: -290, .renewal),
            ],
            products: [(0, "m"), (439, "m")]),
        Case(
            testDescription: "a renewal counts after a refund, even if the purchase before it is missing",
            events: [period("y", -2_000 ..< -2_000 + year, .purchase, revoked: -1_500), period("m", -280..<440, .renewal)],
            products: [(0, "m")]),
        Case(
            testDescription: "a purchase counts before its date, so that a late clock takes nothing away",
            events: [period("m", -148..<20, .purchase), period("y", 1..<1 + year, .purchase)], products: [(0, "y"), (2, "y")]),
        Case(
            testDescription: "a recovered renewal counts before its date, because the period before has ended",
            events: [period("m", -768 ..< -48, .purchase), period("m", 1..<721, .renewal)], products: [(0, "m")]),
        Case(
            testDescription: "several upgrades follow a renewal that was charged ahead",
            events: [
                first, charged, upgrade, period("x", -51 ..< -51 + year, .purchase), period("z", -50 ..< -50 + year, .purchase),
            ],
            products: [(0, "z"), (673, "z")]),
        Case(
            testDescription: "a later downgrade does not bring the replaced renewal back",
            events: [
                period("m", -1_488 ..< -768), period("m", -768 ..< -48, signed: -773, .renewal),
                period("p", -772..<20, .purchase, info: info("p", signed: -772)),
                period("m", 20..<740, signed: -1, .renewal, info: info("m", signed: -1)),
            ],
            products: [(0, "p"), (19, "p"), (20, "m"), (739, "m")]),
        Case(
            testDescription: "a renewal inside a longer period counts, because the upgrade before it is missing",
            events: [period("y", -2_000 ..< -2_000 + year, .purchase), period("m", -280..<440, .renewal)], products: [(0, "m"), (439, "m")]),
        Case(
            testDescription: "a lower plan begins at its date, a second after the paid period",
            events: [period("y", -148..<20, .purchase), late(period("m", 20..<740, signed: -1, .renewal))], products: [(0, "y"), (21, "m")]),
        Case(
            testDescription: "a restored transaction of the replaced renewal changes nothing",
            events: [first, charged, upgrade, restored(charged, at: -2)], products: [(0, "y"), (673, "y")]),
    ]

    /// A period that starts a second late.
    private static func late(_ event: SignedEvent) -> SignedEvent {
        var copy = event
        copy.transaction.purchaseDate = event.transaction.purchaseDate.adding(seconds: 1)
        return copy
    }

    /// A restored transaction of a period, which has its order line and a later purchase date.
    private static func restored(_ event: SignedEvent, at hour: Int64) -> SignedEvent {
        var copy = event
        copy.transaction.transactionId = TransactionID("\(event.transaction.transactionId)9")
        (copy.transaction.purchaseDate, copy.transaction.signedDate) = (date(hour), date(hour))
        copy.transaction.transactionReason = TransactionReason.purchase.rawValue
        return copy
    }

    /// The product at a date, with a minus sign if it gives no access.
    private static func product(_ entitlement: Entitlement?, at date: Timestamp) -> String? {
        entitlement.map { ($0.access(at: date).isGranted ? "" : "-") + $0.productID.rawValue }
    }

    @Test(arguments: cases)
    func `the period that covers a moment decides, in any order of arrival`(_ example: Case) throws {
        for offset in example.events.indices {
            let rotated = Array(example.events[offset...] + example.events[..<offset])
            for events in [rotated, rotated.reversed() + rotated] {
                let timeline = try #require(EntitlementProjection.timeline(events))
                for (hour, product) in example.products {
                    #expect(Self.product(timeline.entitlement(at: Self.date(hour)), at: Self.date(hour)) == product, "hour \(hour)")
                }
                // The present and the same moment as a past date are one rule, unless the device's clock is late.
                guard events.allSatisfy({ $0.signedDate <= Self.now }) else { continue }
                let present = EntitlementProjection.project(events, at: Self.now)
                #expect(Self.product(present, at: Self.now) == example.products[0].product)
            }
        }
    }

    @Test(arguments: cases)
    func `the evidence alone results in the same timeline`(_ example: Case) throws {
        let deciding = try #require(DecidingEvents(of: example.events))
        let evidence = EntitlementProjection.evidence(of: deciding)
        #expect(evidence.events.count <= 5)
        #expect(EntitlementProjection.timeline(evidence.events) == EntitlementProjection.timeline(from: deciding))
    }

    @Test func `a timeline is encoded as its latest entitlement, and an entitlement alone is read`() throws {
        let lower = try #require(Self.cases.first { $0.testDescription.hasPrefix("a lower plan that") })
        let timeline = try #require(EntitlementProjection.timeline(lower.events))
        #expect(timeline.preceding != nil)
        let json = try WireJSON.encode(timeline)
        #expect(try WireJSON.decode(EntitlementTimeline.self, from: json) == timeline)
        #expect(try WireJSON.decode(Entitlement.self, from: json) == timeline.latest)
        let alone = try WireJSON.encode(timeline.latest)
        #expect(try WireJSON.decode(EntitlementTimeline.self, from: alone) == EntitlementTimeline(latest: timeline.latest))
        #expect(timeline.preceding?.entitlement.renewsTo == "m")
    }

    // MARK: Random lives

    @Test func `random lives with renewals that were charged ahead give the plan that was paid for`() throws {
        var faults = 0
        for seed in UInt64(0)..<200 {
            var life = SubscriptionLife(seed: seed)
            for _ in 0..<12 {
                life.step()
                let events = life.shuffledEvents()
                let timeline = try #require(EntitlementProjection.timeline(events))
                for date in life.moments {
                    let expected = life.product(at: date)
                    let product = Self.product(timeline.entitlement(at: date), at: date)
                    #expect(product == expected, "seed \(seed) at \(date)\n\(life.transcript)")
                    if Self.product(Self.latestPurchaseWins(events), at: date) != expected { faults += 1 }
                }
                let past = EntitlementProjection.project(events, at: life.now)
                #expect(Self.product(past, at: life.now) == life.product(at: life.now), "seed \(seed)\n\(life.transcript)")
            }
        }
        // The rule that the latest purchase date wins is found to be wrong by the same lives.
        #expect(faults > 0)
    }

    /// The entitlement by the rule that the latest purchase date wins, which ignores what covers the moment.
    private static func latestPurchaseWins(_ events: [SignedEvent]) -> Entitlement? {
        DecidingEvents(of: events).map { EntitlementTimeline(first: $0.latest.revocation ?? $0.latest.current).latest }
    }
}
