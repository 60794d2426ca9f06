import PurchaseModel
import PurchaseStorage

extension PurchaseStorageContract {
    static let feedChecks: [Check] = [
        Check(description: "events have positions without gaps, and the events of a customer keep their order") { storage, _ in
            let (first, second) = (feedEvent("a", of: "1", ordinal: 5), feedEvent("b", of: nil, ordinal: 3))
            let third = feedEvent("c", of: "1", ordinal: 6)
            try await storage.write(app) { try $0.insert([first, second]) }
            try await storage.write(app) { try $0.insert([third]) }
            try await publishAll(storage)
            let (events, page, rest, positions) = try await storage.read(app) { records in
                (
                    try records.feedEvents(after: 0, limit: 9), try records.feedEvents(after: 0, limit: 2),
                    try records.feedEvents(after: 2, limit: 9), try records.feedPositions()
                )
            }
            try expect(events.map(\.position), equals: [1, 2, 3], "the positions")
            try expect(events.map(\.event.id).filter { $0 != "b" }, equals: ["a", "c"], "the events of the customer")
            try expect(Set(events.map(\.event)), equals: [first, second, third], "the events")
            try expect(page, equals: Array(events.prefix(2)), "a page of two events")
            try expect(rest, equals: Array(events.suffix(1)), "the events after the second position")
            try expect(positions, equals: FeedPositions(newest: 3), "the positions of the feed")
            let other = try await storage.read("com.example.other") { try $0.feedEvents(after: 0, limit: 9) }
            try expect(other, equals: [], "the events of another app")
        },
        Check(description: "an event of a failed transaction has no position") { storage, _ in
            do {
                try await storage.write(app) { records in
                    try records.insert([feedEvent("a", of: nil, ordinal: 1)])
                    throw ContractViolation(description: "undone")
                }
            } catch is ContractViolation {}
            try await storage.write(app) { try $0.insert([feedEvent("b", of: nil, ordinal: 2)]) }
            try await publishAll(storage)
            let events = try await storage.read(app) { try $0.feedEvents(after: 0, limit: 9) }
            try expect(events.map(\.position), equals: [1], "the positions")
            try expect(events.map(\.event.id), equals: ["b"], "the events")
        },
        Check(description: "a long feed is read by pages, and its oldest events are removed") { storage, _ in
            let count: Int64 = 2_100
            try await storage.write(app) { records in
                try records.insert((1...count).map { feedEvent("\($0)", of: "1", ordinal: $0, at: date($0)) })
            }
            try await publishAll(storage)
            let page = try await storage.read(app) { try $0.feedEvents(after: 1_000, limit: 1_100) }
            try expect(page.map(\.position), equals: Array(1_001...count), "the positions of a page over blocks")
            let removed = try await storage.write(app) { records in
                [
                    try records.removeFeedEvents(recordedBefore: date(2_001), limit: 1_500),
                    try records.removeFeedEvents(recordedBefore: date(2_001), limit: 1_500),
                    try records.removeFeedEvents(recordedBefore: date(2_001), limit: 1_500),
                ]
            }
            try expect(removed, equals: [1_500, 500, 0], "the numbers of removed events")
            let (rest, positions) = try await storage.read(app) { (try $0.feedEvents(after: 0, limit: 1_000), try $0.feedPositions()) }
            try expect(rest.first?.position ?? 2_001, equals: 2_001, "the oldest position")
            try expect(positions, equals: FeedPositions(newest: count, removed: 2_000), "the positions of the feed")
        },
        Check(description: "a customer is replaced, and is due at the date of the next change") { storage, _ in
            var first = FeedCustomer(customer: "1", ordinal: 1, dueAt: date(5), checkedAt: date(0), entitlements: "[]")
            let second = FeedCustomer(customer: "2", ordinal: 2, dueAt: nil, checkedAt: date(1), entitlements: nil)
            try await storage.write(app) { [first] records in
                try records.put(first)
                try records.put(second)
            }
            first.ordinal = 7
            try await storage.write(app) { [first] in try $0.put(first) }
            let partition = QueuePartition.number(ofCustomer: "1")
            let found = try await storage.write(app) { records in
                (
                    try records.feedCustomer("1"), try records.feedCustomer("2"), try records.feedCustomer("3"),
                    try records.claimFeedCustomers(in: partition, dueAt: date(5), limit: 9),
                    try records.claimFeedCustomers(in: partition, dueAt: date(4), limit: 9)
                )
            }
            try expect(found.0, equals: first, "a replaced customer")
            try expect(found.1, equals: second, "a customer without a next change")
            try expect(found.2, equals: nil, "an unknown customer")
            try expect(found.3, equals: [first], "the due customers")
            try expect(found.4, equals: [], "the customers who are due earlier")
            let earliest = try await storage.read(app) { records in
                [
                    try records.earliestFeedChange(in: partition, dueAt: date(5)),
                    try records.earliestFeedChange(in: partition, dueAt: date(4)),
                ]
            }
            try expect(earliest, equals: [date(5), nil], "the earliest dates")
        },
        Check(description: "the customers with purchases, grants, seats and events are listed once, page by page") { storage, events in
            let event = try await events.event(events.transaction("1"))
            let grant = EntitlementGrant(customer: "b", entitlement: "vip", grantedAt: date(1), until: nil, reason: "")
            let claim = SeatClaim(
                team: "1", requestIdentifier: "r", customer: "c", invitation: "i", appTransactionID: nil, requestedAt: date(1))
            try await storage.write(app) { records in
                _ = try records.insert(event, receivedAt: date(1))
                try records.put(
                    PurchaseRecord(
                        timeline: EntitlementTimeline(first: event.event), customer: "a", attribution: .backend, sharedWith: ["b"]))
                try records.put(grant)
                try records.put(claim)
                for customer: CustomerID in ["b", "d"] {
                    try records.put(FeedCustomer(customer: customer, ordinal: 1, dueAt: nil, checkedAt: date(1), entitlements: nil))
                }
            }
            let found = try await storage.read(app) { records in
                (
                    try records.feedCustomers(after: nil, limit: 2), try records.feedCustomers(after: "b", limit: 2),
                    try records.seatHolders(of: "1", after: nil, limit: 9), try records.seatHolders(of: "2", after: nil, limit: 9),
                    try records.seatHolders(of: "1", after: "c", limit: 9)
                )
            }
            try expect(found.0, equals: ["a", "b"], "the first customers")
            try expect(found.1, equals: ["c", "d"], "the next customers")
            try expect(found.2, equals: ["c"], "the members of the team")
            try expect(found.3, equals: [], "the members of an unknown team")
            try expect(found.4, equals: [], "the members after the last member")
        },
        Check(description: "the comparison of all customers is replaced, and keeps the positions") { storage, _ in
            try await storage.write(app) { try $0.insert([feedEvent("a", of: nil, ordinal: 1)]) }
            try await publishAll(storage)
            let before = try await storage.read(app) { try $0.feedSweep() }
            try expect(before, equals: nil, "the progress before the first comparison")
            let complete = FeedSweep(rules: "2", revision: 5, pass: 2, leasedUntil: date(9), completedAt: date(8))
            try await storage.write(app) { try $0.put(FeedSweep(rules: "1", revision: 4, last: "a", leasedUntil: date(7))) }
            try await storage.write(app) { try $0.put(complete) }
            let (sweep, positions) = try await storage.read(app) { (try $0.feedSweep(), try $0.feedPositions()) }
            try expect(sweep, equals: complete, "a replaced progress")
            try expect(positions, equals: FeedPositions(newest: 1), "the positions of the feed")
        },
        Check(description: "a team whose members are to be compared is replaced and removed") { storage, _ in
            let replaced = FeedTeam(team: "1", changeID: "c", cause: "request", last: "a")
            let second = FeedTeam(team: "2", changeID: "b", cause: "notification")
            try await storage.write(app) { records in
                try records.put(FeedTeam(team: "1", changeID: "a", cause: "time"))
                try records.put(second)
                try records.put(replaced)
            }
            let found = try await storage.write(app) { records in
                let found = (try records.nextFeedTeam(), try records.feedTeam("1"), try records.feedTeam("3"))
                try records.remove(replaced)
                return found
            }
            try expect(found.0, equals: replaced, "the first team")
            try expect(found.1, equals: replaced, "a replaced team")
            try expect(found.2, equals: nil, "an unknown team")
            let rest = try await storage.write(app) { records in
                let next = try records.nextFeedTeam()
                try records.remove(second)
                return [next, try records.nextFeedTeam()]
            }
            try expect(rest, equals: [second, nil], "the next teams")
        },
    ]

    private static func feedEvent(_ id: String, of customer: CustomerID?, ordinal: Int64, at date: Timestamp? = nil) -> FeedEventRecord {
        FeedEventRecord(
            id: id, type: "entitlement.activated", customer: customer, ordinal: ordinal, recordedAt: date ?? Self.date(1), event: "{}")
    }

    private static func date(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1_000) }

    private static func publishAll(_ storage: any PurchaseStorage) async throws {
        while try await storage.publishFeedEvents(app, limit: 500) > 0 {}
    }
}
