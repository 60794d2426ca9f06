import PurchaseModel
import PurchaseStorage
import ServerProtocol

extension EntitlementService {
    /// Returns a customer's seats that can give entitlements.
    func seats(of customer: CustomerID, in records: any StorageTransaction) throws -> [CustomerSeat] {
        try records.seats(of: customer).filter(counts)
    }

    /// Returns whether a seat can give entitlements: a production server can ignore the purchases of the sandbox.
    func counts(_ seat: CustomerSeat) -> Bool { counts(PurchaseRecord(timeline: seat.timeline)) }
}

extension CustomerSeat {
    /// Whether the seat gives the access of the subscription.
    var isClaimed: Bool { claimedAt != nil && endedAt == nil }

    /// Returns the member's access at a date.
    ///
    /// - Parameters:
    ///   - access: The access that the subscription gives.
    ///   - date: The date, which is not before ``claimedAt``.
    func access(_ access: Access, at date: Timestamp) -> Access {
        let claimed = "seat of the team \(team)" + (claimedAt.map { ", claimed \($0)" } ?? "")
        guard let endedAt, endedAt <= date else {
            return Access(isGranted: access.isGranted, state: access.state, until: access.until, reason: "\(claimed); \(access.reason)")
        }
        let state: Access.State = access.isGranted ? .expired : access.state
        return Access(
            isGranted: false, state: endReason == .ended ? state : .revoked, until: endedAt,
            reason: "\(claimed), ended \(endedAt): \(endNote)")
    }

    /// Returns the seat in an explanation of an entitlement; nil for a seat that can't give the entitlement.
    func explanation(of name: EntitlementName, _ catalog: ProductCatalog) -> EntitlementExplanation.Seat? {
        guard timeline.entitlements.contains(where: { catalog.entitlements(of: $0).contains(name) }) else { return nil }
        let openNote = claimedAt == nil ? "The App Store has not confirmed the claim." : "The member has the seat."
        return EntitlementExplanation.Seat(
            team: team, productID: timeline.latest.productID, claimedAt: claimedAt, endedAt: endedAt,
            note: endedAt == nil ? openNote : endNote)
    }

    /// A sentence about the reason why the claim ended.
    private var endNote: String {
        switch endReason {
        case .released?: "The owner released the member, the member left, or the customer needs no seat."
        case .unclaimed?: "The App Store released the claim."
        case .surplus?: "The team has fewer seats than members."
        case .ended?: "The subscription ended."
        case nil: "The claim ended."
        }
    }
}
