package import PurchaseModel

extension SQLTransaction {
    private static let putWebhookEndpoint = upsert("webhook_endpoint", key: ["app", "endpoint"], ["settings"])
    private static let putWebhookPosition = upsert("webhook_position", key: ["app", "endpoint"], ["position"])
    private static let putWebhookLane = upsert("webhook_lane", key: ["app", "endpoint", "lane"], ["due_at", "claim"])

    // MARK: Endpoints

    package func webhookEndpoints() throws -> [WebhookEndpoint] {
        try all("SELECT settings FROM webhook_endpoint WHERE app = ?1 ORDER BY endpoint") { try value($0["settings"]) }
    }

    package func webhookEndpoint(_ id: String) throws -> WebhookEndpoint? {
        try first("SELECT settings FROM webhook_endpoint WHERE app = ?1 AND endpoint = ?", id) { try value($0["settings"]) }
    }

    package func put(_ endpoint: WebhookEndpoint) throws { try execute(Self.putWebhookEndpoint, endpoint.id, try json(endpoint)) }

    package func remove(_ endpoint: WebhookEndpoint) throws {
        try execute("DELETE FROM webhook_position WHERE app = ?1 AND endpoint = ?", endpoint.id)
        try execute("DELETE FROM webhook_endpoint WHERE app = ?1 AND endpoint = ?", endpoint.id)
    }

    package func webhookPosition(of endpoint: String) throws -> Int64? { try webhookPosition(of: endpoint, lock: "") }

    package func claimWebhookPosition(of endpoint: String) throws -> Int64? {
        try webhookPosition(of: endpoint, lock: connection.claimLock)
    }

    private func webhookPosition(of endpoint: String, lock: String) throws -> Int64? {
        try first("SELECT position FROM webhook_position WHERE app = ?1 AND endpoint = ? \(lock)", endpoint) { try $0["position"] }
    }

    package func putWebhookPosition(_ position: Int64, of endpoint: String) throws {
        try execute(Self.putWebhookPosition, endpoint, position)
    }

    // MARK: Deliveries

    package func insert(_ delivery: WebhookDelivery) throws -> Bool {
        let inserted = try changes(
            """
            INSERT INTO webhook_delivery (app, endpoint, lane, position, message, type, enqueued_at, attempts, failure)
            VALUES (?1, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (app, endpoint, lane, position, message) DO NOTHING
            """, delivery.endpoint, delivery.lane, delivery.position, delivery.message, delivery.type, delivery.enqueuedAt.milliseconds,
            delivery.attempts, delivery.failure)
        // Write the row of a present lane, too: the write conflicts with a transaction that removes the lane because it sees no delivery.
        try execute(
            """
            INSERT INTO webhook_lane (app, endpoint, lane, due_at) VALUES (?1, ?, ?, ?)
            ON CONFLICT (app, endpoint, lane) DO UPDATE SET due_at = webhook_lane.due_at
            """, delivery.endpoint, delivery.lane, delivery.enqueuedAt.milliseconds)
        return inserted > 0
    }

    package func put(_ delivery: WebhookDelivery) throws {
        try execute(
            """
            UPDATE webhook_delivery SET attempts = ?6, failure = ?7, enqueued_at = ?8
            WHERE app = ?1 AND endpoint = ?2 AND lane = ?3 AND position = ?4 AND message = ?5
            """, delivery.endpoint, delivery.lane, delivery.position, delivery.message, delivery.attempts, delivery.failure,
            delivery.enqueuedAt.milliseconds)
    }

    package func remove(_ delivery: WebhookDelivery) throws {
        try execute(
            "DELETE FROM webhook_delivery WHERE app = ?1 AND endpoint = ? AND lane = ? AND position = ? AND message = ?", delivery.endpoint,
            delivery.lane, delivery.position, delivery.message)
    }

    package func webhookDeliveries(to endpoint: String, in lane: String, limit: Int) throws -> [WebhookDelivery] {
        try all(
            "SELECT * FROM webhook_delivery WHERE app = ?1 AND endpoint = ? AND lane = ? ORDER BY position, message LIMIT ?", endpoint,
            lane,
            max(0, limit), read: webhookDelivery)
    }

    private func webhookDelivery(_ row: any SQLRow) throws -> WebhookDelivery {
        WebhookDelivery(
            endpoint: try row["endpoint"], lane: try row["lane"], position: try row["position"], message: try row["message"],
            type: try row["type"], enqueuedAt: Timestamp(milliseconds: try row["enqueued_at"]), attempts: try row["attempts"],
            failure: try row["failure"])
    }

