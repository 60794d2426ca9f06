import Foundation
import PurchaseModel
import Testing

@Suite struct VerifyReceiptTests {
    @Test(arguments: [
        (0, VerifyReceiptStatus.Meaning.valid), (21007, .askSandbox), (21008, .askProduction), (21000, .unknown), (21003, .refused),
        (21004, .unknown), (21006, .refused), (21010, .refused), (21002, .unknown), (21005, .unknown), (21009, .unknown),
        (21100, .unknown), (21199, .unknown), (-1, .unknown), (99999, .unknown),
    ])
    func `only a clear no is a refusal, and only 21007 asks the sandbox`(_ status: Int, _ meaning: VerifyReceiptStatus.Meaning) {
        #expect(VerifyReceiptStatus(rawValue: status).meaning == meaning)
    }

    @Test(arguments: [
        // Winter and summer: the key says "pst", the value follows daylight saving.
        (1_375_340_400_000, "2013-08-01 07:00:00 Etc/GMT", "2013-08-01 00:00:00 America/Los_Angeles"),
        (1_738_326_896_000, "2025-01-31 12:34:56 Etc/GMT", "2025-01-31 04:34:56 America/Los_Angeles"),
    ])
    func `a date is written three times`(_ milliseconds: Int, _ gmt: String, _ losAngeles: String) throws {
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
    func `an answer that can't be read is an error, not a guess`(_ json: String) {
        #expect(throws: DecodingError.self) { try WireJSON.decode(VerifyReceiptPurchase.self, from: Data(json.utf8)) }
    }
}
