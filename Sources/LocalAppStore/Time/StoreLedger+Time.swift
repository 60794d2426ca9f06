import GRDB
import PurchaseModel

extension StoreLedger {
    /// The furthest that the time can be moved at once: ten years.
    static let longestAdvance: Int64 = 3_653 * 86_400
    /// The most events of one move of the time.
    static let eventLimit = 10_000

    /// Lets everything happen that is due by now, each at its own time.
    ///
    /// It is called before each request, so nobody sees the store late, and once a second by ``StoreTicker``, so that renewals
    /// are announced although nobody asks.
    func catchUp() async throws {
        while try await step(until: clock.now) {}
    }

    /// Moves the time forward; everything that falls due on the way happens in order, at its own time.
    func advance(seconds: Int64, eventLimit: Int = Self.eventLimit) async throws -> Timestamp {
        guard (0...Self.longestAdvance).contains(seconds) else { throw StoreError.advanceOutOfRange }
        let target = clock.now.adding(seconds: seconds)
        var events = 0
        while try await step(until: target) {
            events += 1
            guard events <= eventLimit else { throw StoreError.tooManyEvents }
        }
        try await write { db, _ in try clock.move(to: target, db) }
        return clock.now
    }

    /// Lets the first thing happen that is due by `limit`; false when there is none.
    private func step(until limit: Timestamp) async throws -> Bool {
        try await write { db, _ in
            guard var row = try SubscriptionRow.earliestDue(until: limit, db), let due = row.nextDue else { return false }
            try clock.move(to: due, db)
            let actions = row.handle(.due(cardWorks: try AccountRow.require(row.account, db).cardWorks), at: due)
            try perform(actions, of: &row, at: due, db)
            return true
        }
    }

    /// Makes an account's card fail or work; working again, it pays what is owed at once.
    func setCard(of account: AccountID, works: Bool) async throws {
        try await write { db, now in
            try db.execute(sql: "UPDATE accounts SET cardWorks = ? WHERE id = ?", arguments: [works, account.rawValue])
            guard db.changesCount == 1 else { throw StoreError.accountUnknown }
            guard works else { return }
            for var row in try SubscriptionRow.all(of: account, db) {
                let actions = row.handle(.cardMended, at: now)
                try perform(actions, of: &row, at: now, db)
            }
        }
    }
}
