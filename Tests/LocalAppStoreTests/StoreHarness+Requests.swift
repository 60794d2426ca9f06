import Foundation
import FoundationExtras
import GRDB
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseProof
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

/// Requests that are not in the device API or the control API, and the store's notifications.
extension StoreHarness {
    func send(
        _ method: HTTPRequest.Method, _ uri: String, _ headers: HTTPFields = [:], _ body: ByteBuffer? = nil
    ) async throws -> TestResponse {
        try await #require(client).executeRequest(uri: uri, method: method, headers: headers, body: body)
    }

    /// Sends a receipt to `verifyReceipt` and returns the response as text.
    func verifyReceiptText(_ receipt: Data, at address: String = "sandbox") async throws -> String {
        let request = VerifyReceiptRequest(receiptData: receipt.base64EncodedString(), password: nil, excludeOldTransactions: nil)
        let response = try await send(.post, "/\(address)/verifyReceipt", [:], ByteBuffer(data: try WireJSON.encode(request)))
        return String(buffer: response.body)
    }

    /// Sends a receipt to `verifyReceipt` and returns the decoded response.
    func verifyReceipt<Answer: Decodable>(
        _ receipt: Data, at address: String = "sandbox", _ answer: Answer.Type = VerifyReceiptResponse.self
    ) async throws -> Answer {
        try WireJSON.decode(answer, from: Data(try await verifyReceiptText(receipt, at: address).utf8))
    }

    /// The types of the notifications, oldest first, as `TYPE` or `TYPE.SUBTYPE`.
    func notificationTypes() async throws -> [String] {
        try await call(ControlEndpoints.notifications, Empty()).deliveries.map {
            [$0.type, $0.subtype].compactMap { $0 }.joined(separator: ".")
        }
    }

    /// The verified notifications, oldest first.
    func notifications() async throws -> [VerifiedNotification] {
        let signed = try await store.context.read { db in
            try NotificationRecord.fetchAll(db, sql: "SELECT * FROM notifications ORDER BY rowid").map(\.signedPayload)
        }
        var result: [VerifiedNotification] = []
        for notification in signed {
            result.append(try await verifier.verify(notification))
        }
        return result
    }
}

extension DeviceID {
    static let second: DeviceID = "11112222-3333-4444-5555-666677778888"
}

extension String {
    /// The text as the value of a parameter in a URL's query.
    var queryValue: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
}
