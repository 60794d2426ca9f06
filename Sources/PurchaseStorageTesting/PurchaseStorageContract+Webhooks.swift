import PurchaseModel
import PurchaseStorage

extension PurchaseStorageContract {
    static let webhookChecks: [Check] = [
        Check(description: "an endpoint is replaced and removed, with its position") { storage, _ in
            var endpoint = WebhookEndpoint(
                id: "we_1", url: "https://example.com/a", note: "", format: "event", types: ["purchase.recorded"], createdAt: date(1))
            try await storage.write(app) { [endpoint] records in
                try records.put(endpoint)
                try records.putWebhookPosition(7, of: "we_1")
            }
            (endpoint.url, endpoint.disabledAt, endpoint.disabledBecause) = ("https://example.com/b", date(2), "operator")
            let position = try await storage.write(app) { [endpoint] records in
                try records.put(endpoint)
                return try records.claimWebhookPosition(of: "we_1")
            }
            try expect(position, equals: 7, "the position")
            let stored = try await storage.read(app) { records in
                (try records.webhookEndpoints(), try records.webhookEndpoint("we_1"), try records.webhookPosition(of: "we_2"))
            }
            try expect(stored.0, equals: [endpoint], "the endpoints")
            try expect(stored.1, equals: endpoint, "the endpoint")
            try expect(stored.2, equals: nil, "the position of an unknown endpoint")
            try expect(
                try await storage.read("com.example.other") { try $0.webhookEndpoints() }, equals: [], "the endpoints of another app")
            try await storage.write(app) { [endpoint] in try $0.remove(endpoint) }
            let rest = try await storage.read(app) { (try $0.webhookEndpoints(), try $0.webhookPosition(of: "we_1")) }
            try expect(rest.0, equals: [], "the endpoints after the removal")
            try expect(rest.1, equals: nil, "the position after the removal")
        },
        Check(description: "the deliveries of a lane keep the order of their positions, and a waiting message is not inserted twice") {
            storage, _ in
            let (late, early) = (webhookDelivery(9, to: "we_1", "1"), webhookDelivery(3, to: "we_1", "1"))
            let inserted = try await storage.write(app) { [try $0.insert(late), try $0.insert(early), try $0.insert(late)] }
            try expect(inserted, equals: [true, true, false], "whether the deliveries are new")
            var failed = early
            (failed.attempts, failed.failure, failed.enqueuedAt) = (2, "503", date(50))
            try await storage.write(app) { [failed] records in
                try records.put(failed)
                try records.remove(webhookDelivery(4, to: "we_1", "1"))
            }
            let waiting = try await storage.read(app) { records in
                (
                    try records.webhookDeliveries(to: "we_1", in: "1", limit: 9),
                    try records.webhookDeliveries(to: "we_1", in: "1", limit: 1),
                    try records.webhookDeliveries(to: "we_2", in: "1", limit: 9)
                )
            }
            try expect(waiting.0, equals: [failed, late], "the deliveries")
            try expect(waiting.1, equals: [failed], "the first delivery")
            try expect(waiting.2, equals: [], "the deliveries of another endpoint")
            let lane = try await storage.write(app) { [failed] records in
                try records.remove(failed)
                return try records.webhookLane("1", of: "we_1")
            }
            try expect(lane, equals: WebhookLane(endpoint: "we_1", lane: "1", dueAt: date(9)), "the lane")
        },
        Check(description: "a due lane is claimed once until the end of the claim, earliest first") { storage, _ in
            try await storage.write(app) { records in
                for (lane, position) in [("b", 5), ("a", 5), ("c", 3), ("d", 8)] as [(String, Int64)] {
                    _ = try records.insert(webhookDelivery(position, to: "we_1", lane))
                }
            }
            let claims = try await storage.write(app) { records in
                [
                    try records.claimWebhookLanes(of: "we_1", dueAt: date(6), until: date(20), claim: "x", limit: 2),
                    try records.claimWebhookLanes(of: "we_1", dueAt: date(6), until: date(20), claim: "y", limit: 9),
                    try records.claimWebhookLanes(of: "we_1", dueAt: date(6), until: date(20), claim: "z", limit: 9),
                    try records.claimWebhookLanes(of: "we_2", dueAt: date(6), until: date(20), claim: "z", limit: 9),
                ]
            }
            try expect(claims.map { $0.map(\.lane) }, equals: [["c", "a"], ["b"], [], []], "the claimed lanes")
            try expect(claims[0].map(\.claim), equals: ["x", "x"], "the claims")
            try expect(claims[0].map(\.dueAt), equals: [date(20), date(20)], "the ends of the claims")
            let again = try await storage.write(app) { records in
                try records.put(WebhookLane(endpoint: "we_1", lane: "a", dueAt: date(4)))
                try records.remove(WebhookLane(endpoint: "we_1", lane: "b", dueAt: date(0)))
                return try records.webhookLanes(of: "we_1", dueAfter: date(3), limit: 2)
            }
            let expected = [
                WebhookLane(endpoint: "we_1", lane: "a", dueAt: date(4)), WebhookLane(endpoint: "we_1", lane: "d", dueAt: date(8)),
            ]
            try expect(again, equals: expected, "the first lanes by their dates")
        },
        Check(description: "dead letters are read by pages, and all rows of an endpoint are removed") { storage, _ in
            let letters = [(1, "b"), (1, "c"), (2, "a")].map { died, message in
                WebhookDeadLetter(
                    WebhookDelivery(
                        endpoint: "we_1", lane: "1", position: 4, message: message, type: "t", enqueuedAt: date(0), attempts: 3,
                        failure: "410"),
                    diedAt: date(died))
            }
            try await storage.write(app) { records in
                for letter in letters.reversed() { try records.insert(letter) }
                _ = try records.insert(webhookDelivery(4, to: "we_1", "1"))
                _ = try records.insert(webhookDelivery(4, to: "we_2", "1"))
            }
            let pages = try await storage.read(app) { records in
                [
                    try records.webhookDeadLetters(of: "we_1", after: nil, limit: 2),
                    try records.webhookDeadLetters(of: "we_1", after: letters[1], limit: 2),
                ]
            }
            try expect(pages, equals: [Array(letters.prefix(2)), Array(letters.suffix(1))], "the pages of dead letters")
            let removed = try await storage.write(app) { records in
                try records.removeWebhookDeadLetter("b", of: "we_1")
                return [
                    try records.removeWebhookDeliveries(to: "we_1", limit: 3), try records.removeWebhookDeliveries(to: "we_1", limit: 3),
                    try records.removeWebhookDeliveries(to: "we_1", limit: 3),
                ]
            }
            try expect(removed.reduce(0, +), equals: 4, "the number of removed rows")
            try expect(removed.last, equals: 0, "the rows after all")
            let other = try await storage.read(app) { try $0.webhookDeliveries(to: "we_2", in: "1", limit: 9) }
            try expect(other, equals: [webhookDelivery(4, to: "we_2", "1")], "the deliveries of another endpoint")
        },
    ]

    private static func date(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1_000) }

    private static func webhookDelivery(_ position: Int64, to endpoint: String, _ lane: String) -> WebhookDelivery {
        WebhookDelivery(
            endpoint: endpoint, lane: lane, position: position, message: "evt_\(position)", type: "purchase.recorded",
            enqueuedAt: date(position))
    }
}
