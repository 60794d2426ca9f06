import Foundation
import FoundationExtras
import PurchaseModel
import Testing

@Suite struct ServerAPIErrorTests {
    @Test func `the first three digits of an error code are the HTTP status`() {
        for error in ServerAPIError.allCases {
            #expect([400, 403, 404, 405, 413, 429, 500].contains(error.status))
            #expect(String(error.code).hasPrefix("\(error.status)"))
            #expect(error.message.hasSuffix("."))
        }
        #expect(ServerAPIError.transactionIdNotFound.status == 404)
        #expect(ServerAPIError.rateLimitExceeded.status == 429)
    }

    @Test func `an error has the name in Apple's documentation`() {
        #expect(ServerAPIError.invalidTransactionId.name == "InvalidTransactionId")
        #expect(Set(ServerAPIError.allCases.map(\.name)).count == ServerAPIError.allCases.count)
    }

    @Test func `an error is encoded as an error code and an error message`() throws {
        let json = try WireJSON.encode(ServerAPIErrorBody(.transactionIdNotFound))
        #expect(String(decoding: json, as: UTF8.self) == #"{"errorCode":4040010,"errorMessage":"Transaction id not found."}"#)
        #expect(try WireJSON.decode(ServerAPIErrorBody.self, from: json).error == .transactionIdNotFound)
        #expect(try WireJSON.decode(ServerAPIErrorBody.self, from: Data(#"{"errorCode":4990000}"#.utf8)).error == nil)
    }

    @Test func `each of the 24 endpoints has a unique method and path`() {
        #expect(ServerAPIEndpoint.allCases.count == 24)
        #expect(Set(ServerAPIEndpoint.allCases.map { "\($0.method) \($0.template)" }).count == 24)
        #expect(ServerAPIEndpoint.transactionHistory.path(["transactionId": "1/2"]) == "/inApps/v2/history/1%2F2")
    }
}
