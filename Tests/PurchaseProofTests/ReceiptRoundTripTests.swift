import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@Suite struct ReceiptRoundTripTests {
    @Test(arguments: [0, 1, 100])
    func `a receipt says what was put into it`(count: Int) async throws {
        let transactions = (0..<count).map { number in
            TransactionPayload.sample(id: TransactionID("\(2_000_000_000_000_000 + number)"), quantity: number % 10 + 1)
        }
        let bytes = try TestAuthority.shared.receipts.issue(.sample(transactions))
        let receipt = try await TestAuthority.shared.receiptVerifier().verify(bytes)

        #expect(receipt.original == bytes)
        #expect(receipt.payload.receiptType == "ProductionSandbox")
        #expect(receipt.payload.environment == .sandbox)
        #expect(receipt.payload.bundleID == .test)
        #expect(receipt.payload.appVersion == "1.0")
        #expect(receipt.payload.creationDate == .testStart)
        #expect(receipt.payload.originalPurchaseDate?.description == "2013-08-01T07:00:00Z")
        #expect(receipt.payload.originalAppVersion == "1.0")
        #expect(receipt.payload.expirationDate == nil)
        #expect(Set(receipt.payload.purchases.map(\.transactionID)) == Set(transactions.map(\.transactionId)))
        #expect(receipt.payload.purchases.map(\.quantity).reduce(0, +) == transactions.map(\.quantity).reduce(0, +))
    }
}
