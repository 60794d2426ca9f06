import PurchaseModel
import PurchaseStorage
import ServerProtocol

extension EntitlementService {
    /// Reads a customer's holdings within a transaction, with one query for a customer with few purchases.
    func holdings(of customer: CustomerID, at now: Timestamp, in records: any StorageTransaction) throws -> Holdings {
        let catalog = catalog.catalog
        guard
            let held = try records.holdings(of: customer, limit: Self.fewPurchases, of: { !catalog.entitlements(of: $0).isEmpty })
        else { return try holdings(of: customer, at: now, catalog, records) }
        let (purchases, seats) = (held.purchases.filter(counts), held.seats.filter(counts))
        return Holdings(
            customer: customer, purchases: purchases, grants: held.grants, seats: seats,
            unconfirmed: try unconfirmed(purchases, seats, at: now, records))
    }

    /// Returns the entitlements that holdings give at a date, sorted by name, as ``list(of:at:withEvidence:after:)`` states them.
    ///
    /// - Parameters:
    ///   - holdings: The holdings, whose unconfirmed renewals are those of `date`.
    ///   - date: The date.
    func answer(_ holdings: Holdings, at date: Timestamp) -> [FeedState.Entitlement] {
        Self.greatest(Self.candidates(of: holdings, at: date, catalog.catalog)).map { FeedState.Entitlement($0) }
    }

    /// Returns the first date after a date at which the answer can change without a write; nil if time changes nothing.
    func nextChange(_ holdings: Holdings, after date: Timestamp) -> Timestamp? {
        let catalog = catalog.catalog
        var dates: [Timestamp?] = holdings.unconfirmed.values.map(\.until) + holdings.grants.map(\.until)
        for timeline in holdings.purchases.map(\.timeline) + holdings.seats.map(\.timeline) {
            dates.append(timeline.preceding?.until)
            dates += timeline.entitlements.map { $0.access(at: date, nonRenewingDuration: catalog[$0.productID]?.duration).until }
        }
        return dates.compactMap { $0 }.filter { $0 > date }.min()
    }

    /// Whether a purchase can give an entitlement.
    func canEntitle(_ purchase: PurchaseRecord) -> Bool { catalog.catalog.gives(purchase) }
}
