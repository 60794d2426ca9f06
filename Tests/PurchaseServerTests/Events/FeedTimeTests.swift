import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// The events that time causes, and those of changes that come before or after them.
@Suite struct FeedTimeTests {
    private static let end = FeedTests.end
    private static let month = FeedTests.month

    @Test func `an end that no search has found yet comes before the change of a later message`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(Self.month)
            let date = Self.end.adding(seconds: 3_600)
            let next = Self.month.with {
                $0.transactionId = "3001"
                ($0.purchaseDate, $0.signedDate, $0.expiresDate) = (date, date, date.adding(days: 30))
            }
            shop.clock.set(date)
            let types = try await shop.types {
                _ = try await shop.notify(.about(next, FeedTests.renewal(signed: date), type: "DID_RENEW", uuid: "l1"))
            }
            #expect(types == ["entitlement.ended", "subscription.renewed", "entitlement.activated"])
            let ended = try #require(try await shop.events().first { $0.type == .entitlementEnded })
            #expect(ended.happenedAt == Self.end && ended.cause == .time && ended.reason == "expired")
            #expect(try await shop.events().last?.cause == .notification)
            let repeated = try await shop.types { try await shop.advanceFeed() }
            #expect(repeated == [])
        }
    }

    @Test func `a clock that goes back changes no answer back, and loses no event`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(Self.month)
            shop.clock.set(Self.end.adding(seconds: 10))
            try await shop.advanceFeed()
            shop.clock.set(Self.end.adding(seconds: -10))
            let types = try await shop.types {
                try await shop.record(.bookSale)
                try await shop.advanceFeed()
            }
            #expect(types == ["purchase.recorded", "entitlement.activated"])
            #expect(try await shop.folded()[Shop.customer]?.map(\.isActive) == [true, false])
            let ordinals = try await shop.server.storage.read(.test) { try $0.feedEvents(after: 0, limit: 99) }.map(\.event.ordinal)
            #expect(ordinals == ordinals.sorted())
            shop.clock.set(Self.end.adding(seconds: 20))
            let later = try await shop.types { try await shop.advanceFeed() }
            #expect(later == [])
        }
    }

    @Test func `a customer whose stated answer is damaged has events again with the next change`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(Self.month)
            try await shop.server.storage.write(.test) { records in
                var customer = try #require(try records.feedCustomer(Shop.customer))
                customer.entitlements = "{\"entitlements\":[{"
                try records.put(customer)
            }
            shop.clock.set(Self.end)
            let ended = try await shop.types { try await shop.advanceFeed() }
            #expect(ended == ["entitlement.ended"])
            let types = try await shop.types { try await shop.record(.bookSale) }
            #expect(types == ["purchase.recorded", "entitlement.activated"])
        }
    }

    @Test func `a customer whose purchases can't be read does not delay the events of others`() async throws {
        try await Shop.open { shop async throws in
            let customers = (1...12).map { CustomerID("000000\($0 + 10)-1111-4222-8333-444444444444") }
            for (index, customer) in customers.enumerated() {
                let id = TransactionID("\(4_000 + index)")
                try await shop.record(
                    Self.month.with { ($0.transactionId, $0.originalTransactionId, $0.appAccountToken) = (id, id, customer) })
            }
            let damaged = customers[3]
            try await shop.server.storage.write(.test) { records in
                let records = try #require(records as? SQLTransaction)
                try records.execute("UPDATE customer_purchase SET entitlement = '{' WHERE app = ?1 AND customer = ?", damaged.rawValue)
            }
            shop.clock.set(Self.end)
            try await shop.advanceFeed()
            let ended = try await shop.events().filter { $0.type == .entitlementEnded }.compactMap(\.customer)
            #expect(ended.sorted() == customers.filter { $0 != damaged }.sorted())
            let postponed = try await shop.server.storage.read(.test) { try $0.feedCustomer(damaged) }
            #expect(postponed?.dueAt == Self.end.adding(seconds: 3_600))
            // A comparison of all customers passes the damaged one, too.
            try await shop.feed.comparison.compareAll(.rebuild)
        }
    }

    @Test func `a purchase of a customer whose other purchases can't be read is recorded, with the events that can be computed`()
        async throws
    {
        try await Shop.open { shop async throws in
            try await shop.record(Self.month)
            try await shop.server.storage.write(.test) { records in
                let records = try #require(records as? SQLTransaction)
                try records.execute(
                    "UPDATE customer_purchase SET entitlement = '{' WHERE app = ?1 AND customer = ?", Shop.customer.rawValue)
            }
            let types = try await shop.types { try await shop.record(.bookSale) }
            #expect(types == ["purchase.recorded"])
            let due = try await shop.server.storage.read(.test) { try $0.feedCustomer(Shop.customer) }?.dueAt
            #expect(due == shop.clock.now)
        }
    }

    @Test func `a seat that ends while a member has no stated answer ends an entitlement`() async throws {
        try await TeamShop.open { team in
            let shop = team.shop
            try await team.join(TeamShop.ann)
            try await shop.removeFeed()
            team.clock.advance(seconds: 1)
            _ = try await team.release(TeamShop.ann)
            let types = try await shop.events().filter { $0.customer == TeamShop.ann }.map(\.type)
            #expect(types.contains(.entitlementEnded), "\(types)")
        }
    }

    @Test func `the date of a wrong clock does not delay later events`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(Self.month)
            shop.clock.set(Self.end.adding(days: 365))
            try await shop.advanceFeed()
            shop.clock.set(Self.end.adding(days: -1))
            let types = try await shop.types { try await shop.record(.bookSale) }
            #expect(types == ["purchase.recorded", "entitlement.activated", "entitlement.activated"])
            #expect(try await shop.folded()[Shop.customer]?.map(\.isActive) == [true, true])
        }
    }

    @Test func `the members of a large team have their events after the transaction of the change`() async throws {
        try await TeamShop.open { team in
            let shop = team.shop
            let members = (1...60).map { CustomerID("0000\(1_000 + $0)-1111-4222-8333-444444444444") }
            for member in members {
                try await team.app.storage.write(.test) { [date = team.clock.now] records in
                    var claim = SeatClaim(
                        team: TeamShop.team, requestIdentifier: member.rawValue, customer: member, invitation: "i",
                        appTransactionID: nil, requestedAt: date)
                    claim.claimedAt = date
                    claim.seatClaimID = "claim-\(member)"
                    try records.put(claim)
                }
            }
            func count(_ type: FeedEventType) async throws -> Int {
                try await shop.events().count { $0.type == type && $0.customer.map(members.contains) ?? false }
            }
            #expect(try await count(.entitlementActivated) == 60)
            team.clock.advance(seconds: 1)
            _ = try await shop.notify(.about(TransactionPayload.seats(3).refunded(), type: "REFUND", uuid: "t1"))
            #expect(try await count(.entitlementEnded) == 0)
            try await shop.feed.comparison.compareTeams()
            #expect(try await count(.entitlementEnded) == 60)
            #expect(try await shop.events().last?.cause == .notification)
            #expect(try await shop.server.storage.read(.test) { try $0.nextFeedTeam() } == nil)
        }
    }
}

