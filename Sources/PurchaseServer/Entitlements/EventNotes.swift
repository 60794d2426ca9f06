import PurchaseModel

extension SignedEvent {
    /// Sentences about facts of the event that its source, dates and state do not show, for an explanation of an entitlement.
    var notes: [String] {
        var notes: [String] = []
        if transaction.isRevoked, transaction.reasonOfRevocation == .upgradedToBundle {
            let bundle = transaction.bundleProductId.map { " \"\($0)\"" } ?? ""
            notes.append(
                "The subscription moved to the bundle\(bundle). The move is no refund: the bundle's transaction gives the access.")
        }
        if transaction.isRevoked, transaction.kindOfRevocation == .assignmentRevoke {
            notes.append("The group purchaser or the organization took the seat away from the customer.")
        }
        if transaction.additionalTransactionReason != nil {
            notes.append("Several transactions represent the period. The period is revoked when each of them is revoked.")
        }
        if let seats = transaction.multiSeatInfo?.revokedSeatQuantity, seats > 0, !transaction.isRevoked {
            notes.append(
                "The App Store refunded \(seats) of \(transaction.quantity) seats. The refund of seats does not revoke the purchase.")
        }
        if let commitment = transaction.commitmentInfo, let number = commitment.billingPeriodNumber,
            let count = commitment.totalBillingPeriods
        {
            let end = commitment.commitmentExpiresDate.map { ", which ends on \($0)" } ?? ""
            notes.append("The transaction is charge \(number) of \(count) of a commitment\(end).")
        }
        if renewal?.commitmentInfo?.autoRenewStatus == .off, !transaction.isRevoked, renewal?.isInBillingRetryPeriod != true {
            notes.append("The customer canceled the commitment. The monthly charges and the access continue until the commitment ends.")
        }
        return notes
            + (transaction.unknownValues + (renewal?.unknownValues ?? [])).map { unknown in
                "The value \"\(unknown.value)\" of `\(unknown.member)` is unknown to this version of the server."
            }
    }
}