    package func removeWebhookDeliveries(to endpoint: String, limit: Int) throws -> Int {
        var count = 0
        for (table, key) in [
            ("webhook_delivery", "lane, position, message"), ("webhook_lane", "lane"), ("webhook_dead_letter", "message"),
        ] {
            guard count < limit else { break }
            count += try changes(
                """
                DELETE FROM \(table) WHERE app = ?1 AND endpoint = ?2 AND (\(key)) IN (
                    SELECT \(key) FROM \(table) WHERE app = ?1 AND endpoint = ?2 ORDER BY \(key) LIMIT ?3
                )
                """, endpoint, limit - count)
        }
        return count
    }

    // MARK: Lanes

    package func claimWebhookLanes(
        of endpoint: String, dueAt date: Timestamp, until end: Timestamp, claim: String, limit: Int
    ) throws -> [WebhookLane] {
        let due = try all(
            """
            SELECT * FROM webhook_lane WHERE app = ?1 AND endpoint = ? AND due_at <= ? ORDER BY due_at, lane LIMIT ? \(connection.claimLock)
            """, endpoint, date.milliseconds, max(0, limit), read: webhookLane)
        return try due.map { lane in
            let claimed = WebhookLane(endpoint: endpoint, lane: lane.lane, dueAt: end, claim: claim)
            try put(claimed)
            return claimed
        }
    }

    package func webhookLane(_ lane: String, of endpoint: String) throws -> WebhookLane? {
        try first("SELECT * FROM webhook_lane WHERE app = ?1 AND endpoint = ? AND lane = ?", endpoint, lane, read: webhookLane)
    }

    private func webhookLane(_ row: any SQLRow) throws -> WebhookLane {
        WebhookLane(
            endpoint: try row["endpoint"], lane: try row["lane"], dueAt: Timestamp(milliseconds: try row["due_at"]), claim: try row["claim"]
        )
    }

    package func put(_ lane: WebhookLane) throws {
        try execute(Self.putWebhookLane, lane.endpoint, lane.lane, lane.dueAt.milliseconds, lane.claim)
    }

    package func remove(_ lane: WebhookLane) throws {
        try execute("DELETE FROM webhook_lane WHERE app = ?1 AND endpoint = ? AND lane = ?", lane.endpoint, lane.lane)
    }

    package func webhookLanes(of endpoint: String, dueAfter date: Timestamp?, limit: Int) throws -> [WebhookLane] {
        try all(
            "SELECT * FROM webhook_lane WHERE app = ?1 AND endpoint = ? AND due_at > ? ORDER BY due_at, lane LIMIT ?", endpoint,
            date?.milliseconds ?? .min, max(0, limit), read: webhookLane)
    }

    // MARK: Dead letters

    package func insert(_ letter: WebhookDeadLetter) throws {
        let delivery = letter.delivery
        try execute(
            """
            INSERT INTO webhook_dead_letter (app, endpoint, died_at, message, lane, position, type, enqueued_at, attempts, failure)
            VALUES (?1, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (app, endpoint, message)
            DO UPDATE SET died_at = excluded.died_at, attempts = excluded.attempts, failure = excluded.failure
            """, delivery.endpoint, letter.diedAt.milliseconds, delivery.message, delivery.lane, delivery.position, delivery.type,
            delivery.enqueuedAt.milliseconds, delivery.attempts, delivery.failure)
    }

    package func removeWebhookDeadLetter(_ message: String, of endpoint: String) throws {
        try execute("DELETE FROM webhook_dead_letter WHERE app = ?1 AND endpoint = ? AND message = ?", endpoint, message)
    }

    package func webhookDeadLetter(_ message: String, of endpoint: String) throws -> WebhookDeadLetter? {
        try first(
            "SELECT * FROM webhook_dead_letter WHERE app = ?1 AND endpoint = ? AND message = ?", endpoint, message, read: webhookDeadLetter)
    }

    package func webhookDeadLetters(of endpoint: String, after last: WebhookDeadLetter?, limit: Int) throws -> [WebhookDeadLetter] {
        let (date, message) = (last?.diedAt.milliseconds ?? .min, last?.delivery.message ?? "")
        return try all(
            """
            SELECT * FROM webhook_dead_letter WHERE app = ?1 AND endpoint = ?2 AND (died_at > ?3 OR died_at = ?3 AND message > ?4)
            ORDER BY died_at, message LIMIT ?5
            """, endpoint, date, message, max(0, limit), read: webhookDeadLetter)
    }

    private func webhookDeadLetter(_ row: any SQLRow) throws -> WebhookDeadLetter {
        WebhookDeadLetter(try webhookDelivery(row), diedAt: Timestamp(milliseconds: try row["died_at"]))
    }
}
