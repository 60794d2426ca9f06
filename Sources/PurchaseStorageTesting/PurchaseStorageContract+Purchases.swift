import PurchaseModel
import PurchaseStorage

extension PurchaseStorageContract {
    static let purchaseChecks: [Check] = [
        Check(description: "an event is stored once, with its signed data") { storage, events in
            let event = try await events.event(events.transaction("1"))
            let stored = try await storage.write(app) { records in
                [try records.insert(event, receivedAt: ContractEvents.start), try records.insert(event, receivedAt: ContractEvents.start)]
            }
            try expect(stored, equals: [true, false], "whether the event was new")
            let (all, evidence) = try await storage.read(app) { records in
                (try records.events(of: "1", limit: 9), try records.decidingEvidence(of: "1"))
            }
            let expected = StoredEvent(evidence: event.evidence, event: event.event, receivedAt: ContractEvents.start)
            try expect(
                all, equals: [ReceivedEvent(event: event.event, receivedAt: ContractEvents.start)], "the events of the purchase")
            try expect(evidence, equals: [expected], "the deciding events with their signed data")
        },
        Check(description: "of the events without renewal info that state the same, the one signed last is stored") { storage, events in
            let signed = try await [0, 2, 1].asyncMap { try await events.event(events.transaction("1", signed: $0)) }
            let other = try await events.event(events.transaction("1", signed: 1), source: "TEST")
            let stored = try await storage.write(app) { records in
                try (signed + [other]).map { try records.insert($0, receivedAt: ContractEvents.start) }
            }
            try expect(stored, equals: [true, true, false, true], "whether the events changed what is stored")
            let (all, latest, evidence) = try await storage.read(app) { records in
                (
                    try records.events(of: "1", limit: 9).map(\.event), try records.events(of: "1", limit: 1).map(\.event),
                    try records.decidingEvidence(of: "1").map(\.evidence)
                )
            }
            try expect(all, equals: [other.event, signed[1].event], "the events of the purchase")
            try expect(latest, equals: [signed[1].event], "the latest event of the purchase")
            try expect(evidence, equals: [signed[1].evidence], "the signed data of the deciding event")
        },
        Check(description: "the deciding events and revoked shares do not depend on the order of events") { storage, events in
            let all = try await histories(events)
            for (name, history) in all {
                let signedEvents = history.map(\.event)
                let charges = Set(signedEvents.compactMap { CreditRule.charge(of: $0.transaction) })
                for (number, order) in orders(history).enumerated() {
                    let app = BundleID("\(app).\(name).\(number)")
                    let (deciding, evidence, shares, token) = try await storage.write(app) { records in
                        // The first event of every second order is stored as the first of its purchase.
                        if number.isMultiple(of: 2) { try records.insertFirst(order[0], receivedAt: ContractEvents.start) }
                        for event in order.dropFirst(number.isMultiple(of: 2) ? 1 : 0) + order.prefix(2) {
                            _ = try records.insert(event, receivedAt: ContractEvents.start)
                        }
                        let shares = try charges.map { ($0, try records.revokedPercentage(ofCharge: $0, of: "1")) }
                        return (
                            try records.decidingEvents(of: "1"), try records.decidingEvidence(of: "1").map(\.event),
                            Dictionary(uniqueKeysWithValues: shares),
                            try records.decidingEvents(of: "1").flatMap {
                                try records.appAccountToken(
                                    of: "1", in: EntitlementProjection.timelineAndPeriod(from: $0).latest.current.transaction.periodID)
                            }
                        )
                    }
                    try expect(deciding, equals: DecidingEvents(of: signedEvents), "the deciding events of \(name), order \(number)")
                    let expected = deciding.map { EntitlementProjection.evidence(of: $0).events } ?? []
                    try expect(Set(evidence), equals: expected, "the deciding evidence of \(name), order \(number)")
                    for charge in charges {
                        let transactions = signedEvents.map(\.transaction).filter { CreditRule.charge(of: $0) == charge }
                        try expect(
                            shares[charge], equals: CreditRule.revokedPercentage(by: transactions), "the share of \(name), order \(number)")
                    }
                    let number = ["tokens": 3, "upgrade with another token": 1][name]
                    try expect(token, equals: number.map { CustomerID("0b0b0b0b-0000-4000-8000-00000000000\($0)") }, "the token of \(name)")
                }
            }
        },
        Check(description: "the transactions of a purchase are its newest versions in the order of their periods") { storage, events in
            let old = try await events.event(events.transaction("12", of: "1", type: .autoRenewable, period: 1))
            let new = try await events.event(events.transaction("12", of: "1", type: .autoRenewable, period: 1, signed: 5))
            let first = try await events.event(events.transaction("11", of: "1", type: .autoRenewable, period: 0))
            try await storage.write(app) { records in
                for event in [new, old, first] { _ = try records.insert(event, receivedAt: ContractEvents.start) }
            }
            let (all, one, latest) = try await storage.read(app) { records in
                (try records.transactions(of: "1"), try records.transaction("12", of: "1"), try records.latestTransactions(limit: 1))
            }
            try expect(all, equals: [first.event, new.event], "the transactions")
            try expect(one, equals: new.event, "the newest version of a transaction")
            try expect(latest, equals: [new.event], "the latest transaction")
        },
        Check(description: "a purchase is listed for the customer to whom it belongs") { storage, events in
            let event = try await events.event(events.transaction("1"))
            let (first, second): (CustomerID, CustomerID) = ("first", "second")
            let unattributed = PurchaseRecord(
                timeline: EntitlementTimeline(first: event.event))
            var attributed = unattributed
            (attributed.customer, attributed.attribution) = (first, .appAccountToken)
            var transferred = unattributed
            (transferred.customer, transferred.attribution) = (second, .deviceVerification)
            for isRead in [false, true] {
                let app = BundleID("\(app).\(isRead)")
                var earlier: PurchaseRecord?
                for (record, expected) in [
                    (unattributed, [[], []]), (attributed, [[attributed], []]), (transferred, [[], [transferred]]),
                    (unattributed, [[], []]),
                ] {
                    try await storage.write(app) { [earlier] records in
                        if isRead { try records.put(record, replacing: earlier) } else { try records.put(record) }
                    }
                    earlier = record
                    let (stored, lists) = try await storage.read(app) { records in
                        (try records.purchase("1"), [try records.purchases(of: first), try records.purchases(of: second)])
                    }
                    try expect(stored, equals: record, "the stored purchase")
                    try expect(lists, equals: expected, "the purchases of two customers")
                }
            }
        },
        Check(description: "a shared purchase is listed for every customer who has it") { storage, events in
            let event = try await events.event(events.transaction("1"))
            let (owner, first, second): (CustomerID, CustomerID, CustomerID) = ("owner", "first", "second")
            var purchase = PurchaseRecord(
                timeline: EntitlementTimeline(first: event.event), customer: owner,
                attribution: .appAccountToken)
            for sharedWith in [[first, second], [second], []] {
                purchase.sharedWith = sharedWith
                try await storage.write(app) { [purchase] in try $0.put(purchase) }
                let (stored, lists) = try await storage.read(app) { records in
                    (try records.purchase("1"), try [owner, first, second].map { try records.purchases(of: $0) })
                }
                try expect(stored, equals: purchase, "the stored purchase")
                for (customer, list) in zip([owner, first, second], lists) {
                    let isHolder = customer == owner || sharedWith.contains(customer)
                    try expect(list.map(\.customer), equals: isHolder ? [owner] : [], "the owner of the purchase of \(customer)")
                    try expect(list.map(\.entitlement), equals: isHolder ? [purchase.entitlement] : [], "the entitlement of \(customer)")
                }
            }
        },
        Check(description: "the purchases of a customer are found by the product of their entitlements") { storage, events in
            let customer: CustomerID = "customer"
            func record(_ id: String, _ product: ProductID, of customer: CustomerID = "customer") async throws -> PurchaseRecord {
                var transaction = events.transaction(id)
                transaction.productId = product
                let event = try await events.event(transaction)
                return PurchaseRecord(
                    timeline: EntitlementTimeline(first: event.event), customer: customer,
                    attribution: .backend)
            }
            let (first, second) = (try await record("1", "b"), try await record("2", "b"))
            let (upgraded, other) = (try await record("1", "a"), try await record("3", "c", of: "other"))
            for (changed, a, b) in [
                (first, [], [first]), (second, [], [first, second]), (other, [], [first, second]), (upgraded, [upgraded], [second]),
            ] {
                let (products, found) = try await storage.write(app) { records in
                    try records.put(changed)
                    let found = try ["a", "b", "c"].map { try records.purchases(of: customer, product: $0) }
                    return (try records.products(of: customer), found)
                }
                try expect(products, equals: a.isEmpty ? ["b"] : ["a", "b"], "the products of a customer")
                try expect(found, equals: [a, b, []], "the purchases of three products")
            }
        },
        Check(description: "what a customer with few purchases holds is read at once") { storage, events in
            let (customer, other): (CustomerID, CustomerID) = ("customer", "other")
            func record(_ id: String, _ product: ProductID, of owner: CustomerID, sharedWith: [CustomerID] = []) async throws
                -> PurchaseRecord
            {
                var transaction = events.transaction(id)
                transaction.productId = product
                let event = try await events.event(transaction)
                return PurchaseRecord(
                    timeline: EntitlementTimeline(first: event.event), customer: owner,
                    attribution: .backend, sharedWith: sharedWith)
            }
            let own = [try await record("2", "a", of: customer), try await record("1", "b", of: customer)]
            let shared = try await record("3", "c", of: other, sharedWith: [customer])
            func day(_ number: Int64) -> Timestamp { ContractEvents.start.adding(seconds: number * 86_400) }
            let grants = [
                EntitlementGrant(
                    customer: customer, entitlement: "pro", grantedAt: day(0), until: nil, reason: "test", revokedAt: day(5)),
                EntitlementGrant(customer: customer, entitlement: "basic", grantedAt: day(1), until: day(9), reason: ""),
            ]
            try await storage.write(app) { records in
                for purchase in own + [shared] { try records.put(purchase) }
                for grant in grants.reversed() { try records.put(grant) }
                try records.put(CustomerRecord(id: other, createdAt: ContractEvents.start, mergedInto: customer))
            }
            let (all, some, tooMany, merged, unknown) = try await storage.readCommitted(app) { records in
                (
                    try records.holdings(of: customer, limit: 3) { _ in true },
                    try records.holdings(of: customer, limit: 3) { $0 == "b" },
                    try records.holdings(of: customer, limit: 2) { $0 == "b" },
                    try records.holdings(of: other, limit: 3) { _ in true },
                    try records.holdings(of: "unknown", limit: 3) { _ in true }
                )
            }
            let lists = try await storage.read(app) { try $0.purchases(of: customer) }
            try expect(all?.purchases, equals: lists.sorted { $0.entitlement.productID < $1.entitlement.productID }, "all purchases")
            try expect(all?.grants, equals: grants, "the grants")
            try expect(all?.mergedInto, equals: nil, "the customer who has not been merged")
            try expect(some?.purchases, equals: [own[1]], "the purchases of one product")
            try expect(tooMany, equals: nil, "more purchases than the limit")
            try expect(merged?.mergedInto, equals: customer, "the customer into whom another was merged")
            try expect(unknown, equals: CustomerHoldings(), "an unknown customer")
        },
        Check(description: "the claims of a purchase are listed, oldest first") { storage, _ in
            let outcomes: [PurchaseClaim.Outcome] = [.owner, .transferred, .shared, .refused, .refusedForLimit]
            let claims = outcomes.enumerated().map { number, outcome in
                PurchaseClaim(
                    purchase: "1", customer: CustomerID("\(number)"), attribution: number == 0 ? .backend : .deviceVerification,
                    outcome: outcome, previous: number == 0 ? nil : CustomerID("\(number - 1)"), date: ContractEvents.start)
            }
            for claim in claims { try await storage.write(app) { try $0.insert(claim) } }
            let (stored, other) = try await storage.read(app) { (try $0.claims(of: "1"), try $0.claims(of: "2")) }
            try expect(stored, equals: claims, "the claims")
            try expect(other, equals: [], "the claims of another purchase")
        },
    ]

