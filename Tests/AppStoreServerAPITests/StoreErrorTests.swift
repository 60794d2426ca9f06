import AppStoreServerAPI
import Foundation
import GRDB
import HummingbirdTesting
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore

/// Each error of the App Store Server API that a local store can send.
@Suite struct StoreErrorTests {
    /// A change of a request to one that the client's types rule out.
    enum Change: Sendable {
        case none
        case method(String)
        case query(String)
        case body(Data)
        /// Replaces a text of the JSON body.
        case text(String, with: String)

        func apply(to request: inout ServerAPITransportRequest) {
            switch self {
            case .none: break
            case .method(let method): request.method = method
            case .query(let query): request.url += "?\(query)"
            case .body(let body): request.body = body
            case .text(let text, let replacement):
                request.body = request.body.map { Data(String(decoding: $0, as: UTF8.self).replacing(text, with: replacement).utf8) }
            }
        }
    }

    /// A call that the store refuses.
    struct Case: Sendable, CustomTestStringConvertible {
        let error: ServerAPIError
        let change: Change
        let call: @Sendable (AppStoreServerAPIClient, StoreHarness) async throws -> Void

        init(
            _ error: ServerAPIError, _ change: Change = .none,
            _ call: @escaping @Sendable (AppStoreServerAPIClient, StoreHarness) async throws -> Void
        ) {
            (self.error, self.change, self.call) = (error, change, call)
        }

        var testDescription: String { error.name }
    }

    /// The errors that a local store does not send.
    static let unsent: Set<ServerAPIError> = [
        .invalidAppIdentifier, .invalidTransactionNotConsumable, .advancedCommerceTransactionNotSupported,
        .accountNotFoundRetryable, .appNotFound, .appNotFoundRetryable, .originalTransactionIdNotFoundRetryable,
        // The catalog of these tests has no seats; SeatTests cover these errors.
        .noAvailableSeats, .seatClaimIdNotFound,
        // Each account with a transaction has an app transaction.
        .appTransactionDoesNotExist,
        // The client throws a rate limit as another case, which LocalStoreTests tests.
        .rateLimitExceeded,
    ]

    // MARK: Calls

    static func info(_ id: TransactionID, _ error: ServerAPIError) -> Case {
        Case(error) { api, _ in _ = try await api.getTransactionInfo(transactionId: id) }
    }

    static func history(
        _ error: ServerAPIError, _ change: Change = .none, revision: String? = nil,
        _ set: @escaping @Sendable (inout TransactionHistoryRequest) -> Void = { _ in }
    ) -> Case {
        Case(error, change) { api, store in
            var request = TransactionHistoryRequest()
            set(&request)
            let id = try await store.bought(.credits).transactionId
            _ = try await api.getTransactionHistory(transactionId: id, revision: revision, transactionHistoryRequest: request)
        }
    }

    static func consumption(
        _ error: ServerAPIError, of product: ProductID = .credits, _ change: Change = .none,
        _ set: @escaping @Sendable (inout ConsumptionRequest) -> Void = { _ in }
    ) -> Case {
        Case(error, change) { api, store in
            var request = ConsumptionRequest(customerConsented: true, deliveryStatus: .delivered, sampleContentProvided: false)
            set(&request)
            try await api.sendConsumptionInformation(
                transactionId: try await store.bought(product).transactionId, consumptionRequest: request)
        }
    }

    static func consumptionV1(
        _ error: ServerAPIError, of product: ProductID = .credits,
        _ set: @escaping @Sendable (inout ConsumptionRequestV1) -> Void = { _ in }
    ) -> Case {
        Case(error) { api, store in
            var request = ConsumptionRequestV1(customerConsented: true, sampleContentProvided: false, deliveryStatus: 0)
            set(&request)
            try await api.sendConsumptionData(
                transactionId: try await store.bought(product).transactionId, consumptionRequest: request)
        }
    }

