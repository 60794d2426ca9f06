import PurchaseModel
import PurchaseStorage

// The feed
extension MemoryTransaction {
    func insert(_ events: [FeedEventRecord]) {
        for event in events {
            records.feedPositions.newest += 1
            records.feed.append(PositionedFeedEvent(position: records.feedPositions.newest, event: event))
        }
    }

    func feedEvents(after position: Int64, limit: Int) -> [PositionedFeedEvent] {
        Array(records.feed.filter { $0.position > position }.prefix(max(0, limit)))
    }

    func feedPositions() -> FeedPositions { records.feedPositions }

    func removeFeedEvents(recordedBefore date: Timestamp, limit: Int) -> Int {
        let expired = records.feed.prefix(max(0, limit)).prefix { $0.event.recordedAt < date }
        guard let last = expired.last else { return 0 }
        records.feedPositions.removed = last.position
        records.feed.removeFirst(expired.count)
        return expired.count
    }

    func feedCustomer(_ customer: CustomerID) -> FeedCustomer? { records.feedCustomers[customer] }

    func put(_ customer: FeedCustomer) { records.feedCustomers[customer.customer] = customer }

    private func due(in partition: Int, _ date: Timestamp) -> [(dueAt: Timestamp, customer: FeedCustomer)] {
        records.feedCustomers.values.compactMap { customer in customer.dueAt.map { ($0, customer) } }
            .filter { QueuePartition.number(ofCustomer: $0.1.customer) == partition && $0.0 <= date }
            .sorted { ($0.0, $0.1.customer) < ($1.0, $1.1.customer) }
    }

    func claimFeedCustomers(in partition: Int, dueAt date: Timestamp, limit: Int) -> [FeedCustomer] {
        due(in: partition, date).prefix(max(0, limit)).map(\.customer)
    }

    func earliestFeedChange(in partition: Int, dueAt date: Timestamp) -> Timestamp? { due(in: partition, date).first?.dueAt }

    func seatHolders(of team: TransactionID, after last: CustomerID?, limit: Int) -> [CustomerID] {
        let members = Set(records.seatClaims.filter { $0.team == team }.map(\.customer)).sorted()
        return Array(members.filter { member in last.map { $0 < member } ?? true }.prefix(max(0, limit)))
    }

    func put(_ team: FeedTeam) { records.feedTeams[team.team] = team }

    func nextFeedTeam() -> FeedTeam? { records.feedTeams.values.min { $0.team < $1.team } }

    func feedTeam(_ team: TransactionID) -> FeedTeam? { records.feedTeams[team] }

    func remove(_ team: FeedTeam) { records.feedTeams[team.team] = nil }

    func feedCustomers(after last: CustomerID?, limit: Int) -> [CustomerID] {
        let owners = records.purchases.values.flatMap { [$0.customer].compactMap { $0 } + $0.sharedWith }
        let holders = owners + records.grants.map(\.customer) + records.seatClaims.map(\.customer)
        let customers = Set(holders + records.feedCustomers.keys).sorted()
        return Array(customers.filter { customer in last.map { $0 < customer } ?? true }.prefix(max(0, limit)))
    }

    func feedSweep() -> FeedSweep? { records.feedSweep }

    func put(_ sweep: FeedSweep) { records.feedSweep = sweep }
}