    /// Histories of one purchase that differ in what decides its entitlement.
    private static func histories(_ events: ContractEvents) async throws -> [(String, [VerifiedEvent])] {
        func period(_ number: Int64, signed day: Int64) -> TransactionPayload {
            events.transaction("1\(number)", of: "1", type: .autoRenewable, period: number, signed: day)
        }
        func renewal(signed day: Int64, _ status: Int = 1) -> RenewalInfoPayload {
            RenewalInfoPayload(
                originalTransactionId: "1", productId: "product", autoRenewStatus: status, environment: "Sandbox",
                signedDate: ContractEvents.start.adding(days: day))
        }
        let owned = events.transaction("1", type: .nonConsumable)
        let restored = events.transaction("2", of: "1", type: .nonConsumable, signed: 3)
        // A year that an upgrade to monthly periods replaces, with a restored transaction that is later than the upgrade.
        var year = events.transaction("10", of: "1", type: .autoRenewable, period: 0)
        (year.webOrderLineItemId, year.expiresDate) = ("800", ContractEvents.start.adding(days: 365))
        var replaced = year
        (replaced.isUpgraded, replaced.signedDate) = (true, ContractEvents.start.adding(days: 40))
        var restoredYear = replaced
        (restoredYear.transactionId, restoredYear.purchaseDate) = ("19", ContractEvents.start.adding(days: 39))
        var seats = (1...3).map { period(1, signed: 30 + Int64($0)) }
        for index in seats.indices {
            seats[index].transactionId = TransactionID("2\(index)")
            seats[index].additionalTransactionReason = AdditionalTransactionReason.seatAddition.rawValue
        }
        seats[2].webOrderLineItemId = "93"
        var tokens = (1...3).map { period(Int64($0), signed: Int64(30 * $0)) }
        for index in tokens.indices { tokens[index].appAccountToken = CustomerID("0b0b0b0b-0000-4000-8000-00000000000\(index + 1)") }
        var yearWithToken = year
        yearWithToken.appAccountToken = tokens[1].appAccountToken
        return [
            (
                "renewals",
                [
                    try await events.event(period(0, signed: 0), renewal(signed: 0), source: "SUBSCRIBED"),
                    try await events.event(period(1, signed: 30), renewal(signed: 30), source: "DID_RENEW"),
                    try await events.event(period(1, signed: 30), renewal(signed: 31, 0), source: "DID_CHANGE_RENEWAL_STATUS"),
                    try await events.event(events.revoked(period(0, signed: 0), signed: 32), source: "REFUND"),
                    try await events.event(period(2, signed: 60)),
                ]
            ),
            (
                "refunds",
                [
                    try await events.event(owned), try await events.event(restored),
                    try await events.event(events.revoked(owned, signed: 5), source: "REFUND"),
                    try await events.event(events.transaction("1", type: .nonConsumable, signed: 9), source: "REFUND_REVERSED"),
                    try await events.event(events.revoked(owned, percentage: 40_000, signed: 12), source: "REFUND"),
                ]
            ),
            (
                "restored refund",
                [
                    try await events.event(owned), try await events.event(restored),
                    try await events.event(events.revoked(owned, signed: 5), source: "REFUND"),
                ]
            ),
            (
                "reversed refund of a restored purchase",
                [
                    try await events.event(owned), try await events.event(events.revoked(owned, signed: 5), source: "REFUND"),
                    try await events.event(events.revoked(restored, signed: 7)),
                    try await events.event(events.transaction("1", type: .nonConsumable, signed: 9), source: "REFUND_REVERSED"),
                ]
            ),
            ("upgrade", try await [events.event(year), events.event(period(1, signed: 30)), events.event(restoredYear)]),
            (
                "resubscription after a refund",
                [
                    try await events.event(year), try await events.event(events.revoked(year, signed: 20), source: "REFUND"),
                    try await events.event(period(1, signed: 30), renewal(signed: 30), source: "SUBSCRIBED RESUBSCRIBE"),
                ]
            ),
            (
                "refunds of added seats",
                [
                    try await events.event(seats[0]), try await events.event(seats[1]), try await events.event(seats[2]),
                    try await events.event(events.revoked(seats[1], signed: 36), source: "REFUND"),
                    try await events.event(events.revoked(seats[2], signed: 35), source: "REFUND"),
                ]
            ),
            (
                "refunds of all seats",
                [
                    try await events.event(seats[0]), try await events.event(seats[1]), try await events.event(seats[2]),
                    try await events.event(events.revoked(seats[0], signed: 35), source: "REFUND"),
                    try await events.event(events.revoked(seats[1], signed: 36), source: "REFUND"),
                    try await events.event(events.revoked(seats[2], signed: 37), source: "REFUND"),
                ]
            ),
            ("upgrade with another token", try await [events.event(yearWithToken), events.event(tokens[0])]),
            ("tokens", try await [events.event(tokens[0]), events.event(tokens[2]), events.event(tokens[1])]),
        ]
    }

    /// Rotations of a list, forward and backward.
    private static func orders(_ events: [VerifiedEvent]) -> [[VerifiedEvent]] {
        events.indices.flatMap { index in
            let rotated = Array(events[index...] + events[..<index])
            return [rotated, rotated.reversed()]
        }
    }
}

extension Array {
    /// Returns the results of an asynchronous function for each element, in the order of the elements.
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
