import FoundationExtras
package import PurchaseModel

extension SQLTransaction {
    /// The number of positions in a block.
    private static let blockSize: Int64 = 1_024
    /// The number of events of a copied outbox that one statement reads.
    private static let copiedLimit = 500

    private static let putFeedCustomer = upsert(
        "feed_customer", key: ["app", "partition", "customer"], ["ordinal", "due_at", "checked_at", "entitlements"])
    private static let putFeedTeam = upsert("feed_team", key: ["app", "original_transaction_id"], ["change_id", "cause", "last_customer"])
    private static let putFeedRetention = upsert("feed_retention", key: ["app"], ["removed"])
    private static let putFeedSweep = upsert("feed_sweep", key: ["app"], ["sweep"])

    // MARK: Events

    package func insert(_ events: [FeedEventRecord]) throws {
        guard !events.isEmpty else { return }
        guard connection.claimLock.isEmpty else {
            for event in events {
                try execute(
                    "INSERT INTO feed_outbox (app, ordinal, id, type, customer, recorded_at, event) VALUES (?1, ?, ?, ?, ?, ?, ?)",
                    event.ordinal, event.id, event.type, event.customer?.rawValue, event.recordedAt.milliseconds, event.event)
            }
            return
        }
        // Give the positions at once, because a database with one writer commits the events in the order of their insertion. The outbox of
        // a copy of another database comes first.
        while try hasUnpublishedFeedEvents() { _ = try publishFeedEvents(limit: Self.copiedLimit, lock: "") }
        try append(events, after: try feedHead(lock: ""))
    }

    package func feedEvents(after position: Int64, limit: Int) throws -> [PositionedFeedEvent] {
        guard position >= 0, position < .max, limit > 0 else { return [] }
        var events: [PositionedFeedEvent] = []
        var block = (position + 1) / Self.blockSize
        let last = try feedPositions().newest
        while events.count < limit, block <= last / Self.blockSize {
            events += try all(
                """
                SELECT * FROM feed_event WHERE app = ?1 AND block = ? AND position > ? AND position <= ? ORDER BY position LIMIT ?
                """, block, position, last, limit - events.count
            ) { PositionedFeedEvent(position: try $0["position"], event: try feedEvent($0)) }
            block += 1
        }
        return events
    }

    package func feedPositions() throws -> FeedPositions {
        let newest = try first("SELECT newest FROM feed_head WHERE app = ?1") { try $0["newest"] as Int64 }
        let removed = try first("SELECT removed FROM feed_retention WHERE app = ?1") { try $0["removed"] as Int64 }
        return FeedPositions(newest: newest ?? 0, removed: removed ?? 0)
    }

    /// Gives positions to at most `limit` events of the outbox, in the order of their ordinals, and returns their number.
    ///
    /// The lock of the row of `feed_head` excludes other transactions that give positions. Each statement after the lock must see the
    /// events that are committed by then, so the transaction must read committed rows, and not a snapshot.
    package func publishFeedEvents(limit: Int, lock: String) throws -> Int {
        let head = try feedHead(lock: lock)
        let events = try all(
            "SELECT * FROM feed_outbox WHERE app = ?1 ORDER BY ordinal, id LIMIT ?", max(0, limit), read: feedEvent)
        guard !events.isEmpty else { return 0 }
        try append(events, after: head)
        for event in events {
            try execute("DELETE FROM feed_outbox WHERE app = ?1 AND ordinal = ? AND id = ?", event.ordinal, event.id)
        }
        return events.count
    }

    /// Returns whether events wait for their positions.
    package func hasUnpublishedFeedEvents() throws -> Bool {
        try first("SELECT 1 AS found FROM feed_outbox WHERE app = ?1 LIMIT 1") { _ in true } ?? false
    }

    /// Returns the position of the newest event, after the lock of the row with the position.
    private func feedHead(lock: String) throws -> Int64 {
        let statement = "SELECT newest FROM feed_head WHERE app = ?1 \(lock)"
        if let newest: Int64 = try first(statement, read: { try $0["newest"] }) { return newest }
        try execute("INSERT INTO feed_head (app, newest) VALUES (?1, 0) ON CONFLICT (app) DO NOTHING")
        return try first(statement) { try $0["newest"] } ?? 0
    }

    private func append(_ events: [FeedEventRecord], after newest: Int64) throws {
        var position = newest
        for event in events {
            let (next, overflow) = position.addingReportingOverflow(1)
            guard !overflow else { throw StorageError.failed("feed_head.newest") }
            position = next
            try execute(
                """
                INSERT INTO feed_event (app, block, position, id, type, customer, ordinal, recorded_at, event)
                VALUES (?1, ?, ?, ?, ?, ?, ?, ?, ?)
                """, position / Self.blockSize, position, event.id, event.type, event.customer?.rawValue, event.ordinal,
                event.recordedAt.milliseconds, event.event)
        }
        try execute("UPDATE feed_head SET newest = ?2 WHERE app = ?1", position)
    }

    package func removeFeedEvents(recordedBefore date: Timestamp, limit: Int) throws -> Int {
        let removed = try feedPositions().removed
        let expired = try feedEvents(after: removed, limit: limit).prefix { $0.event.recordedAt < date }
        guard let last = expired.last?.position else { return 0 }
        for block in (removed + 1) / Self.blockSize...last / Self.blockSize {
            try execute("DELETE FROM feed_event WHERE app = ?1 AND block = ? AND position <= ?", block, last)
        }
        try execute(Self.putFeedRetention, last)
        return expired.count
    }