    static func extend(
        _ error: ServerAPIError, days: Int = 1, name: String = "x", times: Int = 1, _ change: Change = .none,
        _ id: @escaping @Sendable (StoreHarness) async throws -> TransactionID = { try await $0.bought(.magazine).transactionId }
    ) -> Case {
        Case(error, change) { api, store in
            let id = try await id(store)
            let request = ExtendRenewalDateRequest(extendByDays: days, extendReasonCode: .other, requestIdentifier: name)
            for _ in 0..<times {
                _ = try await api.extendSubscriptionRenewalDate(originalTransactionId: id, extendRenewalDateRequest: request)
            }
        }
    }

    static func mass(
        _ error: ServerAPIError, product: ProductID = .magazine, name: String = "3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84",
        storefronts: [String]? = nil, _ change: Change = .none
    ) -> Case {
        Case(error, change) { api, _ in
            let request = MassExtendRenewalDateRequest(
                extendByDays: 1, extendReasonCode: .other, requestIdentifier: name, storefrontCountryCodes: storefronts, productId: product)
            _ = try await api.extendRenewalDateForAllActiveSubscribers(massExtendRenewalDateRequest: request)
        }
    }

    static func notifications(
        _ error: ServerAPIError, token: String? = nil, _ set: @escaping @Sendable (inout NotificationHistoryRequest) -> Void = { _ in }
    ) -> Case {
        Case(error) { api, store in
            let now = store.clock.now
            var request = NotificationHistoryRequest(startDate: now.adding(days: -1), endDate: now)
            set(&request)
            _ = try await api.getNotificationHistory(paginationToken: token, notificationHistoryRequest: request)
        }
    }

    static func token(
        _ error: ServerAPIError, _ token: CustomerID = "3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84",
        _ id: @escaping @Sendable (StoreHarness) async throws -> TransactionID = { try await $0.bought(.credits).transactionId }
    ) -> Case {
        Case(error) { api, store in
            try await api.setAppAccountToken(
                originalTransactionId: try await id(store), updateAppAccountTokenRequest: AppAccountTokenRequest(appAccountToken: token))
        }
    }

    // MARK: Tables

    static let transactions: [Case] = [
        info("12x", .invalidTransactionId), info("123", .transactionIdNotFound),
        Case(.appTransactionIdNotSupported) { api, store in
            let id = try #require(try await store.bought(.credits).appTransactionId)
            _ = try await api.getTransactionInfo(transactionId: TransactionID(id))
        },
        Case(.transactionIdNotFound) { api, _ in _ = try await api.getTransactionHistory(transactionId: "123") },
        Case(.transactionIdNotFound) { api, _ in _ = try await api.getTransactionHistory(transactionId: "123", version: .v1) },
        Case(.transactionIdNotFound) { api, _ in _ = try await api.getAllSubscriptionStatuses(transactionId: "123") },
        Case(.transactionIdNotFound) { api, _ in _ = try await api.getAppTransactionInfo(transactionId: "123") },
        Case(.transactionIdNotFound) { api, _ in _ = try await api.getRefundHistory(transactionId: "123") },
        Case(.transactionIdNotFound) { api, _ in try await api.finishTransaction(transactionId: "123") },
        Case(.invalidOriginalTransactionId) { api, _ in _ = try await api.getRefundHistoryV1(originalTransactionId: "x") },
        Case(.originalTransactionIdNotFound) { api, _ in _ = try await api.getRefundHistoryV1(originalTransactionId: "123") },
        Case(.invalidRequestRevision) { api, store in
            _ = try await api.getRefundHistory(transactionId: try await store.bought(.credits).transactionId, revision: "x")
        },
        Case(.endpointNotFound) { api, _ in _ = try await api.lookUpOrderId(orderId: "M1") },
        Case(.methodNotAllowed, .method("PUT")) { api, _ in _ = try await api.getTransactionInfo(transactionId: "1") },
        history(.invalidRequestRevision, revision: "x"),
        history(.invalidStartDate) { ($0.startDate, $0.endDate) = (Timestamp(milliseconds: 2), Timestamp(milliseconds: 1)) },
        history(.invalidEndDate) { $0.endDate = Timestamp(milliseconds: -1) }, history(.invalidProductId) { $0.productIds = [""] },
        history(.invalidSubscriptionGroupIdentifier) { $0.subscriptionGroupIdentifiers = [""] },
        history(.invalidSort, .query("sort=UP")), history(.invalidProductType, .query("productType=BOOK")),
        history(.invalidInAppOwnershipType, .query("inAppOwnershipType=STOLEN")), history(.invalidRevoked, .query("revoked=maybe")),
        history(.invalidExcludeRevoked, .query("excludeRevoked=maybe")),
        Case(.invalidStatus, .query("status=6")) { api, store in
            _ = try await api.getAllSubscriptionStatuses(transactionId: try await store.bought(.magazine).transactionId)
        },
        token(.invalidAppAccountTokenUUID, "ada"), token(.familyTransactionNotSupported) { try await $0.familyShared(.book) },
        token(.originalTransactionIdNotFound) { _ in "123" },
        token(.transactionIdIsNotOriginalTransactionId) { store in
            let bought = try await store.bought(.magazine)
            try await store.advance(days: 32)
            let status = try await store.serverAPI().getAllSubscriptionStatuses(transactionId: bought.transactionId)
            let last = try #require(status.data.first?.lastTransactions.first)
            return try await store.payloads([last.signedTransactionInfo])[0].transactionId
        },
    ]

