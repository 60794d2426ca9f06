import PurchaseModel
import ServerProtocol

/// An entitlement from one purchase, grant or seat; the maximum candidate of a name is the customer's entitlement.
struct EntitlementCandidate: Comparable {
    /// The version of the rules for answers; a change of the rules increases the version, so that the feed states the changed answers.
    static let version = 1

    let reply: EntitlementReply
    let date: Timestamp

    /// Creates a candidate from a grant.
    init(reply: EntitlementReply, date: Timestamp) {
        self.reply = reply
        self.date = date
    }

    /// Creates a candidate from a purchase, or from a seat in the team of a purchase.
    ///
    /// - Parameters:
    ///   - name: The name of the entitlement.
    ///   - entitlement: The entitlement of the purchase.
    ///   - access: The customer's access.
    ///   - ownership: The customer's relation to the purchase; nil for the relation that the signed data states.
    ///   - end: The date when the customer's seat ended, which no longer renews; nil for an open seat, and for the owner's purchase.
    ///   - isUnconfirmed: Whether the access results from an unconfirmed renewal.
    init(
        _ name: EntitlementName, _ entitlement: Entitlement, _ access: Access, ownership: Ownership? = nil, end: Timestamp? = nil,
        isUnconfirmed: Bool
    ) {
        reply = EntitlementReply(
            name: name, access: access, productID: entitlement.productID, originalTransactionID: entitlement.originalTransactionID,
            ownership: (ownership ?? entitlement.ownership)?.rawValue, renewsTo: end == nil ? entitlement.renewsTo : nil,
            environment: entitlement.environment, isUnconfirmed: isUnconfirmed && access.isGranted)
        date = end ?? entitlement.signedDate
    }

    /// Orders inactive candidates before active candidates, active candidates by their ends, and all others by the dates of their events.
    static func < (lhs: EntitlementCandidate, rhs: EntitlementCandidate) -> Bool {
        if lhs.reply.isActive != rhs.reply.isActive { return rhs.reply.isActive }
        let (end, otherEnd) = (lhs.reply.end, rhs.reply.end)
        if lhs.reply.isActive, end != otherEnd { return end < otherEnd }
        return lhs.date < rhs.date
    }

    static func == (lhs: EntitlementCandidate, rhs: EntitlementCandidate) -> Bool {
        !(lhs < rhs) && !(rhs < lhs)
    }
}

extension EntitlementReply {
    /// The end of the entitlement; the latest possible date for an entitlement without an end.
    fileprivate var end: Timestamp { until ?? Timestamp(milliseconds: .max) }
}