    private func feedEvent(_ row: any SQLRow) throws -> FeedEventRecord {
        FeedEventRecord(
            id: try row["id"], type: try row["type"], customer: (try row["customer"] as String?).map { CustomerID($0) },
            ordinal: try row["ordinal"], recordedAt: Timestamp(milliseconds: try row["recorded_at"]), event: try row["event"])
    }

    // MARK: Customers

    package func feedCustomer(_ customer: CustomerID) throws -> FeedCustomer? {
        try first(
            "SELECT * FROM feed_customer WHERE app = ?1 AND partition = ? AND customer = ?", QueuePartition.number(ofCustomer: customer),
            customer.rawValue, read: feedCustomer)
    }

    package func put(_ customer: FeedCustomer) throws {
        try execute(
            Self.putFeedCustomer, QueuePartition.number(ofCustomer: customer.customer), customer.customer.rawValue, customer.ordinal,
            customer.dueAt?.milliseconds, customer.checkedAt.milliseconds, customer.entitlements)
    }

    package func claimFeedCustomers(in partition: Int, dueAt date: Timestamp, limit: Int) throws -> [FeedCustomer] {
        try all(
            """
            SELECT * FROM feed_customer WHERE app = ?1 AND partition = ? AND due_at <= ?
            ORDER BY due_at, customer LIMIT ? \(connection.claimLock)
            """, partition, date.milliseconds, max(0, limit), read: feedCustomer)
    }

    package func earliestFeedChange(in partition: Int, dueAt date: Timestamp) throws -> Timestamp? {
        try first(
            "SELECT due_at FROM feed_customer WHERE app = ?1 AND partition = ? AND due_at <= ? ORDER BY due_at, customer LIMIT 1",
            partition, date.milliseconds
        ) { Timestamp(milliseconds: try $0["due_at"]) }
    }

    private func feedCustomer(_ row: any SQLRow) throws -> FeedCustomer {
        FeedCustomer(
            customer: CustomerID(try row["customer"] as String), ordinal: try row["ordinal"],
            dueAt: (try row["due_at"] as Int64?).map { Timestamp(milliseconds: $0) },
            checkedAt: Timestamp(milliseconds: try row["checked_at"]), entitlements: try row["entitlements"])
    }

    // MARK: Teams

    package func seatHolders(of team: TransactionID, after last: CustomerID?, limit: Int) throws -> [CustomerID] {
        try all(
            """
            SELECT DISTINCT customer FROM seat_claim WHERE app = ?1 AND original_transaction_id = ? AND customer > ?
            ORDER BY customer LIMIT ?
            """, team.rawValue, last?.rawValue ?? "", max(0, limit)
        ) { CustomerID(try $0["customer"] as String) }
    }

    package func put(_ team: FeedTeam) throws {
        try execute(Self.putFeedTeam, team.team.rawValue, team.changeID, team.cause, team.last?.rawValue)
    }

    package func nextFeedTeam() throws -> FeedTeam? {
        try first("SELECT * FROM feed_team WHERE app = ?1 ORDER BY original_transaction_id LIMIT 1", read: feedTeam)
    }

    package func feedTeam(_ team: TransactionID) throws -> FeedTeam? {
        try first("SELECT * FROM feed_team WHERE app = ?1 AND original_transaction_id = ?", team.rawValue, read: feedTeam)
    }

    private func feedTeam(_ row: any SQLRow) throws -> FeedTeam {
        FeedTeam(
            team: TransactionID(try row["original_transaction_id"]), changeID: try row["change_id"], cause: try row["cause"],
            last: (try row["last_customer"] as String?).map { CustomerID($0) })
    }

    package func remove(_ team: FeedTeam) throws {
        try execute("DELETE FROM feed_team WHERE app = ?1 AND original_transaction_id = ?", team.team.rawValue)
    }

    // MARK: The comparison of all customers

    package func feedCustomers(after last: CustomerID?, limit: Int) throws -> [CustomerID] {
        let (last, limit) = (last?.rawValue ?? "", max(0, limit))
        let tables = ["customer_purchase", "entitlement_grant", "customer_seat"]
        var customers = try tables.flatMap { table in
            try all("SELECT DISTINCT customer FROM \(table) WHERE app = ?1 AND customer > ? ORDER BY customer LIMIT ?", last, limit) {
                CustomerID(try $0["customer"] as String)
            }
        }
        // A customer who has lost the last holding without an event is here only.
        for partition in 0..<QueuePartition.count {
            customers += try all(
                "SELECT customer FROM feed_customer WHERE app = ?1 AND partition = ? AND customer > ? ORDER BY customer LIMIT ?", partition,
                last, limit
            ) { CustomerID(try $0["customer"] as String) }
        }
        return Array(Set(customers).sorted().prefix(limit))
    }

    package func feedSweep() throws -> FeedSweep? {
        try first("SELECT sweep FROM feed_sweep WHERE app = ?1") { try value($0["sweep"]) }
    }

    package func put(_ sweep: FeedSweep) throws {
        try execute(Self.putFeedSweep, try json(sweep))
    }
}
