import Foundation
import FoundationExtras
import PurchaseTestSupport
import Testing

@testable import PurchaseIssuing
@testable import PurchaseModel
@testable import PurchaseProof

/// Tests of every attribute of an app and of a purchase, and of the corresponding `verifyReceipt` members.
@Suite struct ReceiptTableTests {
    private static let day = Timestamp.testStart

    /// A row of a table: an attribute and the expectation of the parsed value.
    struct Line<Subject>: Sendable {
        let attribute: EncodedAttribute
        let isRight: @Sendable (Subject) -> Bool

        init(_ attribute: EncodedAttribute, _ isRight: @escaping @Sendable (Subject) -> Bool) {
            self.attribute = attribute
            self.isRight = isRight
        }
    }

    static var app: [Line<ReceiptPayload>] {
        get throws {
            try [
                Line(EncodedAttribute(.receiptType, "Production")) { $0.receiptType == "Production" && $0.environment == .production },
                Line(EncodedAttribute(.appAppleID, 123_456_789)) { $0.appAppleID == 123_456_789 },
                Line(EncodedAttribute(.appVersion, "1.2.3")) { $0.appVersion == "1.2.3" },
                Line(EncodedAttribute(.opaqueValue, raw: [1, 2, 3], version: 2)) { $0.opaqueValue == [1, 2, 3] },
                Line(EncodedAttribute(.deviceHash, raw: [4, 5])) { $0.deviceHash == [4, 5] },
                Line(EncodedAttribute(.downloadDate, ascii: "2020-10-08T11:17:49.131Z")) {
                    $0.downloadDate?.milliseconds == 1_602_155_869_131
                },
                Line(EncodedAttribute(.downloadDate, nil)) { $0.downloadDate == nil },
                Line(EncodedAttribute(.toolVersion, 0x5032_3331)) { $0.toolVersion == 1_345_467_185 },
                Line(EncodedAttribute(.ageRating, ascii: "17+")) { $0.ageRating == "17+" },
                Line(EncodedAttribute(.developerID, 7)) { $0.developerID == 7 },
                Line(EncodedAttribute(.clientVersion, 130_401)) { $0.clientVersion == 130_401 },
                Line(EncodedAttribute(.deviceModel, 269)) { $0.deviceModel == 269 },
                Line(EncodedAttribute(.downloadID, 500_884_273_459_218_651)) { $0.downloadID == 500_884_273_459_218_651 },
                Line(EncodedAttribute(.versionExternalID, 8)) { $0.versionExternalID == 8 },
                Line(EncodedAttribute(.originalPurchaseDate, day)) { $0.originalPurchaseDate == .testStart },
                Line(EncodedAttribute(.originalAppVersion, "1.0")) { $0.originalAppVersion == "1.0" },
                Line(EncodedAttribute(.originalAppVersion, "")) { $0.originalAppVersion == nil },
                Line(EncodedAttribute(.expirationDate, ascii: "4001-01-01T00:00:00Z")) {
                    $0.expirationDate?.milliseconds == 64_092_211_200_000
                },
                Line(EncodedAttribute(.organization, "École")) { $0.organization == "École" },
                Line(EncodedAttribute(.platform, 3)) { $0.platform == 3 },
                Line(EncodedAttribute(.preorderDate, day)) { $0.preorderDate == .testStart },
                Line(EncodedAttribute(.unknown6, raw: [1])) { $0.unknownAttributes.map(\.type) == [6] },
                Line(EncodedAttribute(.unknown7, raw: [1])) { $0.unknownAttributes.map(\.type) == [7] },
                Line(EncodedAttribute(.unknown20, "")) { $0.unknownAttributes.map(\.type) == [20] },
                Line(EncodedAttribute(.unknown22, day)) { $0.unknownAttributes.first?.date == .testStart },
            ]
        }
    }

    @Test func `every attribute of an app is read`() throws {
        for line in try Self.app {
            #expect(try line.isRight(ReceiptPayload(with: [line.attribute])), "attribute \(line.attribute.number)")
        }
    }