/// The server that compares all customers with their events, of several servers with different rules.
@Suite struct FeedSweepTests {
    private static let now = Timestamp.testStart
    private static let complete = sweep("a", pass: 1, completedAt: now)

    private static func sweep(
        _ rules: String, revision: Int64 = 1, pass: Int = 1, last: CustomerID? = nil, lease: Int64 = 0, completedAt: Timestamp? = nil
    ) -> FeedSweep {
        FeedSweep(
            rules: rules, revision: revision, pass: pass, last: last, leasedUntil: now.adding(seconds: lease), completedAt: completedAt)
    }

    static let cases: [(String, FeedSweep?, Bool, Int64, FeedSweep?)] = [
        ("the first comparison", nil, false, 0, sweep("b", lease: 60)),
        ("other rules", complete, false, 0, sweep("b", lease: 60)),
        ("other rules, of a server that began once", complete, true, 0, nil),
        ("the rules of a newer catalog", sweep("a", revision: 2, completedAt: now), false, 0, nil),
        ("a comparison that another server continues", sweep("b", last: "7", lease: 1), false, 0, nil),
        ("a comparison of a stopped server", sweep("b", last: "7", lease: 0), false, 0, sweep("b", last: "7", lease: 60)),
        ("a complete comparison", sweep("b", completedAt: now), true, 599, nil),
        ("the repetition", sweep("b", completedAt: now), true, 600, sweep("b", pass: 2, lease: 660)),
        ("a complete repetition", sweep("b", pass: 2, completedAt: now), true, 9_999, nil),
        ("rules that another server has turned back", sweep("a", pass: 2, completedAt: now), true, 1_199, nil),
        ("rules that a removed server has turned back", sweep("a", pass: 2, completedAt: now), true, 1_200, sweep("b", lease: 1_260)),
    ]

    @Test(arguments: cases) func `a server begins a comparison once, and continues the comparison of a stopped server`(
        _ name: String, _ stored: FeedSweep?, _ hasBegun: Bool, _ seconds: Int64, _ claimed: FeedSweep?
    ) {
        let rules = FeedSweep.Rules(digest: "b", revision: 1)
        #expect(FeedSweep.claimed(stored, by: rules, hasBegun: hasBegun, at: Self.now.adding(seconds: seconds)) == claimed, "\(name)")
    }
}
