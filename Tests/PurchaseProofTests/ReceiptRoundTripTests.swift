import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@Suite struct ReceiptRoundTripTests {
    @Test(arguments: [0, 1, 100])
    func `an issued receipt is verified with the same content`(count: Int) async throws {
        let transactions = (0..<count).map { (number: Int) -> TransactionPayload in
            .sample(id: TransactionID("\(2_000_000_000_000_000 + number)"), quantity: number % 10 + 1)
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
        #expect(receipt.payload.purchases.map(\.quantity).sorted() == transactions.map(\.quantity).sorted())
    }

    @Test(arguments: ProductType.allCases)
    func `an issued purchase is verified with the same content`(type: ProductType) async throws {
        var transaction = TransactionPayload.sample(
            id: "2000000000000002", original: "2000000000000001", product: "com.example.monkeyshop.magazine", type: type,
            expires: .testStart.adding(days: 30)
        )
        transaction.originalPurchaseDate = .testStart.adding(days: -30)
        transaction.revocationDate = .testStart.adding(days: 1)
        transaction.webOrderLineItemId = "2000000000000007"
        let bytes = try TestAuthority.shared.receipts.issue(.sample([transaction]))
        let receipt = try await TestAuthority.shared.receiptVerifier().verify(bytes)

        let purchase = try #require(receipt.payload.purchases.first)
        #expect(purchase.transactionID == "2000000000000002")
        #expect(purchase.originalTransactionID == "2000000000000001")
        #expect(purchase.productID == "com.example.monkeyshop.magazine")
        #expect(purchase.productType == type)
        #expect(purchase.purchaseDate == .testStart)
        #expect(purchase.originalPurchaseDate == .testStart.adding(days: -30))
        #expect(purchase.expiresDate == .testStart.adding(days: 30))
        #expect(purchase.cancellationDate == .testStart.adding(days: 1))
        #expect(purchase.webOrderLineItemID == "2000000000000007")
    }
}
