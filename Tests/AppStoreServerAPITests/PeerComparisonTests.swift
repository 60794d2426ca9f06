import AppStoreServerAPI
import Foundation
import FoundationExtras
import HTTPTypes
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

/// The requests of this client and of Apple's library for Python.
@Suite struct PeerComparisonTests {
    private static let request = "3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84"

    /// The calls of `requests_of_all_endpoints.py`, with the same names in the same order.
    private static let calls: [(String, @Sendable (AppStoreServerAPIClient) async throws -> Void)] = [
        ("transactionInfo", { _ = try await $0.getTransactionInfo(transactionId: "2000000000000001") }),
        ("transactionHistory", { _ = try await $0.getTransactionHistory(transactionId: "1") }),
        (
            "transactionHistory with filters",
            { _ = try await $0.getTransactionHistory(transactionId: "1", revision: "a/b+c=&?", transactionHistoryRequest: allFilters) }
        ),
        (
            "transactionHistoryV1",
            {
                _ = try await $0.getTransactionHistory(
                    transactionId: "1", revision: "r", transactionHistoryRequest: allFilters, version: .v1)
            }
        ),
        ("subscriptionStatuses", { _ = try await $0.getAllSubscriptionStatuses(transactionId: "1") }),
        (
            "subscriptionStatuses with filters",
            { _ = try await $0.getAllSubscriptionStatuses(transactionId: "1", status: [.billingRetry, .active]) }
        ),
        ("sendConsumption", { try await $0.sendConsumptionInformation(transactionId: "1", consumptionRequest: consumption) }),
        (
            "sendConsumption without options",
            { try await $0.sendConsumptionInformation(transactionId: "1", consumptionRequest: shortConsumption) }
        ),
        ("sendConsumptionV1", { try await $0.sendConsumptionData(transactionId: "1", consumptionRequest: consumptionV1) }),
        (
            "setAppAccountToken",
            {
                try await $0.setAppAccountToken(
                    originalTransactionId: "1",
                    updateAppAccountTokenRequest: AppAccountTokenRequest(appAccountToken: CustomerID(request.uppercased())))
            }
        ),
        ("finishTransaction", { try await $0.finishTransaction(transactionId: "1") }),
        ("appTransactionInfo", { _ = try await $0.getAppTransactionInfo(transactionId: "1") }),
        ("lookUpOrder", { _ = try await $0.lookUpOrderId(orderId: "MVS0000000") }),
        ("refundHistory", { _ = try await $0.getRefundHistory(transactionId: "1") }),
        ("refundHistory with a revision", { _ = try await $0.getRefundHistory(transactionId: "1", revision: "a b") }),
        (
            "extendRenewalDate",
            {
                _ = try await $0.extendSubscriptionRenewalDate(
                    originalTransactionId: "1",
                    extendRenewalDateRequest: ExtendRenewalDateRequest(
                        extendByDays: 45, extendReasonCode: .serviceIssue, requestIdentifier: "outage / 7"))
            }
        ),
        (
            "massExtendRenewalDates",
            { _ = try await $0.extendRenewalDateForAllActiveSubscribers(massExtendRenewalDateRequest: mass(nil)) }
        ),
        (
            "massExtendRenewalDates with storefronts",
            { _ = try await $0.extendRenewalDateForAllActiveSubscribers(massExtendRenewalDateRequest: mass(["USA", "MEX"])) }
        ),
        (
            "massExtensionStatus",
            { _ = try await $0.getStatusOfSubscriptionRenewalDateExtensions(requestIdentifier: request, productId: "com.example.a") }
        ),
        ("requestTestNotification", { _ = try await $0.requestTestNotification() }),
        (
            "testNotificationStatus",
            { _ = try await $0.getTestNotificationStatus(testNotificationToken: "\(request)_1700000000000") }
        ),
        ("notificationHistory", { _ = try await $0.getNotificationHistory(notificationHistoryRequest: notifications { _ in }) }),
        (
            "notificationHistory with a type",
            {
                _ = try await $0.getNotificationHistory(
                    paginationToken: "a/b=",
                    notificationHistoryRequest: notifications {
                        ($0.notificationType, $0.notificationSubtype, $0.onlyFailures) = ("SUBSCRIBED", "INITIAL_BUY", true)
                    })
            }
        ),
        (
            "notificationHistory with a transaction",
            {
                _ = try await $0.getNotificationHistory(
                    notificationHistoryRequest: notifications { ($0.transactionId, $0.onlyFailures) = ("999", false) })
            }
        ),
    ]

    private static let allFilters: TransactionHistoryRequest = {
        var request = TransactionHistoryRequest()
        (request.startDate, request.endDate) = (Timestamp(milliseconds: 1_700_000_000_000), Timestamp(milliseconds: 1_800_000_000_001))
        request.productIds = ["com.example.b", "com.example.a & ü"]
        request.productTypes = [.consumable, .autoRenewable, .nonRenewable, .nonConsumable]
        request.subscriptionGroupIdentifiers = ["21A2B3C4", "20000000"]
        (request.sort, request.inAppOwnershipType, request.revoked) = (.descending, .familyShared, false)
        return request
    }()

    private static let consumption = ConsumptionRequest(
        customerConsented: true, deliveryStatus: .delivered, sampleContentProvided: false, consumptionPercentage: 25_000,
        refundPreference: .grantProrated)

    private static let shortConsumption = ConsumptionRequest(
        customerConsented: true, deliveryStatus: .serverOutage, sampleContentProvided: true)

