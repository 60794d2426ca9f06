import Foundation
import FoundationExtras
import PurchaseModel
import Testing

/// Tests of every member of the signed payloads.
@Suite struct SignedPayloadTests {
    /// A member with sample JSON and the text of its typed value.
    typealias Member<Payload> = (name: String, json: String, reading: @Sendable (Payload) -> String)

    static let transaction: [Member<TransactionPayload>] = [
        ("transactionId", #""2000000000000002""#, { $0.transactionId.rawValue }),
        ("originalTransactionId", #""2000000000000001""#, { $0.originalTransactionId.rawValue }),
        ("webOrderLineItemId", #""2000000000000003""#, { $0.webOrderLineItemId ?? "" }),
        ("bundleId", #""com.example.monkeyshop""#, { $0.bundleId.rawValue }),
        ("productId", #""com.example.monkeyshop.magazine""#, { $0.productId.rawValue }),
        ("subscriptionGroupIdentifier", #""20512345""#, { $0.subscriptionGroupIdentifier?.rawValue ?? "" }),
        ("purchaseDate", "1738326896001", { "\($0.purchaseDate.milliseconds)" }),
        ("originalPurchaseDate", "1738326896002", { "\($0.originalPurchaseDate.milliseconds)" }),
        ("expiresDate", "1738326896003", { "\($0.expiresDate?.milliseconds ?? 0)" }),
        ("quantity", "3", { "\($0.quantity)" }),
        ("type", #""Auto-Renewable Subscription""#, { "\($0.productType == .autoRenewable)" }),
        ("appAccountToken", #""7e3fb204-2bb7-4c4b-a6a0-8a9e1f8b7d21""#, { $0.appAccountToken?.rawValue ?? "" }),
        ("inAppOwnershipType", #""FAMILY_SHARED""#, { "\($0.ownership == .familyShared)" }),
        ("signedDate", "1738326896004", { "\($0.signedDate.milliseconds)" }),
        ("revocationReason", "1", { "\($0.reasonOfRevocation == .issueWithApp)" }),
        ("revocationDate", "1738326896005", { "\($0.revocationDate?.milliseconds ?? 0)" }),
        ("revocationType", #""REFUND_PRORATED""#, { "\($0.kindOfRevocation == .proratedRefund)" }),
        ("revocationPercentage", "67500", { "\($0.revocationPercentage ?? 0)" }),
        ("isUpgraded", "false", { "\($0.isUpgraded == false)" }),
        ("offerType", "4", { "\($0.offer == .winBack)" }),
        ("offerIdentifier", #""comeback""#, { $0.offerIdentifier ?? "" }),
        ("offerDiscountType", #""ONE_TIME""#, { "\($0.offerDiscount == .oneTime)" }),
        ("offerPeriod", #""P3D""#, { "\($0.offerDuration == BillingPeriod(3, .day))" }),
        ("environment", #""Sandbox""#, { $0.environment }),
        ("storefront", #""USA""#, { $0.storefront ?? "" }),
        ("storefrontId", #""143441""#, { $0.storefrontId ?? "" }),
        ("transactionReason", #""RENEWAL""#, { "\($0.reason == .renewal)" }),
        ("price", "9990", { "\($0.price ?? 0)" }),
        ("currency", #""USD""#, { $0.currency ?? "" }),
        ("appTransactionId", #""704512345678901234""#, { $0.appTransactionId ?? "" }),
        ("billingPlanType", #""MONTHLY""#, { "\($0.billingPlan == .monthly)" }),
        (
            "commitmentInfo",
            #"{"billingPeriodNumber":2,"commitmentExpiresDate":1738326896006,"commitmentPrice":119880,"totalBillingPeriods":12}"#,
            {
                "\($0.commitmentInfo?.billingPeriodNumber == 2 && $0.commitmentInfo?.totalBillingPeriods == 12 && $0.commitmentInfo?.commitmentPrice == 119_880 && $0.commitmentInfo?.commitmentExpiresDate?.milliseconds == 1_738_326_896_006)"
            }
        ),
        (
            "advancedCommerceInfo",
            #"{"descriptors":{"description":"d","displayName":"n"},"estimatedTax":80,"items":[{"SKU":"s","description":"d","displayName":"n","offer":{"period":"P1M","periodCount":2,"price":500,"reason":"WIN_BACK"},"price":990,"refunds":[{"refundAmount":10,"refundDate":1738326896007,"refundReason":"LEGAL","refundType":"CUSTOM"}],"revocationDate":1738326896008}],"period":"P1M","requestReferenceId":"7e3fb204-2bb7-4c4b-a6a0-8a9e1f8b7d21","taxCode":"C003","taxExclusivePrice":910,"taxRate":"0.0875"}"#,
            {
                let item = $0.advancedCommerceInfo?.items?.first
                return
                    "\(item?.SKU == "s" && item?.offer?.offerReason == .winBack && item?.offer?.periodCount == 2 && item?.refunds?.first?.reason == .legal && item?.refunds?.first?.type == .custom && $0.advancedCommerceInfo?.taxRate == "0.0875")"
            }
        ),
        (
            "multiSeatInfo",
            #"{"invitationManagement":"DEVELOPER","priceTiers":[{"price":9000,"quantity":2},{"price":12000,"quantity":3}],"revokedSeatQuantity":1}"#,
            {
                "\($0.multiSeatInfo?.management == .developer && $0.multiSeatInfo?.priceTiers?.map(\.price) == [9_000, 12_000] && $0.multiSeatInfo?.priceTiers?.total == 54_000 && $0.multiSeatInfo?.revokedSeatQuantity == 1)"
            }
        ),
        ("additionalTransactionReason", #""SEATS""#, { $0.additionalTransactionReason ?? "" }),
        ("bundleProductId", #""com.example.suite""#, { $0.bundleProductId?.rawValue ?? "" }),
        ("bundleSubscriptionGroupIdentifier", #""20512346""#, { $0.bundleSubscriptionGroupIdentifier?.rawValue ?? "" }),
        ("bundleTransactionId", #""2000000000000005""#, { $0.bundleTransactionId?.rawValue ?? "" }),
        ("bundleOriginalTransactionId", #""2000000000000004""#, { $0.bundleOriginalTransactionId?.rawValue ?? "" }),
        ("previousOriginalTransactionId", #""1000000000000001""#, { $0.previousOriginalTransactionId?.rawValue ?? "" }),
        ("deviceVerification", #""AAAA""#, { $0.deviceVerification ?? "" }),
        ("deviceVerificationNonce", #""7e3fb204-2bb7-4c4b-a6a0-8a9e1f8b7d21""#, { $0.deviceVerificationNonce ?? "" }),
    ]

    static let renewalInfo: [Member<RenewalInfoPayload>] = [
        ("originalTransactionId", #""2000000000000001""#, { $0.originalTransactionId.rawValue }),
        ("productId", #""com.example.monkeyshop.magazine""#, { $0.productId?.rawValue ?? "" }),
        ("autoRenewProductId", #""com.example.monkeyshop.book""#, { $0.autoRenewProductId?.rawValue ?? "" }),
        ("autoRenewStatus", "0", { "\($0.autoRenew == .off)" }),
        ("expirationIntent", "3", { "\($0.expirationReason == .priceIncreaseNotConsented)" }),
        ("isInBillingRetryPeriod", "true", { "\($0.isInBillingRetryPeriod == true)" }),
        ("gracePeriodExpiresDate", "1738326896001", { "\($0.gracePeriodExpiresDate?.milliseconds ?? 0)" }),
        ("priceIncreaseStatus", "1", { "\($0.priceIncrease == .consented)" }),
        ("renewalDate", "1738326896002", { "\($0.renewalDate?.milliseconds ?? 0)" }),
        ("renewalPrice", "9990", { "\($0.renewalPrice ?? 0)" }),
        ("currency", #""USD""#, { $0.currency ?? "" }),
        ("offerType", "2", { "\($0.offer == .promotional)" }),
        ("offerIdentifier", #""comeback""#, { $0.offerIdentifier ?? "" }),
        ("offerDiscountType", #""PAY_UP_FRONT""#, { "\($0.offerDiscount == .payUpFront)" }),
        ("offerPeriod", #""P2M""#, { "\($0.offerDuration == BillingPeriod(2, .month))" }),
        ("eligibleWinBackOfferIds", #"["a","b"]"#, { ($0.eligibleWinBackOfferIds ?? []).joined(separator: " ") }),
        ("recentSubscriptionStartDate", "1738326896003", { "\($0.recentSubscriptionStartDate?.milliseconds ?? 0)" }),
        ("environment", #""Sandbox""#, { $0.environment }),
        ("signedDate", "1738326896004", { "\($0.signedDate.milliseconds)" }),
        ("appAccountToken", #""7e3fb204-2bb7-4c4b-a6a0-8a9e1f8b7d21""#, { $0.appAccountToken?.rawValue ?? "" }),
        ("appTransactionId", #""704512345678901234""#, { $0.appTransactionId ?? "" }),
        ("renewalQuantity", "5", { "\($0.renewalQuantity ?? 0)" }),
        (
            "multiSeatInfo", #"{"renewalPriceTiers":[{"price":12000,"quantity":5}]}"#,
            { "\($0.multiSeatInfo?.renewalPriceTiers == [MultiSeatPriceTier(price: 12_000, quantity: 5)])" }
        ),
        ("bundleProductId", #""com.example.suite""#, { $0.bundleProductId?.rawValue ?? "" }),
        ("bundleSubscriptionGroupIdentifier", #""20512346""#, { $0.bundleSubscriptionGroupIdentifier?.rawValue ?? "" }),
        ("bundleOriginalTransactionId", #""2000000000000004""#, { $0.bundleOriginalTransactionId?.rawValue ?? "" }),
        ("isPendingUnbundle", "true", { "\($0.isPendingUnbundle == true)" }),
        ("renewalBillingPlanType", #""BILLED_UPFRONT""#, { "\($0.renewalBillingPlan == .billedUpfront)" }),
        (
            "commitmentInfo",
            #"{"commitmentAutoRenewProductId":"p","commitmentAutoRenewStatus":1,"commitmentRenewalBillingPlanType":"MONTHLY","commitmentRenewalDate":1738326896005,"commitmentRenewalPrice":119880}"#,
            {
                "\($0.commitmentInfo?.autoRenewStatus == .on && $0.commitmentInfo?.billingPlan == .monthly && $0.commitmentInfo?.commitmentRenewalPrice == 119_880 && $0.commitmentInfo?.commitmentAutoRenewProductId == "p" && $0.commitmentInfo?.commitmentRenewalDate != nil)"
            }
        ),
        (
            "advancedCommerceInfo",
            #"{"consistencyToken":"c","descriptors":{"description":"d","displayName":"n"},"items":[{"SKU":"s","description":"d","displayName":"n","offer":{"period":"P1M","periodCount":2,"price":500,"reason":"RETENTION"},"price":990,"priceIncreaseInfo":{"dependentSKUs":["t"],"price":1990,"status":"PENDING"}}],"period":"P1M","requestReferenceId":"7e3fb204-2bb7-4c4b-a6a0-8a9e1f8b7d21","taxCode":"C003"}"#,
            {
                "\($0.advancedCommerceInfo?.items?.first?.priceIncreaseInfo?.priceIncreaseStatus == .pending && $0.advancedCommerceInfo?.items?.first?.offer?.offerReason == .retention && $0.advancedCommerceInfo?.consistencyToken == "c")"
            }
        ),
        ("deviceVerification", #""AAAA""#, { $0.deviceVerification ?? "" }),
        ("deviceVerificationNonce", #""7e3fb204-2bb7-4c4b-a6a0-8a9e1f8b7d21""#, { $0.deviceVerificationNonce ?? "" }),
    ]

    static let appTransaction: [Member<AppTransactionPayload>] = [
        ("receiptType", #""Sandbox""#, { $0.receiptType }),
        ("appAppleId", "1234567890", { "\($0.appAppleId ?? 0)" }),
        ("bundleId", #""com.example.monkeyshop""#, { $0.bundleId.rawValue }),
        ("applicationVersion", #""1.2.3""#, { $0.applicationVersion ?? "" }),
        ("versionExternalIdentifier", "512345678901", { "\($0.versionExternalIdentifier ?? 0)" }),
        ("receiptCreationDate", "1738326896001", { "\($0.receiptCreationDate.milliseconds)" }),
        ("requestDate", "1738326896002", { "\($0.requestDate?.milliseconds ?? 0)" }),
        ("originalPurchaseDate", "-62135769600000", { "\($0.originalPurchaseDate?.milliseconds ?? 0)" }),
        ("originalApplicationVersion", #""1.0""#, { $0.originalApplicationVersion ?? "" }),
        ("originalPlatform", #""visionOS""#, { "\($0.platform == .visionOS)" }),
        ("preorderDate", "1738326896003", { "\($0.preorderDate?.milliseconds ?? 0)" }),
        ("storeType", #""ENTERPRISE""#, { "\($0.store == .enterprise)" }),
        ("appRevocationDate", "1738326896004", { "\($0.appRevocationDate?.milliseconds ?? 0)" }),
        ("appTransactionId", #""704512345678901234""#, { $0.appTransactionId ?? "" }),
        ("deviceVerification", #""AAAA""#, { $0.deviceVerification ?? "" }),
        ("deviceVerificationNonce", #""7e3fb204-2bb7-4c4b-a6a0-8a9e1f8b7d21""#, { $0.deviceVerificationNonce ?? "" }),
    ]

    static let realtimeRequest: [Member<RealtimeRequestPayload>] = [
        ("originalTransactionId", #""2000000000000001""#, { $0.originalTransactionId.rawValue }),
        ("appAppleId", "1234567890", { "\($0.appAppleId ?? 0)" }),
        ("productId", #""com.example.monkeyshop.magazine""#, { $0.productId.rawValue }),
        ("userLocale", #""en_US""#, { $0.userLocale }),
        ("requestIdentifier", #""7e3fb204-2bb7-4c4b-a6a0-8a9e1f8b7d21""#, { $0.requestIdentifier }),
        ("environment", #""Sandbox""#, { $0.environment }),
        ("signedDate", "1738326896001", { "\($0.signedDate.milliseconds)" }),
    ]

    static let notificationFrame = #""notificationType":"TEST","notificationUUID":"u","signedDate":1738326896004"#

    static let subjects: [Member<NotificationPayload>] = [
        (
            "data",
            #"{"appAppleId":1234567890,"bundleId":"b","bundleVersion":"1.2","consumptionRequestReason":"LEGAL","environment":"Sandbox","signedRenewalInfo":"r","signedTransactionInfo":"t","status":4}"#,
            {
                let data = $0.data
                return
                    "\(data?.appAppleId == 1_234_567_890 && data?.bundleId == "b" && data?.bundleVersion == "1.2" && data?.refundReason == .legal && data?.environment == "Sandbox" && data?.signedRenewalInfo?.compact == "r" && data?.signedTransactionInfo?.compact == "t" && data?.subscriptionStatus == .gracePeriod)"
            }
        ),
        (
            "summary",
            #"{"appAppleId":1234567890,"bundleId":"b","environment":"Sandbox","failedCount":2,"productId":"p","requestIdentifier":"r","storefrontCountryCodes":["USA","DEU"],"succeededCount":5000000000}"#,
            {
                guard case .summary(let summary) = $0.subject else { return "" }
                return
                    "\(summary.appAppleId == 1_234_567_890 && summary.bundleId == "b" && summary.environment == "Sandbox" && summary.failedCount == 2 && summary.succeededCount == 5_000_000_000 && summary.productId == "p" && summary.requestIdentifier == "r" && summary.storefrontCountryCodes == ["USA", "DEU"])"
            }
        ),
        (
            "externalPurchaseToken",
            #"{"appAppleId":1234567890,"bundleId":"b","externalPurchaseId":"SANDBOX_1","tokenCreationDate":1738326896001,"tokenExpirationDate":1738326896002,"tokenType":"ACQUISITION"}"#,
            {
                guard case .externalPurchaseToken(let token) = $0.subject else { return "" }
                return
                    "\(token.appAppleId == 1_234_567_890 && token.bundleId == "b" && token.environment == .sandbox && token.tokenCreationDate != nil && token.tokenExpirationDate != nil && token.tokenType == "ACQUISITION")"
            }
        ),
        (
            "appData", #"{"appAppleId":1234567890,"bundleId":"b","environment":"Sandbox","signedAppTransactionInfo":"a"}"#,
            {
                guard case .appData(let data) = $0.subject else { return "" }
                return
                    "\(data.appAppleId == 1_234_567_890 && data.bundleId == "b" && data.environment == "Sandbox" && data.signedAppTransactionInfo?.compact == "a")"
            }
        ),
    ]

    /// Checks that each member has the typed value, that the payload survives a round trip with all members and with the required
    /// members only, and that each required member is required.
    private func check<Payload: Codable & Hashable>(_ members: [Member<Payload>], required: Set<String>) throws {
        func json(_ members: [Member<Payload>]) -> String {
            "{" + members.sorted { $0.name < $1.name }.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",") + "}"
        }
        let all = json(members)
        let payload = try WireJSON.decode(Payload.self, from: Data(all.utf8))
        for member in members {
            let expected = member.json.first == "\"" ? String(member.json.dropFirst().dropLast()) : member.json
            let reading = member.reading(payload)
            #expect(reading == expected || reading == "true" || reading == "a b", "\(member.name)")
        }
        #expect(String(decoding: try WireJSON.encode(payload), as: UTF8.self) == all)

        let few = members.filter { required.contains($0.name) }
        #expect(few.count == required.count)
        let bare = try WireJSON.decode(Payload.self, from: Data(json(few).utf8))
        #expect(String(decoding: try WireJSON.encode(bare), as: UTF8.self) == json(few))
        for name in required {
            let rest = json(members.filter { $0.name != name })
            #expect(throws: DecodingError.self, "\(name)") { try WireJSON.decode(Payload.self, from: Data(rest.utf8)) }
        }
    }

    @Test func `every member of a transaction survives a round trip, and only the required members must be present`()
        throws
    {
        #expect(Self.transaction.count == 42)
        try check(
            Self.transaction,
            required: ["transactionId", "originalTransactionId", "productId", "purchaseDate", "signedDate"]
        )
    }

    @Test func `every member of renewal information survives a round trip, and only the required members must be present`() throws {
        #expect(Self.renewalInfo.count == 32)
        try check(Self.renewalInfo, required: ["originalTransactionId", "signedDate"])
    }

    @Test func `every member of an app transaction survives a round trip, and only the required members must be present`() throws {
        try check(Self.appTransaction, required: ["receiptType", "bundleId", "receiptCreationDate"])
    }

    @Test func `every member of a realtime request survives a round trip, and only the appAppleId may be absent`() throws {
        try check(
            Self.realtimeRequest,
            required: ["originalTransactionId", "productId", "userLocale", "requestIdentifier", "environment", "signedDate"]
        )
    }

    @Test(arguments: subjects.indices) func `every member of a notification's subject survives a round trip`(index: Int) throws {
        let subject = Self.subjects[index]
        let json = "{\"\(subject.name)\":\(subject.json),\(Self.notificationFrame),\"subtype\":\"PENDING\",\"version\":\"2.0\"}"
        let payload = try WireJSON.decode(NotificationPayload.self, from: Data(json.utf8))
        #expect(subject.reading(payload) == "true")
        #expect(payload.type == .test && payload.notificationSubtype == .pending)
        #expect(payload.notificationUUID == "u" && payload.version == "2.0")
        let written = try WireJSON.encode(payload)
        #expect(
            try JSONSerialization.jsonObject(with: written) as? NSDictionary == JSONSerialization.jsonObject(with: Data(json.utf8))
                as? NSDictionary)
    }

    @Test(arguments: [
        #","data":{"bundleId":"b","environment":"Sandbox"},"summary":{"bundleId":"b","environment":"Sandbox"}"#,
        #","appData":{"bundleId":"b","environment":"Sandbox"},"externalPurchaseToken":{"bundleId":"b","externalPurchaseId":"1"}"#,
    ])
    func `a notification with two known subjects is invalid`(subject: String) {
        let json = "{\(Self.notificationFrame)\(subject)}"
        #expect(throws: DecodingError.self) { try WireJSON.decode(NotificationPayload.self, from: Data(json.utf8)) }
    }

    @Test(arguments: [
        ("", []), (#","data":null"#, []),
        (#","news":{"bundleId":"b","environment":"Sandbox","appAppleId":7,"x":[1,{"y":null}]}"#, ["news"]),
        (#","appAppleId":7,"bundleId":"b","environment":"Sandbox","news":[]"#, ["appAppleId", "bundleId", "environment", "news"]),
    ])
    func `an unknown subject is retained with its app and its environment`(subject: String, names: [String]) throws {
        let json = "{\(Self.notificationFrame)\(subject)}"
        let payload = try WireJSON.decode(NotificationPayload.self, from: Data(json.utf8))
        guard case .unknown(let unknown) = payload.subject else {
            Issue.record("the subject is known")
            return
        }
        #expect(unknown.names == names)
        let isStated = !names.isEmpty
        #expect(unknown.bundleId == (isStated ? "b" : nil) && unknown.environment == (isStated ? "Sandbox" : nil))
        #expect(unknown.appAppleId == (isStated ? 7 : nil))
        #expect(try WireJSON.decode(NotificationPayload.self, from: try WireJSON.encode(payload)) == payload)
        for name in names { #expect(String(decoding: try WireJSON.encode(payload), as: UTF8.self).contains("\"\(name)\"")) }
    }

    @Test(arguments: [
        "inAppOwnershipType", "revocationType", "offerDiscountType", "transactionReason", "billingPlanType", "type", "offerPeriod",
        "offerType", "revocationReason",
    ])
    func `an unknown value is kept and has no typed value`(name: String) throws {
        let value = ["offerType", "revocationReason"].contains(name) ? "99" : "\"UNHEARD_OF\""
        let members = Self.transaction.map { $0.name == name ? "\"\(name)\":\(value)" : "\"\($0.name)\":\($0.json)" }
        let payload = try WireJSON.decode(TransactionPayload.self, from: Data("{\(members.joined(separator: ","))}".utf8))
        let readings: [String: Bool] = [
            "inAppOwnershipType": payload.ownership == nil, "revocationType": payload.kindOfRevocation == nil,
            "offerDiscountType": payload.offerDiscount == nil, "transactionReason": payload.reason == nil,
            "billingPlanType": payload.billingPlan == nil, "type": payload.productType == nil, "offerPeriod": payload.offerDuration == nil,
            "offerType": payload.offer == nil, "revocationReason": payload.reasonOfRevocation == nil,
        ]
        #expect(readings.filter(\.value).map(\.key) == [name])
        #expect(String(decoding: try WireJSON.encode(payload), as: UTF8.self).contains("\"\(name)\":\(value)"))
    }

    @Test func `dates may have fractions of milliseconds`() throws {
        let json = Self.transaction.map { "\"\($0.name)\":\($0.json)\($0.name.hasSuffix("Date") ? ".485" : "")" }.joined(separator: ",")
        let payload = try WireJSON.decode(TransactionPayload.self, from: Data("{\(json)}".utf8))
        #expect(payload.signedDate == Timestamp(milliseconds: 1_738_326_896_004))
        #expect(payload.expiresDate == Timestamp(milliseconds: 1_738_326_896_003))
    }

    @Test func `absent members of a transaction have default values`() throws {
        let json =
            #"{"transactionId":"2","originalTransactionId":"1","bundleId":"b","productId":"p","purchaseDate":5,"signedDate":6,"environment":"Xcode"}"#
        let payload = try WireJSON.decode(TransactionPayload.self, from: Data(json.utf8))
        #expect(payload.quantity == 1)
        #expect(payload.originalPurchaseDate == Timestamp(milliseconds: 5))
        #expect(payload.productType == nil && payload.ownership == nil && !payload.isRevoked)
    }

    @Test func `every known notification type and subtype has Apple's spelling`() {
        let types = """
            SUBSCRIBED DID_RENEW DID_CHANGE_RENEWAL_PREF DID_CHANGE_RENEWAL_STATUS OFFER_REDEEMED DID_FAIL_TO_RENEW GRACE_PERIOD_EXPIRED \
            EXPIRED PRICE_INCREASE REFUND REFUND_DECLINED REFUND_REVERSED CONSUMPTION_REQUEST REVOKE ONE_TIME_CHARGE RENEWAL_EXTENDED \
            RENEWAL_EXTENSION EXTERNAL_PURCHASE_TOKEN RESCIND_CONSENT TEST METADATA_UPDATE MIGRATION PRICE_CHANGE \
            UNCLAIM_SEATS
            """
        #expect(NotificationType.allCases.map(\.rawValue).sorted() == types.split(separator: " ").map(String.init).sorted())
        let subtypes = """
            INITIAL_BUY RESUBSCRIBE BILLING_RECOVERY UPGRADE DOWNGRADE AUTO_RENEW_ENABLED AUTO_RENEW_DISABLED GRACE_PERIOD VOLUNTARY \
            BILLING_RETRY PRICE_INCREASE PRODUCT_NOT_FOR_SALE PENDING ACCEPTED SUMMARY FAILURE UNREPORTED CREATED ACTIVE_TOKEN_REMINDER \
            SEATS INCREASE_QUANTITY DECREASE_QUANTITY
            """
        #expect(NotificationSubtype.allCases.map(\.rawValue).sorted() == subtypes.split(separator: " ").map(String.init).sorted())
    }
}