    static var purchase: [Line<ReceiptPurchase>] {
        get throws {
            try [
                Line(EncodedAttribute(.quantity, 10)) { $0.quantity == 10 },
                Line(EncodedAttribute(.originalTransactionID, "77")) { $0.originalTransactionID == "77" },
                Line(EncodedAttribute(.purchaseOriginalDate, day.adding(days: 1))) {
                    $0.originalPurchaseDate == .testStart.adding(days: 1)
                },
                Line(EncodedAttribute(.productType, 0)) { $0.productType == .nonConsumable },
                Line(EncodedAttribute(.productType, 1)) { $0.productType == .consumable },
                Line(EncodedAttribute(.productType, 2)) { $0.productType == .nonRenewing },
                Line(EncodedAttribute(.productType, 3)) { $0.productType == .autoRenewable },
                Line(EncodedAttribute(.productType, 4)) { $0.productType == .freeSubscription },
                Line(EncodedAttribute(.productType, 5)) { $0.productType == nil && $0.productTypeCode == 5 },
                Line(EncodedAttribute(.expiresDate, day)) { $0.expiresDate == .testStart },
                Line(EncodedAttribute(.itemID, 1_234_567_890)) { $0.itemID == 1_234_567_890 },
                Line(EncodedAttribute(.webOrderLineItemID, 500_000_123_456_789)) { $0.webOrderLineItemID == "500000123456789" },
                Line(EncodedAttribute(.webOrderLineItemID, 0)) { $0.webOrderLineItemID == nil && $0.webOrderLineItemNumber == 0 },
                Line(EncodedAttribute(.cancellationDate, day)) { $0.cancellationDate == .testStart },
                Line(EncodedAttribute(.isTrialPeriod, 1)) { $0.isTrialPeriod == true },
                Line(EncodedAttribute(.isTrialPeriod, 0)) { $0.isTrialPeriod == false },
                Line(EncodedAttribute(.isInIntroOfferPeriod, 1)) { $0.isInIntroOfferPeriod == true },
                Line(EncodedAttribute(.cancellationReason, 1)) { $0.cancellationReason == 1 },
                Line(EncodedAttribute(.promotionalOfferID, "spring")) { $0.promotionalOfferID == "spring" },
                Line(EncodedAttribute(.ownership, 1)) { $0.ownership == 1 },
                Line(EncodedAttribute(.unknown1709, "")) { $0.unknownAttributes.map(\.type) == [1709] },
                Line(EncodedAttribute(.unknown1714, "")) { $0.unknownAttributes.map(\.type) == [1714] },
                Line(EncodedAttribute(.unknown1715, "")) { $0.unknownAttributes.map(\.type) == [1715] },
                Line(EncodedAttribute(.unknown1716, "")) { $0.unknownAttributes.map(\.type) == [1716] },
                Line(EncodedAttribute(.unknown1717, "")) { $0.unknownAttributes.map(\.type) == [1717] },
                Line(EncodedAttribute(.unknown1718, "")) { $0.unknownAttributes.map(\.type) == [1718] },
            ]
        }
    }

    @Test func `every attribute of a purchase is read`() throws {
        for line in try Self.purchase {
            let purchase = try #require(ReceiptPayload(purchase: EncodedAttribute.purchaseBasics + [line.attribute]).purchases.first)
            #expect(purchase.productID == "p")
            #expect(purchase.transactionID == "1")
            #expect(purchase.purchaseDate == .testStart)
            #expect(line.isRight(purchase), "attribute \(line.attribute.number)")
        }
    }