    static let consumptions: [Case] = [
        consumption(.invalidCustomerConsented) { $0.customerConsented = false },
        consumption(.consumptionPercentageOutOfRange) { $0.consumptionPercentage = 100_001 },
        consumption(.undeliveredConsumptionPercentageNonZero) { ($0.deliveryStatus, $0.consumptionPercentage) = (.other, 1) },
        consumption(.consumptionPercentageAutoRenewableSubscription, of: .magazine) { $0.consumptionPercentage = 1 },
        consumption(.invalidDeliveryStatus, .text("DELIVERED", with: "LOST")),
        consumption(.invalidRefundPreference, .text("GRANT_FULL", with: "ALL")) { $0.refundPreference = .grantFull },
        consumption(.invalidSampleContentProvided, .text(#""sampleContentProvided":false"#, with: #""sampleContentProvided":1"#)),
        consumption(.generalBadRequest, .text("{", with: "[")),
        Case(.bodyTooLarge, .body(Data(repeating: 0x20, count: (4 << 20) + 1))) { api, store in
            try await api.sendConsumptionInformation(
                transactionId: try await store.bought(.credits).transactionId,
                consumptionRequest: ConsumptionRequest(customerConsented: true, deliveryStatus: .delivered, sampleContentProvided: false))
        },
        consumptionV1(.invalidCustomerConsented) { $0.customerConsented = false },
        consumptionV1(.invalidConsumptionStatus) { $0.consumptionStatus = 4 }, consumptionV1(.invalidPlatform) { $0.platform = -1 },
        consumptionV1(.invalidDeliveryStatus) { $0.deliveryStatus = 6 },
        consumptionV1(.invalidAppAccountToken) { $0.appAccountToken = "ada" },
        consumptionV1(.invalidAccountTenure) { $0.accountTenure = 8 }, consumptionV1(.invalidPlayTime) { $0.playTime = 8 },
        consumptionV1(.invalidLifetimeDollarsRefunded) { $0.lifetimeDollarsRefunded = 8 },
        consumptionV1(.invalidLifetimeDollarsPurchased) { $0.lifetimeDollarsPurchased = 8 },
        consumptionV1(.invalidUserStatus) { $0.userStatus = 5 }, consumptionV1(.invalidRefundPreference) { $0.refundPreference = 4 },
        consumptionV1(.invalidTransactionTypeNotSupported, of: .book),
    ]

    static let subscriptions: [Case] = [
        extend(.invalidExtendByDays, days: 91), extend(.invalidExtendByDays, days: 0), extend(.invalidRequestIdentifier, name: ""),
        extend(.invalidExtendReasonCode, .text(#""extendReasonCode":2"#, with: #""extendReasonCode":9"#)),
        extend(.invalidRequestIdentifier, name: String(repeating: "x", count: 129)), extend(.subscriptionMaxExtension, times: 3),
        extend(.subscriptionExtensionIneligible) { try await $0.bought(.credits).transactionId },
        extend(.invalidOriginalTransactionId) { _ in "x" }, extend(.originalTransactionIdNotFound) { _ in "123" },
        mass(.invalidProductId, product: .credits), mass(.invalidProductId, product: "none"), mass(.invalidRequestIdentifier, name: "x"),
        mass(.invalidEmptyStorefrontCountryCodeList, storefronts: []), mass(.invalidStorefrontCountryCode, storefronts: ["US"]),
        mass(.invalidStorefrontCountryCode, storefronts: ["QQQ"]), mass(.generalBadRequest, .text("{", with: "")),
        Case(.statusRequestNotFound) { api, _ in
            let name = UUID().uuidString.lowercased()
            _ = try await api.getStatusOfSubscriptionRenewalDateExtensions(requestIdentifier: name, productId: .magazine)
        },
        Case(.invalidRequestIdentifier) { api, _ in
            _ = try await api.getStatusOfSubscriptionRenewalDateExtensions(requestIdentifier: "x", productId: .magazine)
        },
    ]

    static let groups: [Case] = [
        Case(.transactionNotDevManagedGroup) { api, store in
            let bought = try await store.bought(.magazine)
            _ = try await api.getSeatInfo(originalTransactionId: bought.transactionId)
        },
        Case(.originalTransactionIdNotFound) { api, _ in _ = try await api.getSeatInfo(originalTransactionId: "123") },
        Case(.invalidOriginalTransactionId) { api, _ in try await api.unclaimSeat(originalTransactionId: "x", seatClaimId: "1") },
        Case(.invalidRequestIdentifier) { api, _ in
            _ = try await api.claimSeat(originalTransactionId: "123", claimSeatRequest: ClaimSeatRequest(requestIdentifier: "1"))
        },
        Case(.appTransactionIdNotFound, .text("704", with: "\\u0000")) { api, _ in
            try await api.associateSeat(
                originalTransactionId: "123", seatClaimId: "1", associateSeatRequest: AssociateSeatRequest(appTransactionId: "704"))
        },
        Case(.bundleTransactionIdNotSupported) { api, store in
            let bought = try await store.bought(.magazine)
            let joined = try await store.perform(.joinBundle("com.example.everything"), on: bought.transactionId)
            _ = try await api.getSeatInfo(originalTransactionId: joined.renewalInfo.bundleOriginalTransactionId ?? "")
        },
        Case(.transactionIdNotFound) { api, _ in _ = try await api.getCustomerGroups(transactionId: "123") },
        Case(.invalidTransactionId) { api, _ in _ = try await api.getCustomerGroups(transactionId: "x") },
        Case(.invalidGroupId) { api, _ in _ = try await api.getGroupMembers(groupId: "family") },
        Case(.invalidLimit) { api, _ in _ = try await api.getGroupMembers(groupId: "900000000000000000", limit: 101) },
        Case(.invalidPaginationToken) { api, _ in
            _ = try await api.getGroupMembers(groupId: "900000000000000000", paginationToken: "x")
        },
        Case(.groupNotFound) { api, _ in _ = try await api.getGroupMembers(groupId: "123") },
    ]

    static let notices: [Case] = [
        Case(.serverNotificationURLNotFound) { api, _ in _ = try await api.requestTestNotification() },
        Case(.invalidTestNotificationToken) { api, _ in _ = try await api.getTestNotificationStatus(testNotificationToken: "x") },
        Case(.testNotificationNotFound) { api, _ in
            _ = try await api.getTestNotificationStatus(testNotificationToken: "\(UUID().uuidString.lowercased())_1")
        },
        notifications(.startDateTooFarInPast) { $0.startDate = $0.endDate.adding(days: -181) },
        notifications(.startDateAfterEndDate) { $0.startDate = $0.endDate },
        notifications(.invalidStartDate) { $0.startDate = Timestamp(milliseconds: -1) },
        notifications(.invalidEndDate) { $0.endDate = Timestamp(milliseconds: -1) },
        notifications(.multipleFiltersSupplied) { ($0.transactionId, $0.notificationType) = ("1", "TEST") },
        notifications(.invalidNotificationType) { $0.notificationType = "NEWS" },
        notifications(.invalidNotificationType) { ($0.notificationType, $0.notificationSubtype) = ("TEST", "UPGRADE") },
        notifications(.transactionIdNotFound) { $0.transactionId = "123" }, notifications(.invalidTransactionId) { $0.transactionId = "x" },
        notifications(.invalidPaginationToken, token: "x"),
        Case(.paginationTokenExpired) { api, store in
            for _ in 0..<21 { _ = try await store.bought(.credits) }
            let now = store.clock.now
            let request = NotificationHistoryRequest(startDate: now.adding(days: -1), endDate: now.adding(days: 1))
            let token = try await api.getNotificationHistory(notificationHistoryRequest: request).paginationToken
            (store.clock as? ManualClock)?.advance(seconds: 86_401)
            _ = try await api.getNotificationHistory(paginationToken: token, notificationHistoryRequest: request)
        },
    ]

    @Test(arguments: transactions + consumptions + subscriptions + groups + notices)
    func `each error of the store is thrown with its code`(
        _ refused: Case
    ) async throws {
        try await StoreHarness.listen { store in
            let error = await #expect(throws: AppStoreServerAPIError.self) {
                try await refused.call(try store.serverAPI(change: { refused.change.apply(to: &$0) }), store)
            }
            #expect(error == .refused(refused.error))
            #expect(error?.apiError == refused.error && error?.isRetryable == false)
        }
    }

    @Test func `a Family Sharing entitlement is refused`() async throws {
        try await StoreHarness.listen { store in
            let (api, id) = (try store.serverAPI(), try await store.familyShared(.book))
            let request = ConsumptionRequest(customerConsented: true, deliveryStatus: .delivered, sampleContentProvided: false)
            await #expect(throws: AppStoreServerAPIError.refused(.familyTransactionNotSupported)) {
                try await api.sendConsumptionInformation(transactionId: id, consumptionRequest: request)
            }
        }
    }

    @Test func `a Family Sharing subscription is not extended`() async throws {
        let magazine = #""productID" : "com.example.monkeyshop.magazine","#
        let storekit = TestCatalog.storekit.replacing(magazine, with: magazine + #" "familyShareable" : true,"#)
        try await StoreHarness.run(storekit: storekit, over: .live) { store in
            let (api, id) = (try store.serverAPI(), try await store.familyShared(.magazine))
            let request = ExtendRenewalDateRequest(extendByDays: 1, extendReasonCode: .other, requestIdentifier: "x")
            await #expect(throws: AppStoreServerAPIError.refused(.familySharedSubscriptionExtensionIneligible)) {
                try await api.extendSubscriptionRenewalDate(originalTransactionId: id, extendRenewalDateRequest: request)
            }
        }
    }

    @Test func `an internal failure of the store is thrown after the last attempt`() async throws {
        try await StoreHarness.listen { store in
            let timer = InstantTimer()
            let api = try store.serverAPI(timer: timer)
            try await store.store.context.transaction { db, _ in try db.execute(sql: "ALTER TABLE downloads RENAME TO gone") }
            let error = await #expect(throws: AppStoreServerAPIError.self) { try await api.getTransactionHistory(transactionId: "1") }
            #expect(error?.apiError == .generalInternalRetryable && error?.isRetryable == true)
            #expect(timer.delays.count == 3)
        }
    }

    @Test(arguments: [(404, .accountNotFound), (500, .generalInternal)] as [(Int, ServerAPIError)])
    func `a simulated failure has the App Store's code`(_ status: Int, _ expected: ServerAPIError) async throws {
        try await StoreHarness.listen { store in
            try await store.enable(.status(code: status, retryAfterSeconds: nil), count: nil)
            let api = try store.serverAPI()
            let error = await #expect(throws: AppStoreServerAPIError.self) { try await api.getTransactionInfo(transactionId: "1") }
            #expect(error?.apiError == expected)
        }
    }

    @Test func `the tables contain each error that the store sends`() {
        let tested = Set((Self.transactions + Self.consumptions + Self.subscriptions + Self.groups + Self.notices).map(\.error))
        let elsewhere: Set<ServerAPIError> = [
            .familySharedSubscriptionExtensionIneligible, .generalInternalRetryable, .accountNotFound, .generalInternal,
        ]
        #expect(tested.isDisjoint(with: Self.unsent))
        #expect(Set(ServerAPIError.allCases).subtracting(tested).subtracting(Self.unsent).subtracting(elsewhere) == [])
    }
}
