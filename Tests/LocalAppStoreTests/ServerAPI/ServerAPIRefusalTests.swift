import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PurchaseModel
import PurchaseProof
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

@Suite struct ServerAPIRefusalTests {
    /// The kind of identifier in the path of a request.
    enum Subject: Sendable {
        case none
        case malformed
        case unknown
        case renewal
        case appTransaction
        case consumable
        case familyShared
    }

    static let extend = #"{"extendByDays":1,"extendReasonCode":1,"requestIdentifier":"x"}"#
    static let consumption = #"{"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":false}"#
    static let token = #"{"appAccountToken":"3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84"}"#

    static let refusals: [(ServerAPIEndpoint, Subject, String?, ServerAPIError)] = [
        (.transactionInfo, .malformed, nil, .invalidTransactionId), (.transactionInfo, .unknown, nil, .transactionIdNotFound),
        (.transactionInfo, .appTransaction, nil, .appTransactionIdNotSupported),
        (.transactionHistory, .malformed, nil, .invalidTransactionId), (.transactionHistory, .unknown, nil, .transactionIdNotFound),
        (.transactionHistoryV1, .malformed, nil, .invalidTransactionId), (.transactionHistoryV1, .unknown, nil, .transactionIdNotFound),
        (.subscriptionStatuses, .malformed, nil, .invalidTransactionId), (.subscriptionStatuses, .unknown, nil, .transactionIdNotFound),
        (.sendConsumption, .malformed, consumption, .invalidTransactionId),
        (.sendConsumption, .unknown, consumption, .transactionIdNotFound),
        (.sendConsumption, .appTransaction, consumption, .appTransactionIdNotSupported),
        (.sendConsumption, .familyShared, consumption, .familyTransactionNotSupported),
        (.sendConsumption, .consumable, "{}", .invalidCustomerConsented), (.sendConsumption, .consumable, "", .generalBadRequest),
        (.sendConsumptionV1, .malformed, consumption, .invalidTransactionId),
        (.sendConsumptionV1, .unknown, consumption, .transactionIdNotFound),
        (.sendConsumptionV1, .familyShared, consumption, .invalidTransactionTypeNotSupported),
        (.sendConsumptionV1, .consumable, "{}", .invalidCustomerConsented),
        (.setAppAccountToken, .malformed, token, .invalidTransactionId),
        (.setAppAccountToken, .unknown, token, .originalTransactionIdNotFound),
        (.setAppAccountToken, .appTransaction, token, .appTransactionIdNotSupported),
        (.setAppAccountToken, .familyShared, token, .familyTransactionNotSupported),
        (.setAppAccountToken, .renewal, token, .transactionIdIsNotOriginalTransactionId),
        (.setAppAccountToken, .consumable, "{}", .invalidAppAccountTokenUUID),
        (.finishTransaction, .malformed, nil, .invalidTransactionId), (.finishTransaction, .unknown, nil, .transactionIdNotFound),
        (.finishTransaction, .appTransaction, nil, .appTransactionIdNotSupported),
        (.appTransactionInfo, .malformed, nil, .invalidTransactionId), (.appTransactionInfo, .unknown, nil, .transactionIdNotFound),
        (.refundHistory, .malformed, nil, .invalidTransactionId), (.refundHistory, .unknown, nil, .transactionIdNotFound),
        (.refundHistoryV1, .malformed, nil, .invalidOriginalTransactionId),
        (.refundHistoryV1, .unknown, nil, .originalTransactionIdNotFound),
        (.refundHistoryV1, .renewal, nil, .originalTransactionIdNotFound),
        (.extendRenewalDate, .malformed, extend, .invalidOriginalTransactionId),
        (.extendRenewalDate, .unknown, extend, .originalTransactionIdNotFound),
        (.extendRenewalDate, .renewal, extend, .originalTransactionIdNotFound),
        (.extendRenewalDate, .appTransaction, extend, .originalTransactionIdNotFound),
        (.extendRenewalDate, .consumable, extend, .subscriptionExtensionIneligible),
        (.extendRenewalDate, .consumable, "{}", .invalidExtendByDays),
        (.massExtendRenewalDates, .none, "[]", .generalBadRequest),
        (.requestTestNotification, .none, nil, .serverNotificationURLNotFound),
        (.notificationHistory, .none, "{}", .invalidStartDate),
        (.customerGroups, .malformed, nil, .invalidTransactionId), (.customerGroups, .unknown, nil, .transactionIdNotFound),
    ]

