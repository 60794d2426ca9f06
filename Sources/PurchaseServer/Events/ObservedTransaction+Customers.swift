import Foundation
import PurchaseModel
import PurchaseStorage

// Customer Merge Records
extension ObservedTransaction {
    func merge(of merged: CustomerID, into customer: CustomerID) throws -> CustomerMergeRecord? {
        try base.merge(of: merged, into: customer)
    }

    func merges(into customer: CustomerID, limit: Int) throws -> [CustomerMergeRecord] { try base.merges(into: customer, limit: limit) }

    func put(_ merge: CustomerMergeRecord) throws { try base.put(merge) }

    func deleteMerges(of customer: CustomerID) throws { try base.deleteMerges(of: customer) }
}

// Customer Records
extension ObservedTransaction {
    func customer(_ id: CustomerID) throws -> CustomerRecord? { try base.customer(id) }

    func customersMerged(into customer: CustomerID) throws -> [CustomerID] { try base.customersMerged(into: customer) }

    func customer(alias: String) throws -> CustomerID? { try base.customer(alias: alias) }

    func aliases(of customer: CustomerID) throws -> [String] { try base.aliases(of: customer) }

    func setAlias(_ alias: String, of customer: CustomerID?) throws { try base.setAlias(alias, of: customer) }

    func customer(tokenDigest: Data) throws -> CustomerID? { try base.customer(tokenDigest: tokenDigest) }

    func insertToken(_ digest: Data, of customer: CustomerID, createdAt: Timestamp, limit: Int) throws {
        try base.insertToken(digest, of: customer, createdAt: createdAt, limit: limit)
    }

    func tokens(of customer: CustomerID) throws -> [Data] { try base.tokens(of: customer) }

    func moveToken(_ digest: Data, of customer: CustomerID, to other: CustomerID) throws {
        try base.moveToken(digest, of: customer, to: other)
    }

    func moveTokens(of customer: CustomerID, to other: CustomerID?) throws { try base.moveTokens(of: customer, to: other) }
}

// Entitlement Grant Records
extension ObservedTransaction {
    func grants(of customer: CustomerID) throws -> [EntitlementGrant] { try base.grants(of: customer) }
}

// Feed Records
extension ObservedTransaction {
    func insert(_ events: [FeedEventRecord]) throws { try base.insert(events) }

    func feedEvents(after position: Int64, limit: Int) throws -> [PositionedFeedEvent] {
        try base.feedEvents(after: position, limit: limit)
    }

    func feedPositions() throws -> FeedPositions { try base.feedPositions() }

    func removeFeedEvents(recordedBefore date: Timestamp, limit: Int) throws -> Int {
        try base.removeFeedEvents(recordedBefore: date, limit: limit)
    }

    func feedCustomer(_ customer: CustomerID) throws -> FeedCustomer? { try base.feedCustomer(customer) }

    func put(_ customer: FeedCustomer) throws { try base.put(customer) }

    func claimFeedCustomers(in partition: Int, dueAt date: Timestamp, limit: Int) throws -> [FeedCustomer] {
        try base.claimFeedCustomers(in: partition, dueAt: date, limit: limit)
    }

    func earliestFeedChange(in partition: Int, dueAt date: Timestamp) throws -> Timestamp? {
        try base.earliestFeedChange(in: partition, dueAt: date)
    }

    func seatHolders(of team: TransactionID, after last: CustomerID?, limit: Int) throws -> [CustomerID] {
        try base.seatHolders(of: team, after: last, limit: limit)
    }

    func put(_ team: FeedTeam) throws { try base.put(team) }

    func nextFeedTeam() throws -> FeedTeam? { try base.nextFeedTeam() }

    func feedTeam(_ team: TransactionID) throws -> FeedTeam? { try base.feedTeam(team) }

    func remove(_ team: FeedTeam) throws { try base.remove(team) }

    func feedCustomers(after last: CustomerID?, limit: Int) throws -> [CustomerID] {
        try base.feedCustomers(after: last, limit: limit)
    }

    func feedSweep() throws -> FeedSweep? { try base.feedSweep() }

    func put(_ sweep: FeedSweep) throws { try base.put(sweep) }
}

// Ledger Records
extension ObservedTransaction {
    func balance(of customer: CustomerID, in currency: CurrencyID) throws -> CreditBalance { try base.balance(of: customer, in: currency) }

    func currencies(of customer: CustomerID) throws -> [CurrencyID] { try base.currencies(of: customer) }

    func balances(of customer: CustomerID) throws -> [(currency: CurrencyID, balance: CreditBalance)] { try base.balances(of: customer) }

    func posting(_ kind: LedgerPosting.Kind, key: String, of customer: CustomerID, in currency: CurrencyID) throws -> LedgerPosting? {
        try base.posting(kind, key: key, of: customer, in: currency)
    }

    func postings(of customer: CustomerID, in currency: CurrencyID, before number: Int64?, limit: Int) throws -> [LedgerPosting] {
        try base.postings(of: customer, in: currency, before: number, limit: limit)
    }

