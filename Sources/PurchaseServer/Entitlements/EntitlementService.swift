import PurchaseModel
import PurchaseProof
import PurchaseStorage
import ServerProtocol

/// Computes the entitlements of an app's customers from their purchases and grants.
package struct EntitlementService: Sendable {
    private static let nameLimit = 200
    private static let reasonLimit = 500
    /// The maximum number of events of one purchase in an explanation.
    private static let explanationLimit = 200
    /// The maximum number of events of one purchase that the service reads to explain an entitlement, or to compute an entitlement at a
    /// past
    /// date; earlier events are ignored.
    ///
    /// A purchase has one event for each notification, and one for each submitted transaction with new content; a weekly subscription of
    /// ten
    /// years has about 1,500 events.
    private static let eventLimit = 4_000
    /// The maximum number of purchases that the service reads in one query for a customer; a subscription is one purchase.
    ///
    /// For a customer with more purchases, such as many consumables, the service discards the result, and sends a query for each product.
    static let fewPurchases = 8
    /// The maximum number of purchases with evidence in a reply.
    ///
    /// The evidence of a purchase has at most three signed transactions of about 4 KB, so a page has at most 2.5 MB, and usually about 0.8
    /// MB.
    var evidencePage = 200

    let app: BundleID
    let storage: any PurchaseStorage
    let catalog: any CatalogSource
    let clock: any WallClock
    var leeway = RenewalLeeway.none
    /// Whether sandbox purchases give entitlements.
    var acceptsSandboxPurchases = true
    /// The results of recent reads, which answer requests while the database is unavailable.
    let recent = RecentReads<CustomerReference, Holdings?>()

    /// The purchases, the grants and the seats of a customer, which determine the entitlements at any moment after the read.
    struct Holdings: Sendable {
        let customer: CustomerID
        var purchases: [PurchaseRecord]
        var grants: [EntitlementGrant]
        var seats: [CustomerSeat]
        /// The access that unconfirmed renewals give, by purchase.
        var unconfirmed: [TransactionID: Access]
    }

    /// Reads the purchases and the grants that give the current entitlements.
    ///
    /// The method reads no purchases of products without entitlements, such as thousands of consumables.
    func holdings(
        of customer: CustomerID, at now: Timestamp, _ catalog: ProductCatalog, _ records: any StorageTransaction
    ) throws -> Holdings {
        let products = try records.products(of: customer).filter { !catalog.entitlements(of: $0).isEmpty }
        var purchases: [PurchaseRecord] = []
        for purchase in try products.flatMap({ try records.purchases(of: customer, product: $0) }) where catalog.gives(purchase) {
            // Skip a duplicate, because a purchase with two products is in the results for both products.
            if purchase.timeline.preceding == nil || !purchases.contains(purchase) { purchases.append(purchase) }
        }
        return try holdings(of: customer, purchases, at: now, records)
    }

    private func holdings(
        of customer: CustomerID, _ purchases: [PurchaseRecord], at now: Timestamp, _ records: any StorageTransaction
    ) throws -> Holdings {
        let (purchases, seats) = (purchases.filter(counts), try seats(of: customer, in: records))
        return Holdings(
            customer: customer, purchases: purchases, grants: try records.grants(of: customer), seats: seats,
            unconfirmed: try unconfirmed(purchases, seats, at: now, records))
    }

    /// Returns the access that unconfirmed renewals give at a date, by purchase.
    func unconfirmed(
        _ purchases: [PurchaseRecord], _ seats: [CustomerSeat], at now: Timestamp, _ records: any StorageTransaction
    ) throws -> [TransactionID: Access] {
        var unconfirmed: [TransactionID: Access] = [:]
        for entitlement in purchases.map(\.entitlement) + seats.map(\.timeline.latest) {
            guard let access = try leeway.access(to: entitlement, at: now, in: records) else { continue }
            unconfirmed[entitlement.originalTransactionID] = access
        }
        return unconfirmed
    }

    /// Returns every entitlement that a customer has or had, sorted by name.
    ///
    /// While the database is unavailable, the service computes the current entitlements from the last read, so that a subscription still
    /// ends in time.
    ///
    /// - Parameters:
    ///   - reference: The customer.
    ///   - date: A past moment; nil for the current moment. The cost grows with the number of the customer's signed events.
    ///   - withEvidence: Whether the reply includes the signed data from which the entitlements follow.
    ///   - last: The purchase after which the page of evidence begins; nil for the first page.
    func list(
        of reference: CustomerReference, at date: Timestamp?, withEvidence: Bool, after last: TransactionID? = nil
    ) async throws -> EntitlementsReply {
        let (now, catalog) = (clock.now, catalog.catalog)
        guard date != nil || withEvidence else {
            let (holdings, staleSince) = try await present(of: reference, at: now, catalog)
            let candidates = holdings.map { Self.candidates(of: $0, at: now, catalog) } ?? []
            return EntitlementsReply(
                customer: holdings?.customer, date: now, entitlements: Self.greatest(candidates), staleSince: staleSince)
        }
        return try await storage.read(app) { records in
            guard let customer = try records.customer(reference) else {
                return EntitlementsReply(customer: nil, date: date ?? now, entitlements: [], evidence: withEvidence ? [] : nil)
            }
            // Read the purchases of all products, because a subscription may have had another product at a past moment.
            let holdings =
                date == nil
                ? try holdings(of: customer, at: now, catalog, records)
                : try holdings(of: customer, records.purchases(of: customer).filter { catalog.gives($0) }, at: now, records)
            let candidates = try Self.candidates(of: holdings, at: date ?? now, catalog, isPresent: date == nil) { purchase in
                try date.map { try Self.entitlement(of: purchase.originalTransactionID, at: $0, records) }
                    ?? purchase.timeline.entitlement(at: now)
            }
            var reply = EntitlementsReply(customer: holdings.customer, date: date ?? now, entitlements: Self.greatest(candidates))
            if withEvidence { try addEvidence(of: holdings.purchases, after: last, to: &reply, records) }
            return reply
        }
    }

    /// Returns the current entitlements of a customer, each with the end of the uninterrupted access.
    ///
    /// If the App Store charged a renewal before the period ended, an entitlement of both periods ends at the end of the next period.
    func unbroken(of reference: CustomerReference) async throws -> EntitlementsReply {
        let (now, catalog) = (clock.now, catalog.catalog)
        let (holdings, staleSince) = try await present(of: reference, at: now, catalog)
        guard let holdings else { return EntitlementsReply(customer: nil, date: now, entitlements: [], staleSince: staleSince) }
        var entitlements = Self.greatest(Self.candidates(of: holdings, at: now, catalog))
        if (holdings.purchases.map(\.timeline) + holdings.seats.map(\.timeline)).contains(where: { $0.preceding != nil }) {
            for index in entitlements.indices {
                guard entitlements[index].isActive, let end = entitlements[index].until else { continue }
                let next = Self.read(entitlements[index].name, of: holdings, at: end, catalog)
                if next.isActive { entitlements[index].until = next.until }
            }
        }
        return EntitlementsReply(customer: holdings.customer, date: now, entitlements: entitlements, staleSince: staleSince)
    }

    private func present(
        of reference: CustomerReference, at now: Timestamp, _ catalog: ProductCatalog
    ) async throws -> (value: Holdings?, staleSince: Timestamp?) {
        try await recent.value(for: reference, at: now) {
            if let holdings = try await fewHoldings(of: reference, at: now, catalog) { return holdings }
            return try await storage.read(app) { records in
                try records.customer(reference).map { try holdings(of: $0, at: now, catalog, records) }
            }
        }
    }

    /// Reads the purchases and the grants of a customer with few purchases, with one request to the database, or two for a token or an
    /// alias.
    ///
    /// - Returns: Nil if the customer is unknown, has more purchases, was merged into another customer, or has a renewal that may be
    ///   unconfirmed.
    private func fewHoldings(of reference: CustomerReference, at now: Timestamp, _ catalog: ProductCatalog) async throws -> Holdings? {
        try await storage.readCommitted(app) { records in
            // Check `mergedInto`, because the customer may be merged between the two reads.
            let customer: CustomerID? = if case .id(let id) = reference { id } else { try records.customer(reference) }
            guard let customer,
                let held = try records.holdings(
                    of: customer, limit: Self.fewPurchases, of: { !catalog.entitlements(of: $0).isEmpty }),
                held.mergedInto == nil
            else { return nil }
            let (purchases, seats) = (held.purchases.filter(counts), held.seats.filter(counts))
            let latest = purchases.map(\.entitlement) + seats.map(\.timeline.latest)
            guard !latest.contains(where: { leeway.canApply(to: $0, at: now) }) else { return nil }
            return Holdings(customer: customer, purchases: purchases, grants: held.grants, seats: seats, unconfirmed: [:])
        }
    }

    /// Returns the maximum candidate for each name of an entitlement, sorted by name.
    static func greatest(_ candidates: [EntitlementCandidate]) -> [EntitlementReply] {
        Dictionary(grouping: candidates, by: \.reply.name).values.compactMap { $0.max()?.reply }.sorted { $0.name < $1.name }
    }

    /// Returns the entitlement of a purchase at a past moment; the cost grows with the number of the purchase's signed events.
    private static func entitlement(
        of purchase: TransactionID, at date: Timestamp, _ records: any StorageTransaction
    ) throws -> Entitlement? {
        let events = try records.events(of: purchase, limit: eventLimit)
        return EntitlementProjection.project(events.map(\.event), at: date)
    }

    /// Returns one entitlement of a customer; an entitlement that the customer never had is not active.
    func read(_ name: EntitlementName, of reference: CustomerReference, at date: Timestamp?) async throws -> EntitlementReply {
        let (now, catalog) = (clock.now, catalog.catalog)
        guard let date else {
            let (holdings, staleSince) = try await present(of: reference, at: now, catalog)
            var reply = Self.read(name, of: holdings, at: now, catalog)
            reply.staleSince = staleSince
            return reply
        }
        return try await storage.read(app) { records in
            guard let customer = try records.customer(reference) else {
                return EntitlementReply(name: name, access: .unknownPurchase)
            }
            let purchases = try records.purchases(of: customer).filter { catalog.gives($0) }
            let holdings = try holdings(of: customer, purchases, at: now, records)
            let candidates = try Self.candidates(of: holdings, at: date, catalog, isPresent: false) { purchase in
                try Self.entitlement(of: purchase.originalTransactionID, at: date, records)
            }
            return candidates.filter { $0.reply.name == name }.max()?.reply ?? EntitlementReply(name: name, access: .unknownPurchase)
        }
    }

    /// Returns the signed events, the grants and the seats of an entitlement, in the order of their dates.
    func explain(_ name: EntitlementName, of reference: CustomerReference) async throws -> EntitlementExplanation {
        let (now, catalog) = (clock.now, catalog.catalog)
        return try await storage.read(app) { records in
            guard let customer = try records.customer(reference) else {
                return EntitlementExplanation(entitlement: EntitlementReply(name: name, access: .unknownPurchase), events: [], grants: [])
            }
            var events: [EntitlementExplanation.Event] = []
            for purchase in try records.purchases(of: customer) where catalog.gives(purchase) {
                let stored = try records.events(of: purchase.originalTransactionID, limit: Self.eventLimit)
                guard
                    stored.contains(where: {
                        catalog.entitlements(of: $0.event.transaction.productId, type: $0.event.transaction.productType).contains(name)
                    })
                else { continue }
                events += try Self.explain(stored, of: purchase, catalog, records)
            }
            let grants = try records.grants(of: customer).filter { $0.entitlement == name }
            return EntitlementExplanation(
                entitlement: Self.read(name, of: try holdings(of: customer, at: now, catalog, records), at: now, catalog),
                events: events.sorted { $0.signedDate < $1.signedDate },
                grants: grants.map {
                    EntitlementExplanation.Grant(grantedAt: $0.grantedAt, until: $0.until, revokedAt: $0.revokedAt, reason: $0.reason)
                }, seats: try seats(of: customer, in: records).compactMap { $0.explanation(of: name, catalog) })
        }
    }

    /// Grants an entitlement without a purchase.
    func grant(
        _ name: EntitlementName, to reference: CustomerReference, _ request: GrantEntitlementRequest
    ) async throws -> EntitlementReply {
        let (now, catalog) = (clock.now, catalog.catalog)
        if let until = request.until, until <= now { throw EntitlementRefusal.grantEnded }
        // Refuse a later end, because a lease can't state a date after the year 9999.
        if let until = request.until, until.milliseconds > 253_402_300_799_999 { throw EntitlementRefusal.grantMalformed }
        let reason = request.reason ?? ""
        guard (1...Self.nameLimit).contains(name.rawValue.utf8.count), reason.utf8.count <= Self.reasonLimit, IdentifierText.isValid(reason)
        else { throw EntitlementRefusal.grantMalformed }
        if let unknown = catalog.unknown(name) { throw EntitlementRefusal.grantUnknown(unknown) }
        return try await storage.write(app) { records in
            let customer = try records.customerOrNew(reference, at: now)
            try records.put(
                EntitlementGrant(customer: customer, entitlement: name, grantedAt: now, until: request.until, reason: reason))
            return Self.read(name, of: try holdings(of: customer, at: now, catalog, records), at: now, catalog)
        }
    }

    /// Revokes all grants of an entitlement; purchases are unchanged.
    func revokeGrants(_ name: EntitlementName, of reference: CustomerReference) async throws -> EntitlementReply {
        let (now, catalog) = (clock.now, catalog.catalog)
        return try await storage.write(app) { records in
            let customer = try records.customerOrNew(reference, at: now)
            for var grant in try records.grants(of: customer) where grant.entitlement == name && grant.revokedAt == nil {
                grant.revokedAt = now
                try records.put(grant)
            }
            return Self.read(name, of: try holdings(of: customer, at: now, catalog, records), at: now, catalog)
        }
    }

    private static func read(
        _ name: EntitlementName, of holdings: Holdings?, at now: Timestamp, _ catalog: ProductCatalog
    ) -> EntitlementReply {
        let candidates = holdings.map { Self.candidates(of: $0, at: now, catalog) } ?? []
        return candidates.filter { $0.reply.name == name }.max()?.reply ?? EntitlementReply(name: name, access: .unknownPurchase)
    }

    /// Returns a candidate for each purchase, grant and seat of a customer at the current date.
    ///
    /// The maximum ``EntitlementCandidate`` of each name determines the entitlement.
    static func candidates(of holdings: Holdings, at now: Timestamp, _ catalog: ProductCatalog) -> [EntitlementCandidate] {
        candidates(of: holdings, at: now, catalog, isPresent: true) { $0.timeline.entitlement(at: now) }
    }

    /// Returns a candidate for each purchase, grant and seat of a customer, at the current or a past date.
    ///
    /// - Parameters:
    ///   - isPresent: Whether the date is the current date, at which a renewal leeway can extend the access.
    ///   - entitlement: A closure that returns the entitlement of a purchase at the date; nil for a purchase after the date.
    private static func candidates(
        of holdings: Holdings, at date: Timestamp, _ catalog: ProductCatalog, isPresent: Bool,
        _ entitlement: (PurchaseRecord) throws -> Entitlement?
    ) rethrows -> [EntitlementCandidate] {
        var candidates: [EntitlementCandidate] = []
        func access(_ entitlement: Entitlement) -> (Access, isUnconfirmed: Bool) {
            var unconfirmed = isPresent ? holdings.unconfirmed[entitlement.originalTransactionID] : nil
            if let until = unconfirmed?.until, until <= date { unconfirmed = nil }
            let duration = catalog[entitlement.productID]?.duration
            return (unconfirmed ?? entitlement.access(at: date, nonRenewingDuration: duration), unconfirmed != nil)
        }
        for purchase in holdings.purchases {
            guard let entitlement = try entitlement(purchase) else { continue }
            let (access, isUnconfirmed) = access(entitlement)
            candidates += catalog.entitlements(of: entitlement).map { name in
                EntitlementCandidate(name, entitlement, access, isUnconfirmed: isUnconfirmed)
            }
        }
        for seat in holdings.seats where seat.claimedAt.map({ $0 <= date }) ?? false {
            guard let entitlement = try entitlement(PurchaseRecord(timeline: seat.timeline)) else { continue }
            let (access, isUnconfirmed) = access(entitlement)
            let end = seat.endedAt.flatMap { $0 <= date ? $0 : nil }
            candidates += catalog.entitlements(of: entitlement).map { name in
                EntitlementCandidate(
                    name, entitlement, seat.access(access, at: date), ownership: .assigned, end: end, isUnconfirmed: isUnconfirmed)
            }
        }
        for grant in holdings.grants where grant.grantedAt <= date {
            candidates.append(
                EntitlementCandidate(
                    reply: EntitlementReply(name: grant.entitlement, access: grant.access(at: date)), date: grant.grantedAt))
        }
        return candidates
    }

    /// Adds a page of the purchases' evidence to a reply, sorted by the purchases' identifiers.
    private func addEvidence(
        of purchases: [PurchaseRecord], after last: TransactionID?, to reply: inout EntitlementsReply, _ records: any StorageTransaction
    ) throws {
        let rest = purchases.filter { purchase in last.map { purchase.originalTransactionID > $0 } ?? true }
        let page = rest.sorted { $0.originalTransactionID < $1.originalTransactionID }.prefix(evidencePage)
        reply.evidence = try page.compactMap { try Self.evidence(of: $0, records) }
        reply.nextAfter = rest.count > page.count ? page.last?.originalTransactionID : nil
    }

    private static func evidence(
        of purchase: PurchaseRecord, _ records: any StorageTransaction
    ) throws -> EntitlementsReply.Evidence? {
        var transactions: [SignedTransaction] = []
        var renewals: [SignedRenewalInfo] = []
        for event in try records.decidingEvidence(of: purchase.originalTransactionID) {
            guard case .transaction(let transaction, let renewal) = event.evidence else { continue }
            transactions.append(transaction)
            if let renewal { renewals.append(renewal) }
        }
        guard !transactions.isEmpty else { return nil }
        return EntitlementsReply.Evidence(
            originalTransactionID: purchase.originalTransactionID, signedTransactions: transactions, signedRenewalInfo: renewals)
    }

    private static func explain(
        _ stored: [ReceivedEvent], of purchase: PurchaseRecord, _ catalog: ProductCatalog, _ records: any StorageTransaction
    ) throws -> [EntitlementExplanation.Event] {
        let deciding =
            try records.decidingEvents(of: purchase.originalTransactionID).map { EntitlementProjection.evidence(of: $0).events } ?? []
        var selection = EventSelection()
        var events: [EntitlementExplanation.Event] = []
        for (index, received) in stored.enumerated() {
            let (event, transaction) = (received.event, received.event.transaction)
            selection.add(event)
            guard index >= stored.count - explanationLimit else { continue }
            let entitlement = selection.decidingEvents.map { EntitlementProjection.timeline(from: $0).entitlement(at: event.signedDate) }
            let access = entitlement?.access(at: event.signedDate, nonRenewingDuration: catalog[transaction.productId]?.duration)
            events.append(
                EntitlementExplanation.Event(
                    originalTransactionID: transaction.originalTransactionId, transactionID: transaction.transactionId,
                    productID: transaction.productId, source: event.source, signedDate: event.signedDate, receivedAt: received.receivedAt,
                    expiresDate: transaction.expiresDate, revocationDate: transaction.revocationDate,
                    decides: deciding.contains(event), state: access?.state ?? .none, notes: event.notes))
        }
        return events
    }
}

extension EntitlementGrant {
    /// Returns the access that the grant gives at a date.
    fileprivate func access(at date: Timestamp) -> Access {
        let reason = reason.isEmpty ? "granted \(grantedAt)" : "granted \(grantedAt): \(reason)"
        if let revokedAt, revokedAt <= date { return Access(isGranted: false, state: .revoked, until: revokedAt, reason: reason) }
        if let until, until <= date { return Access(isGranted: false, state: .expired, until: until, reason: reason) }
        return Access(isGranted: true, state: until == nil ? .owned : .active, until: until, reason: reason)
    }
}
