import AppStoreServerAPI
import Foundation
import FoundationExtras
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import MessageSignatures
import NIOFoundationCompat
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire
import WireServer

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of what an operator sees: identifiers of requests, lines of the log, and the readiness of the server.
@Suite struct OperationTests {
    /// An App Store that answers every request with one status.
    private struct FixedAppStore: ServerAPITransport {
        let status: Int

        func send(_ request: ServerAPITransportRequest) async throws(ServerAPITransportError) -> ServerAPITransportResponse {
            ServerAPITransportResponse(status: status, body: Data(#"{"errorCode":4040010,"errorMessage":"Not found."}"#.utf8))
        }
    }

    @Test func `each response has an identifier, which the lines of the log about the request have, too`() async throws {
        let log = RecordingLog()
        try await Shop.open(logger: log.logger) { shop async throws in
            var identifiers: Set<String> = []
            let senders: [(String, Shop.Sender)] = [
                ("/health", .headers([:])), ("/v1/customer", shop.app), ("/v1/customer", .headers([:])), ("/nowhere", shop.app),
                ("/v1/customer", .headers([.authorization: "Bearer sk_unknown"])),
            ]
            for (path, sender) in senders {
                let answer = try await shop.send(.get, path, sender)
                let identifier = try #require(answer.headers[.requestID], "\(path)")
                #expect(identifiers.insert(identifier).inserted)
                let status = "\"status\": \(answer.status.code)"
                #expect(log.lines(.debug).contains { $0.hasPrefix("a request was answered") && $0.contains(status) })
            }
        }
    }

    @Test func `a submission has a line in the log, at the info level if a proof was refused, without personal data`() async throws {
        let log = RecordingLog()
        try await Shop.open(logger: log.logger) { shop async throws in
            try await shop.record(.creditSale, by: shop.app)
            #expect(log.lines(.debug).contains { $0.hasPrefix("a submission was processed") && $0.contains(#""verified": 1"#) })
            #expect(!log.lines(.info).contains { $0.hasPrefix("a submission") })
            #expect(try await shop.record(.bookSale, signer: .other, by: shop.app).status == .refused)
            let line = try #require(log.lines(.info).first { $0.hasPrefix("a submission") })
            #expect(line.contains(#""refused": 1"#) && line.contains("proof.refused"), "\(line)")
            let personal = [
                Shop.customer.rawValue, shop.customerToken, TransactionPayload.bookSale.transactionId.rawValue,
                TransactionPayload.creditSale.transactionId.rawValue,
            ]
            for line in log.all where line.hasPrefix("a submission") || line.hasPrefix("a request") {
                for text in personal { #expect(!line.contains(text), "\(line)") }
            }
        }
    }

    @Test func `a rate that refuses a client is logged once, with the client and the reason`() async throws {
        let log = RecordingLog()
        let rates = RequestRates(installation: RequestRate(perSecond: 1, burst: 2), backend: RequestRate(perSecond: 0, burst: 0))
        try await Shop.open(logger: log.logger, rates: rates) { shop async throws in
            var statuses: [HTTPResponse.Status] = []
            for _ in 1...10 { statuses.append(try await shop.send(.get, "/v1/customer", shop.app).status) }
            #expect(statuses.count { $0 == .tooManyRequests } == 8)
            let lines = log.lines(.warning).filter { $0.hasPrefix("a limit refused a client") }
            #expect(lines.count == 1, "\(lines)")
            for text in ["request-rates.installation-per-second", "127.0.0.1", "requests.too-many"] {
                #expect(lines.first?.contains(text) == true, "\(text) \(lines)")
            }
        }
    }

    @Test(arguments: [401, 404])
    func `a key that the App Store refuses is a code in readyz, and a sentence in the log and for the operator`(
        _ status: Int
    ) async throws {
        let log = RecordingLog()
        try await TemporaryFolder.with { folder in
            var configuration = try Shop.configuration(contentFolder: folder.url.path())
            try Shop.bookText.write(to: folder.file("book.txt"))
            configuration.apps[0].appStoreServerAPI = AppStoreServerAPIKey(
                issuerID: "57246542-96fe-1a63-e053-0824d011072a", keyID: "WRONGKEY12",
                privateKey: try P256SigningKey(newWithID: "key").pem, baseURL: nil)
            let server = try await PurchaseServer(
                configuration: configuration, storage: try SQLitePurchaseStorage(.memory), appStore: FixedAppStore(status: status),
                clock: ManualClock(), transportClock: ManualClock(), timer: InstantTimer(), logger: log.logger, comparison: nil)
            try await Application(router: server.router()).test(.router) { client in
                func ready(_ headers: HTTPFields = [:]) async throws -> (HTTPResponse.Status, HealthController.Status) {
                    try await client.execute(uri: "/readyz", method: .get, headers: headers) { response in
                        (response.status, try WireJSON.decode(HealthController.Status.self, from: Data(buffer: response.body)))
                    }
                }
                #expect(try await ready().1.warnings == nil)
                let app = try #require(server.apps[.test])
                let request = SubmitPurchasesRequest(proofs: [PurchaseProofInput(transactionID: "2000000000000009")])
                // One refusal can be that of a wrong clock.
                for _ in 1...2 {
                    #expect(try await ready().1.warnings == nil)
                    _ = try await app.purchases.submit(request, for: .id(Shop.customer), isBackend: true)
                }
                let (httpStatus, body) = try await ready()
                #expect(httpStatus == .ok)
                #expect(body.warnings == (status == 401 ? ["app-store.key-refused"] : nil) && body.details == nil)
                let keys = try #require(server.apiKeys(of: .test))
                for kind in APIKeyKind.allCases {
                    let key = try await keys.create(kind).text
                    let details = try await ready([.authorization: "Bearer \(key)"]).1.details ?? []
                    #expect(details.count == (status == 401 && kind == .admin ? 1 : 0), "\(kind)")
                    #expect(details.allSatisfy { $0.contains("WRONGKEY12") && $0.contains("app-store-server-api.key-id") })
                }
                #expect(log.lines(.warning).count { $0.contains("WRONGKEY12") } == (status == 401 ? 1 : 0))
            }
        }
    }

    @Test func `a key without the scope of operators is told how to create one that has it`() async throws {
        try await Shop.open { shop async throws in
            for sender in [shop.app, shop.backend] {
                let refused = try await shop.send(.get, "/v1/notifications/refused", sender)
                let message = try refused.value(WireError.self).message
                #expect(refused.code == "key.scope" && message.contains("keys create admin") && !message.contains("secret key"))
            }
        }
    }
}
