import FoundationExtras
import PurchaseTestSupport
import Testing

@testable import PurchaseModel

/// A monthly subscription with a commitment of twelve charges: which renewals follow, and when access ends.
@Suite struct CommitmentTests {
    private static let start = Timestamp.testStart
    private static let year: ProductID = "club.year"

    /// A charge of the commitment with its renewal info.
    struct Charge: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var number = 3
        var autoRenewStatus = 1
        var commitmentStatus: Int? = 1
        var nextProduct: ProductID = Self.product
        /// The product to which the subscription renews after this charge.
        let renewsTo: ProductID?

        private static var product: ProductID { CommitmentTests.year }
    }

    static let charges: [Charge] = [
        Charge(testDescription: "within a commitment, the next charge follows", renewsTo: year),
        Charge(testDescription: "a cancellation within a commitment leaves the next charge", commitmentStatus: 0, renewsTo: year),
        Charge(testDescription: "a change of the product waits until the commitment ends", nextProduct: "club.basic", renewsTo: year),
        Charge(testDescription: "another commitment follows the last charge", number: 12, renewsTo: year),
        Charge(testDescription: "a canceled commitment ends after its last charge", number: 12, commitmentStatus: 0, renewsTo: nil),
        Charge(testDescription: "a changed product follows the last charge", number: 12, nextProduct: "club.basic", renewsTo: "club.basic"),
        Charge(testDescription: "a number after the last counts as the last", number: 13, commitmentStatus: 0, renewsTo: nil),
        Charge(testDescription: "an unknown status ends no commitment", number: 12, commitmentStatus: 7, renewsTo: year),
        Charge(testDescription: "without a status, another commitment follows", number: 12, commitmentStatus: nil, renewsTo: year),
        Charge(testDescription: "a disabled auto-renewal ends a commitment early", autoRenewStatus: 0, renewsTo: nil),
    ]

    private static func transaction(number: Int) -> TransactionPayload {
        let begin = start.adding(days: 30 * Int64(number - 1))
        var payload = TransactionPayload.sample(
            id: TransactionID("\(number)"), original: "1", product: year, type: .autoRenewable, date: begin, expires: begin.adding(days: 30)
        )
        payload.webOrderLineItemId = "9\(number)"
        payload.billingPlanType = BillingPlanType.monthly.rawValue
        payload.commitmentInfo = TransactionCommitmentInfo()
        payload.commitmentInfo?.billingPeriodNumber = number
        payload.commitmentInfo?.totalBillingPeriods = 12
        payload.commitmentInfo?.commitmentExpiresDate = start.adding(days: 360)
        return payload
    }

    private static func event(_ charge: Charge) -> SignedEvent {
        let transaction = transaction(number: charge.number)
        var renewal = RenewalInfoPayload.sample(
            original: "1", product: year, autoRenewStatus: charge.autoRenewStatus, date: transaction.purchaseDate.adding(days: 1))
        renewal.renewalDate = transaction.expiresDate
        renewal.renewalBillingPlanType = BillingPlanType.monthly.rawValue
        renewal.commitmentInfo = RenewalCommitmentInfo()
        renewal.commitmentInfo?.commitmentAutoRenewStatus = charge.commitmentStatus
        renewal.commitmentInfo?.commitmentAutoRenewProductId = charge.nextProduct
        renewal.commitmentInfo?.commitmentRenewalDate = start.adding(days: 360)
        return SignedEvent(transaction: transaction, renewal: renewal, source: "DID_RENEW")
    }

    @Test(arguments: charges) func `the renewal after a charge follows the commitment`(_ charge: Charge) throws {
        let event = Self.event(charge)
        let events = try #require(DecidingEvents(of: [event]))
        let entitlement = EntitlementProjection.timeline(from: events).latest
        #expect(entitlement.renewsTo == charge.renewsTo)
        #expect(EntitlementProjection.statesRenewal(events) == (charge.renewsTo != nil))
        // The charge is paid, so that no status of the renewal ends its access early.
        #expect(entitlement.state == .active(until: try #require(event.transaction.expiresDate)))
    }

    @Test func `the commitment's end decides about a charge without a number`() {
        var last = Self.transaction(number: 12)
        last.commitmentInfo?.billingPeriodNumber = nil
        #expect(last.isLastOfCommitment)
        var earlier = Self.transaction(number: 11)
        earlier.commitmentInfo?.totalBillingPeriods = nil
        #expect(!earlier.isLastOfCommitment)
        earlier.commitmentInfo = nil
        #expect(!earlier.isLastOfCommitment)
    }

    @Test func `a failed charge of a commitment ends access at once`() {
        var event = Self.event(Charge(testDescription: "failed", renewsTo: nil))
        event.renewal?.isInBillingRetryPeriod = true
        #expect(EntitlementProjection.timeline([event])?.latest.state == .billingRetry)
    }

    @Test func `a refund of an earlier charge leaves the access of the current one, and a refund of the current one ends it`() {
        let (earlier, current) = (Self.transaction(number: 2), Self.transaction(number: 3))
        let now = Self.start.adding(days: 70)
        func entitlement(refunding id: TransactionID) -> Entitlement? {
            let events = [earlier, current].map { transaction in
                var transaction = transaction
                if transaction.transactionId == id { (transaction.revocationDate, transaction.signedDate) = (now, now) }
                return SignedEvent(transaction: transaction, source: "REFUND")
            }
            return EntitlementProjection.timeline(events)?.latest
        }
        #expect(entitlement(refunding: "2")?.access(at: now).isGranted == true)
        #expect(entitlement(refunding: "3")?.state == .revoked)
    }
}