    @Test func `repeated texts are read as equal and similar texts as different`() throws {
        let texts =
            ["com.example.a", "com.example.a", "com.example.b", "com.example.ab", "com.example.b", "b", "b", "a"]
            + (0..<40).map { "com.example.\($0 / 2 % 11)" }
        let purchases = try texts.enumerated().map { index, text in
            try EncodedAttribute(
                number: 17,
                raw: EncodedAttribute.encodeUnsorted([
                    EncodedAttribute(.productID, text), EncodedAttribute(.transactionID, "\(index)"),
                    EncodedAttribute(.originalTransactionID, text),
                    EncodedAttribute(.purchaseDate, Self.day.adding(days: Int64(index / 2))),
                    EncodedAttribute(.purchaseOriginalDate, Self.day.adding(days: Int64(index / 3))),
                ]))
        }
        let read = try ReceiptPayload(with: purchases).purchases
        #expect(read.map(\.productID.rawValue) == texts)
        #expect(read.map(\.originalTransactionID.rawValue) == texts)
        #expect(read.map(\.purchaseDate) == texts.indices.map { Self.day.adding(days: Int64($0 / 2)) })
        #expect(read.map(\.originalPurchaseDate) == texts.indices.map { Self.day.adding(days: Int64($0 / 3)) })
    }

    @Test func `a payload is encoded as the body of verifyReceipt`() throws {
        let purchase = try EncodedAttribute.encodeUnsorted(
            EncodedAttribute.purchaseBasics + [
                EncodedAttribute(.quantity, 2), EncodedAttribute(.originalTransactionID, "9"),
                EncodedAttribute(.purchaseOriginalDate, Self.day.adding(days: -1)),
                EncodedAttribute(.expiresDate, Self.day.adding(days: 30)),
                EncodedAttribute(.webOrderLineItemID, 5), EncodedAttribute(.cancellationDate, Self.day.adding(days: 1)),
                EncodedAttribute(.cancellationReason, 1), EncodedAttribute(.isTrialPeriod, 1), EncodedAttribute(.isInIntroOfferPeriod, 1),
                EncodedAttribute(.promotionalOfferID, "spring"), EncodedAttribute(.ownership, 1),
            ])
        let payload = try ReceiptPayload(
            with: Self.app.map(\.attribute).reduce(into: []) { all, attribute in
                if !all.contains(where: { $0.number == attribute.number }) { all.append(attribute) }
            } + [EncodedAttribute(number: 17, raw: purchase)])
        let json = try #require(JSONSerialization.jsonObject(with: WireJSON.encode(VerifyReceiptBody(receipt: payload))) as? [String: Any])
        #expect(json["receipt_type"] as? String == "Production")
        #expect(json["adam_id"] as? Int64 == 123_456_789)
        #expect(json["app_item_id"] as? Int64 == 123_456_789)
        #expect(json["bundle_id"] as? String == "com.example.app")
        #expect(json["application_version"] as? String == "1.2.3")
        #expect(json["download_id"] as? Int64 == 500_884_273_459_218_651)
        #expect(json["version_external_identifier"] as? Int64 == 8)
        #expect(json["receipt_creation_date"] as? String == "2025-01-31 12:34:56 Etc/GMT")
        #expect(json["original_purchase_date_ms"] as? String == "1738326896000")
        #expect(json["original_application_version"] as? String == "1.0")
        #expect(json["preorder_date_pst"] as? String == "2025-01-31 04:34:56 America/Los_Angeles")
        #expect(json["expiration_date"] as? String == "4001-01-01 00:00:00 Etc/GMT")
        let entry = try #require((json["in_app"] as? [[String: String]])?.first)
        #expect(
            entry.filter { !$0.key.hasSuffix("_pst") && !$0.key.hasSuffix("_ms") } == [
                "quantity": "2", "product_id": "p", "transaction_id": "1", "original_transaction_id": "9",
                "purchase_date": "2025-01-31 12:34:56 Etc/GMT", "original_purchase_date": "2025-01-30 12:34:56 Etc/GMT",
                "expires_date": "2025-03-02 12:34:56 Etc/GMT", "cancellation_date": "2025-02-01 12:34:56 Etc/GMT",
                "cancellation_reason": "1", "web_order_line_item_id": "5", "is_trial_period": "true", "is_in_intro_offer_period": "true",
                "promotional_offer_id": "spring", "in_app_ownership_type": "FAMILY_SHARED",
            ])
        #expect(entry.count == 22)
    }
}