    func credit(ofCharge charge: String, of purchase: TransactionID) throws -> PurchaseCredit? {
        try base.credit(ofCharge: charge, of: purchase)
    }

    func put(_ credit: PurchaseCredit) throws { try base.put(credit) }

    func insert(_ decision: CreditDecision) throws { try base.insert(decision) }

    func creditDecisions(of purchase: TransactionID) throws -> [CreditDecision] { try base.creditDecisions(of: purchase) }

    func accountTotals() throws -> [CurrencyID: [LedgerAccount: Int64]] { try base.accountTotals() }
}

// Notification Records
extension ObservedTransaction {
    func isStored(notification uuid: String) throws -> Bool { try base.isStored(notification: uuid) }

    func notification(_ uuid: String) throws -> ReceivedNotification? { try base.notification(uuid) }

    func notifications(signedAfter date: Timestamp, _ uuid: String, limit: Int) throws -> [ReceivedNotification] {
        try base.notifications(signedAfter: date, uuid, limit: limit)
    }

    func latestNotifications(limit: Int) throws -> [ReceivedNotification] { try base.latestNotifications(limit: limit) }

    func removeUnknown(notification uuid: String) throws { try base.removeUnknown(notification: uuid) }

    func unknownNotifications(limit: Int) throws -> [ReceivedNotification] { try base.unknownNotifications(limit: limit) }
}

// Purchase Records
extension ObservedTransaction {
    func events(of purchase: TransactionID, limit: Int) throws -> [ReceivedEvent] { try base.events(of: purchase, limit: limit) }

    func decidingEvents(of purchase: TransactionID) throws -> DecidingEvents? { try base.decidingEvents(of: purchase) }

    func appAccountToken(of purchase: TransactionID, in period: String) throws -> CustomerID? {
        try base.appAccountToken(of: purchase, in: period)
    }

    func transactions(of purchase: TransactionID) throws -> [SignedEvent] { try base.transactions(of: purchase) }

    func latestTransactions(limit: Int) throws -> [SignedEvent] { try base.latestTransactions(limit: limit) }

    func revokedPercentage(ofCharge charge: String, of purchase: TransactionID) throws -> Int {
        try base.revokedPercentage(ofCharge: charge, of: purchase)
    }

    func purchase(_ purchase: TransactionID) throws -> PurchaseRecord? { try base.purchase(purchase) }

    func purchases(of customer: CustomerID) throws -> [PurchaseRecord] { try base.purchases(of: customer) }

    func purchases(of customer: CustomerID, product: ProductID) throws -> [PurchaseRecord] {
        try base.purchases(of: customer, product: product)
    }

    func products(of customer: CustomerID) throws -> [ProductID] { try base.products(of: customer) }

    func holdings(of customer: CustomerID, limit: Int, of includes: (ProductID) -> Bool) throws -> CustomerHoldings? {
        try base.holdings(of: customer, limit: limit, of: includes)
    }

    func decidingEvidence(of purchase: TransactionID) throws -> [StoredEvent] { try base.decidingEvidence(of: purchase) }

    func insert(_ claim: PurchaseClaim) throws { try base.insert(claim) }

    func claims(of purchase: TransactionID) throws -> [PurchaseClaim] { try base.claims(of: purchase) }
}

// Team Records
extension ObservedTransaction {
    func team(_ purchase: TransactionID) throws -> TeamRecord? { try base.team(purchase) }

    func put(_ team: TeamRecord) throws { try base.put(team) }

    func removeTeam(_ purchase: TransactionID) throws { try base.removeTeam(purchase) }

    func teams(in partition: Int, dueAt date: Timestamp, limit: Int) throws -> [TeamRecord] {
        try base.teams(in: partition, dueAt: date, limit: limit)
    }

    func claimTeams(in partition: Int, dueAt date: Timestamp, until later: Timestamp, limit: Int) throws -> [TeamRecord] {
        try base.claimTeams(in: partition, dueAt: date, until: later, limit: limit)
    }

    func invitations(to team: TransactionID) throws -> [SeatInvitation] { try base.invitations(to: team) }

    func invitation(tokenDigest digest: Data, to team: TransactionID) throws -> SeatInvitation? {
        try base.invitation(tokenDigest: digest, to: team)
    }

    func put(_ invitation: SeatInvitation) throws { try base.put(invitation) }

    func delete(_ invitation: SeatInvitation) throws { try base.delete(invitation) }

    func unreleasedClaims(of team: TransactionID) throws -> [SeatClaim] { try base.unreleasedClaims(of: team) }

    func seatClaim(_ requestIdentifier: String, of team: TransactionID) throws -> SeatClaim? {
        try base.seatClaim(requestIdentifier, of: team)
    }

    func seatClaim(withID seatClaimID: String) throws -> SeatClaim? { try base.seatClaim(withID: seatClaimID) }

    func seats(of customer: CustomerID) throws -> [CustomerSeat] { try base.seats(of: customer) }
}
