import PurchaseModel
import PurchaseTestSupport
import Testing

/// Tests of the number of seats in the running period of a multi-seat subscription.
@Suite struct GroupSeatsTests {
    private struct Case: CustomTestStringConvertible {
        let testDescription: String
        let transactions: [TransactionPayload]
        var day: Int64 = 1
        let seats: Int?
    }

    private static func transaction(
        _ id: TransactionID, seats: Int?, from day: Int64 = 0, to end: Int64 = 30, reason: String = "PURCHASE", isAddition: Bool = false,
        _ change: (inout TransactionPayload) -> Void = { _ in }
    ) -> TransactionPayload {
        var payload = TransactionPayload.sample(
            id: id, original: "1", product: "team", type: .autoRenewable, quantity: seats ?? 1, date: .testStart.adding(days: day),
            expires: .testStart.adding(days: end))
        payload.transactionReason = reason
        payload.inAppOwnershipType = Ownership.purchased.rawValue
        payload.multiSeatInfo = seats.map { _ in TransactionMultiSeatInfo(invitationManagement: "DEVELOPER") }
        payload.additionalTransactionReason = isAddition ? "SEAT_ADDITION" : nil
        change(&payload)
        return payload
    }

    private static let cases: [Case] = [
        Case(testDescription: "no transaction", transactions: [], seats: nil),
        Case(testDescription: "a subscription without seats", transactions: [transaction("1", seats: nil)], seats: nil),
        Case(testDescription: "a purchase of three seats", transactions: [transaction("1", seats: 3)], seats: 3),
        Case(
            testDescription: "an addition of two seats, which both transactions state",
            transactions: [transaction("2", seats: 2, from: 5, isAddition: true), transaction("1", seats: 3, isAddition: true)], seats: 5),
        Case(
            testDescription: "a renewal with fewer seats",
            transactions: [transaction("1", seats: 3), transaction("2", seats: 1, from: 30, to: 60, reason: "RENEWAL")], day: 31, seats: 1),
        Case(
            testDescription: "a renewal that was charged ahead",
            transactions: [transaction("1", seats: 3), transaction("2", seats: 1, from: 30, to: 60, reason: "RENEWAL")], day: 29, seats: 3),
        Case(
            testDescription: "a renewal after an addition",
            transactions: [
                transaction("1", seats: 3, isAddition: true), transaction("2", seats: 2, from: 5, isAddition: true),
                transaction("3", seats: 5, from: 30, to: 60, reason: "RENEWAL"),
            ], day: 31, seats: 5),
        Case(
            testDescription: "refunded seats", transactions: [transaction("1", seats: 3) { $0.multiSeatInfo?.revokedSeatQuantity = 2 }],
            seats: 1),
        Case(
            testDescription: "more refunded seats than seats",
            transactions: [transaction("1", seats: 3) { $0.multiSeatInfo?.revokedSeatQuantity = 9 }], seats: 0),
        Case(
            testDescription: "a revoked addition",
            transactions: [
                transaction("1", seats: 3, isAddition: true),
                transaction("2", seats: 2, from: 5, isAddition: true) { $0.revocationDate = .testStart.adding(days: 6) },
            ], seats: 3),
        Case(
            testDescription: "a revoked purchase with an addition",
            transactions: [
                transaction("1", seats: 3, isAddition: true) { $0.revocationDate = .testStart.adding(days: 6) },
                transaction("2", seats: 2, from: 5, isAddition: true),
            ], day: 7, seats: 2),
        Case(
            testDescription: "a member's transaction, which repeats the purchaser's seats",
            transactions: [
                transaction("1", seats: 3), transaction("2", seats: 3) { $0.inAppOwnershipType = Ownership.assigned.rawValue },
            ], seats: 3),
        Case(
            testDescription: "a sum out of range",
            transactions: [
                transaction("1", seats: .max, isAddition: true), transaction("2", seats: .max, from: 5, isAddition: true),
            ], seats: .max),
        Case(
            testDescription: "a refund out of range",
            transactions: [transaction("1", seats: .min) { $0.multiSeatInfo?.revokedSeatQuantity = .max }], seats: 0),
    ]

    @Test(arguments: cases)
    private func `the seats of the running period are those of the purchaser that were not refunded`(_ example: Case) {
        for transactions in [example.transactions, example.transactions.reversed()] {
            let seats = GroupSeats(of: transactions, at: .testStart.adding(days: example.day))
            #expect(seats?.count == example.seats)
            if example.seats != nil { #expect(seats?.management == .developer) }
        }
    }
}
