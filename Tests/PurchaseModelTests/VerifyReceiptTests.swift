import Foundation
import FoundationExtras
import PurchaseModel
import Testing

@Suite struct VerifyReceiptTests {
    @Test(arguments: [
        (0, VerifyReceiptStatus.Outcome.valid), (21007, .retryInSandbox), (21008, .retryInProduction), (21000, .indeterminate),
        (21003, .refused), (21004, .indeterminate), (21006, .refused), (21010, .refused), (21002, .indeterminate), (21005, .indeterminate),
        (21009, .indeterminate), (21100, .indeterminate), (21199, .indeterminate), (-1, .indeterminate), (99999, .indeterminate),
    ])
    func `only a status about the receipt refuses it, and only 21007 retries in the sandbox`(
        _ status: Int, _ outcome: VerifyReceiptStatus.Outcome
    ) {
        #expect(VerifyReceiptStatus(rawValue: status).outcome == outcome)
    }

    @Test(arguments: [
        // Dates with and without daylight saving time: the value of a `pst` member is the local time in Los Angeles.
        (1_375_340_400_000, "2013-08-01 07:00:00 Etc/GMT", "2013-08-01 00:00:00 America/Los_Angeles"),
        (1_738_326_896_000, "2025-01-31 12:34:56 Etc/GMT", "2025-01-31 04:34:56 America/Los_Angeles"),
    ])
    func `a date is encoded in GMT, in milliseconds and in Pacific time`(_ milliseconds: Int, _ gmt: String, _ losAngeles: String) throws {
        var purchase = VerifyReceiptPurchase(quantity: 2, productID: "p", transactionID: "1", originalTransactionID: "1")
        purchase.purchaseDate = DateTriplet(Timestamp(milliseconds: Int64(milliseconds)))
        let json = try #require(JSONSerialization.jsonObject(with: WireJSON.encode(purchase)) as? [String: String])
        #expect(json["purchase_date"] == gmt)
        #expect(json["purchase_date_ms"] == "\(milliseconds)")
        #expect(json["purchase_date_pst"] == losAngeles)
        #expect(json["quantity"] == "2")
        #expect(try WireJSON.decode(VerifyReceiptPurchase.self, from: WireJSON.encode(purchase)) == purchase)
    }

    @Test(arguments: [
        #"{"quantity":"many","product_id":"p","transaction_id":"1"}"#,
        #"{"quantity":"99999999999999999999","product_id":"p","transaction_id":"1"}"#,
        #"{"quantity":1,"product_id":"p","transaction_id":"1"}"#, #"{"quantity":"1","product_id":"p"}"#,
        #"{"quantity":"1","product_id":"p","transaction_id":"1","purchase_date_ms":"soon"}"#,
    ])
    func `an invalid member is a decoding error`(_ json: String) {
        #expect(throws: DecodingError.self) { try WireJSON.decode(VerifyReceiptPurchase.self, from: Data(json.utf8)) }
    }
}