    private static let consumptionV1: ConsumptionRequestV1 = {
        var request = ConsumptionRequestV1(customerConsented: true, sampleContentProvided: true, deliveryStatus: 3)
        (request.consumptionStatus, request.platform, request.accountTenure, request.playTime) = (2, 2, 4, 5)
        (request.lifetimeDollarsRefunded, request.lifetimeDollarsPurchased, request.userStatus) = (6, 7, 4)
        (request.appAccountToken, request.refundPreference) = (Self.request, 3)
        return request
    }()

    private static func mass(_ storefronts: [String]?) -> MassExtendRenewalDateRequest {
        MassExtendRenewalDateRequest(
            extendByDays: 90, extendReasonCode: .undeclared, requestIdentifier: request, storefrontCountryCodes: storefronts,
            productId: "com.example.a")
    }

    private static func notifications(_ change: (inout NotificationHistoryRequest) -> Void) -> NotificationHistoryRequest {
        var request = NotificationHistoryRequest(
            startDate: Timestamp(milliseconds: 1_700_000_000_000), endDate: Timestamp(milliseconds: 1_800_000_000_001))
        change(&request)
        return request
    }

    // MARK: Comparison

    /// The parts of a request that both clients must send in the same way.
    private struct ComparedRequest {
        var description: String
        var body: JSONValue?
        var token: [String: String]

        init(_ recorded: RequestRecorder.Recorded) throws {
            var parts = [recorded.method, recorded.path.removingPercentEncoding ?? ""]
            // The order of the values of one key matters, the order of the keys does not.
            for name in Set(recorded.query.items.map(\.name)).sorted() {
                // Apple's library for Python sends Booleans as True and False; the documentation says true and false.
                parts += recorded.query.values(name).map { "\(name)=\(name == "revoked" ? $0.lowercased() : $0)" }
            }
            for name in [HTTPField.Name.accept, .contentType, .transferEncoding] {
                parts.append("\(name): \(recorded.headers[name] ?? "absent")")
            }
            let agent = recorded.headers[.userAgent] ?? ""
            parts.append("User-Agent: \(agent.wholeMatch(of: /[a-z-]+\/(python|swift)\/[0-9.]+/) != nil ? "valid" : agent)")
            description = parts.joined(separator: "\n")
            body = recorded.body.isEmpty ? nil : try JSONDecoder().decode(JSONValue.self, from: recorded.body).sorted
            let authorization = try #require(recorded.headers[.authorization])
            #expect(authorization.hasPrefix("Bearer "))
            let jws = try UnverifiedJWS(String(authorization.dropFirst("Bearer ".count)))
            token = [:]
            for (part, ignored) in [(jws.header, [String]()), (jws.payload, ["iat", "exp", "nonce"])] {
                guard case .object(let members) = try JSONDecoder().decode(JSONValue.self, from: Data(part)) else { continue }
                for member in members where !ignored.contains(member.name) { token[member.name] = "\(member.value)" }
            }
        }
    }

    private static let withoutPeer: Set<ServerAPIEndpoint> = [
        .refundHistoryV1, .seatInfo, .claimSeat, .unclaimSeat, .associateSeat, .customerGroups, .groupMembers,
    ]

    @Test func `both clients send the same requests to all endpoints`() async throws {
        let recorder = RequestRecorder()
        try await recorder.listen { url in
            let names = try await PythonClient.run("requests_of_all_endpoints.py", at: url)
            let theirs = recorder.takeRequests()
            let client = AppStoreServerAPIClient(try TestClient.configuration(.localTesting, baseURL: url))
            for (name, call) in Self.calls {
                await #expect(throws: AppStoreServerAPIError.api(ServerAPIErrorResponse(status: 418)), "\(name)") {
                    try await call(client)
                }
            }
            let ours = recorder.takeRequests()
            #expect(names == Self.calls.map(\.0))
            #expect(theirs.count == names.count && ours.count == names.count)
            for (name, (our, their)) in zip(names, zip(ours, theirs)) {
                let (our, their) = (try ComparedRequest(our), try ComparedRequest(their))
                #expect(our.description == their.description, "\(name)")
                #expect(our.body == their.body, "\(name)")
                #expect(our.token == their.token && our.token.count == 6, "\(name)")
            }
            // Apple's library for Python does not have version 1 of the refund history, and no endpoints for groups and seats.
            let compared = Set(names.compactMap { $0.split(separator: " ").first.flatMap { ServerAPIEndpoint(rawValue: String($0)) } })
            #expect(Set(ServerAPIEndpoint.allCases).subtracting(compared) == Self.withoutPeer)
        }
    }

    @Test func `the request for version 1 of the refund history follows the documentation`() async throws {
        let test = try TestClient(.error(.originalTransactionIdNotFound))
        _ = try? await test.client.getRefundHistoryV1(originalTransactionId: "7")
        let request = try #require(test.transport.requests.first)
        #expect(request.method == "GET" && request.body == nil)
        #expect(request.url == "https://api.storekit-sandbox.apple.com/inApps/v1/refund/lookup/7")
        #expect(request.headers.keys.sorted() == ["Accept", "Authorization", "User-Agent"])
    }
}

extension JSONValue {
    /// The value with the members of all objects in the order of their names.
    fileprivate var sorted: JSONValue {
        switch self {
        case .null, .bool, .number, .string: self
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members): .object(members.map { Member($0.name, $0.value.sorted) }.sorted { $0.name < $1.name })
        }
    }
}