    @Test(arguments: refusals) func `each endpoint refuses with the App Store's errors`(
        _ endpoint: ServerAPIEndpoint, _ subject: Subject, _ body: String?, _ error: ServerAPIError
    ) async throws {
        try await StoreHarness.run { harness in
            let id = try await Self.identifier(subject, harness)
            await #expect(throws: ServerAPIRefusal(error)) { try await harness.api(endpoint, id, body: body) }
            guard ![.none, .malformed, .appTransaction].contains(subject), body == nil || error.status != 400 else { return }
            // Sandbox transactions do not exist in production.
            let unknown: [ServerAPIError] = [.transactionIdNotFound, .originalTransactionIdNotFound]
            do {
                try await harness.api(endpoint, id, body: body, in: .production)
                Issue.record("The request was not refused.")
            } catch let refusal as ServerAPIRefusal {
                #expect(refusal.error.map { unknown.contains($0) } == true)
            }
        }
    }

    private static func identifier(_ subject: Subject, _ harness: StoreHarness) async throws -> String {
        switch subject {
        case .none: return ""
        case .malformed: return "12x"
        case .unknown: return "123"
        case .consumable: return try await harness.signIn().buy(.credits).transactionId.rawValue
        case .appTransaction: return try #require(try await harness.signIn().buy(.credits).appTransactionId)
        case .renewal:
            let bought = try await harness.signIn().buy(.magazine)
            try await harness.advance(days: 32)
            let last = try await harness.onlyStatus(bought.transactionId)
            return try await harness.payloads([last.signedTransactionInfo])[0].transactionId.rawValue
        case .familyShared:
            for account: AccountID in ["ada@example.com", "bob@example.com"] {
                try await harness.createAccount(account)
                try await harness.set(account) { $0.family = "f" }
            }
            _ = try await harness.signIn().buy(.book)
            let copies = try await harness.call(ControlEndpoints.transactions, Empty(), ["account": "bob@example.com"])
            return try await harness.payloads(copies.signedTransactions)[0].transactionId.rawValue
        }
    }

    @Test(arguments: [
        "/inApps/", "/inApps/v1", "/inApps/v3/history/1", "/inApps/v1/transactions", "/production/inApps/v1/lookup",
        "/groups/", "/groups/v1", "/groups/v2/currentGroups/1", "/groups/v1/group", "/production/groups/v1/transactions/1/seats/2/x",
    ])
    func `an unknown endpoint is refused in the same format`(_ path: String) async throws {
        try await StoreHarness.run { harness in
            let response = try await harness.send(.get, path)
            #expect(throws: ServerAPIRefusal(.endpointNotFound)) { try StoreHarness.read(response, Empty.self) }
        }
    }

    @Test func `overlong and malformed identifiers and values are refused`() async throws {
        try await StoreHarness.run { harness in
            let long = String(repeating: "9", count: 5_000)
            for id in ["%FF%FE", "%00", "1%2F2", long, "é", "-1", "1.0", "%31%32x"] {
                let headers: HTTPFields = [.authorization: "Bearer \(try harness.apiToken())"]
                let response = try await harness.send(.get, "/inApps/v2/history/\(id)", headers)
                #expect(throws: ServerAPIRefusal(.invalidTransactionId)) { try StoreHarness.read(response, Empty.self) }
            }
            let id = try await harness.signIn().buy(.credits).transactionId.rawValue
            for revision in ["", "x", long, "%FF", "AAAA"] {
                await #expect(throws: ServerAPIRefusal(.invalidRequestRevision)) {
                    try await harness.api(.transactionHistory, id, query: "revision=\(revision)")
                }
            }
            await #expect(throws: ServerAPIRefusal(.invalidStatus)) {
                try await harness.api(.subscriptionStatuses, id, query: "status=1&status=6")
            }
            let huge = String(repeating: " ", count: (4 << 20) + 1)
            await #expect(throws: ServerAPIRefusal(.bodyTooLarge)) { try await harness.api(.sendConsumption, id, body: huge) }
        }
    }

    @Test func `an internal failure is a retryable error without details`() async throws {
        try await StoreHarness.run { harness in
            try await harness.store.context.transaction { db, _ in try db.execute(sql: "ALTER TABLE downloads RENAME TO gone") }
            await #expect(throws: ServerAPIRefusal(.generalInternalRetryable)) { try await harness.api(.transactionHistory, "1") }
        }
    }
}
