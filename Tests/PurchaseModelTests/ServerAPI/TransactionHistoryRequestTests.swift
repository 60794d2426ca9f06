import PurchaseModel
import Testing

@Suite struct TransactionHistoryRequestTests {
    @Test func `a transaction history request survives encoding as a query`() throws {
        var request = TransactionHistoryRequest()
        request.startDate = Timestamp(milliseconds: 1)
        request.endDate = Timestamp(milliseconds: 2)
        request.productIds = ["a&b", "c d+é"]
        request.productTypes = [.consumable, .autoRenewable]
        request.subscriptionGroupIdentifiers = ["1", "2"]
        request.inAppOwnershipType = .familyShared
        request.revoked = false
        request.excludeRevoked = true
        request.sort = .descending
        let query = request.query(revision: "r=1")
        #expect(ServerAPIQuery(query.text) == query)
        #expect(try TransactionHistoryRequest(ServerAPIQuery(query.text)) == request)
        #expect(query.values("revision") == ["r=1"])
    }

    @Test(arguments: ["", "&&", "foo=bar", "revision=x"])
    func `query parameters other than filters do not restrict the history`(_ text: String) throws {
        #expect(try TransactionHistoryRequest(ServerAPIQuery(text)) == TransactionHistoryRequest())
    }

    @Test(arguments: [
        ("startDate=x", ServerAPIError.invalidStartDate), ("startDate=", .invalidStartDate), ("startDate=-1", .invalidStartDate),
        ("startDate=99999999999999999999", .invalidStartDate), ("startDate=%ZZ", .invalidStartDate),
        ("startDate=1&startDate=2", .invalidStartDate), ("startDate=2&endDate=2", .invalidStartDate), ("endDate=1.5", .invalidEndDate),
        ("productId=", .invalidProductId), ("productType=Consumable", .invalidProductType),
        ("productType=CONSUMABLE&productType=x", .invalidProductType),
        ("subscriptionGroupIdentifier=", .invalidSubscriptionGroupIdentifier), ("inAppOwnershipType=MINE", .invalidInAppOwnershipType),
        ("revoked=1", .invalidRevoked), ("excludeRevoked=no", .invalidExcludeRevoked), ("sort=ascending", .invalidSort),
        ("sort", .invalidSort),
    ])
    func `each invalid filter has its own error`(_ text: String, _ error: ServerAPIError) {
        #expect(throws: error) { try TransactionHistoryRequest(ServerAPIQuery(text)) }
    }

    @Test func `a filter has no more values than a page can need`() {
        let text = (0...200).map { "productId=\($0)" }.joined(separator: "&")
        #expect(throws: ServerAPIError.invalidProductId) { try TransactionHistoryRequest(ServerAPIQuery(text)) }
    }
}
