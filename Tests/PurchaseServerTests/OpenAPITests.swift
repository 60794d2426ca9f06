import Foundation
import FoundationExtras
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import MessageSignatures
import NIOCore
import NIOFoundationCompat
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import StoreTestSupport
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests that `docs/openapi/server.yaml` matches the server.
@Suite struct OpenAPITests {
    @Test func `the document lists exactly the routes of the server`() async throws {
        try await Shop.open { shop async throws in
            let routes = shop.server.router().routes.filter { $0.method != .head }.map { "\($0.method.rawValue) \($0.path)" }
            let document = try OpenAPIDocument("server")
            #expect(document.operations == Set(routes))
            #expect(routes.count >= 28)
        }
    }

    @Test func `every referenced schema exists, and its required properties are defined`() throws {
        let document = try OpenAPIDocument("server")
        #expect(document.schemas.count > 30)
        #expect(document.operationsWithErrors == document.operations)
        for (operation, schema) in document.answers { #expect(document.schemas[schema] != nil, "\(operation)") }
        for (name, schema) in document.schemas {
            #expect(schema.required.isSubset(of: schema.properties), "\(name)")
            for reference in schema.references.values { #expect(document.schemas[reference] != nil, "\(name): \(reference)") }
        }
    }

    @Test func `replies match their schemas`() async throws {
        let document = try OpenAPIDocument("server")
        try await Shop.open { shop async throws in
            let admin: Shop.Sender = .headers([.authorization: "Bearer \(shop.keys.admin)"])
            try await shop.record(.creditSale)
            try await shop.record(.bookSale)
            let signed: SignedTransaction = try TestAuthority.shared.signedData.sign(TransactionPayload.creditSale)
            let device = try P256SigningKey(newWithID: "device").verificationKey.thumbprint.rawValue
            let posts: [(String, String, Shop.Sender)] = [
                ("/v1/customers", "{}", .app(nil)), ("/v1/customer/tokens", "", shop.backend),
                ("/v1/customer/aliases", #"{"alias":"jane"}"#, shop.backend),
                ("/v1/customer/aliases/remove", #"{"alias":"jane"}"#, shop.backend),
                ("/v1/purchases", #"{"proofs":[{"signedTransaction":"\#(signed.compact)"},{"transactionID":"1"}]}"#, shop.app),
                ("/v1/customer/credits", #"{"idempotencyKey":"a","amount":5}"#, shop.backend),
                ("/v1/customer/debits", #"{"idempotencyKey":"a","amount":5}"#, shop.backend),
                ("/v1/customer/balances/unfreeze", "{}", shop.backend),
                ("/v1/customer/entitlements/beta/grants", #"{"reason":"tester"}"#, shop.backend),
                ("/v1/customer/lease", #"{"deviceKey":"\#(device)"}"#, shop.app),
                ("/v1/content/\(ProductID.book)/download-tokens", "", shop.app),
                ("/v1/customer/consent", #"{"consumption":true}"#, shop.app),
                ("/v1/products", #"{"products":[{"id":"gems","localizations":{"en":{"displayName":"Gems"}}}]}"#, admin),
            ]
            for (path, body, sender) in posts {
                let answer = try await shop.post(path, Data(body.utf8), by: sender)
                let template = path.replacing("\(ProductID.book)", with: "{product}").replacing("/beta/", with: "/{entitlement}/")
                try Self.check(answer, "POST \(template)", document)
            }
            let gets: [(String, String, Shop.Sender)] = [
                ("/health", "", .headers([:])), ("/readyz", "", .headers([:])), ("/v1/customer", "", shop.app),
                ("/v1/customer/consent", "", shop.app), ("/v1/customer/offers", "", shop.app), ("/v1/customer/balances", "", shop.app),
                ("/v1/customer/statement", "?limit=1", shop.app),
                ("/v1/customer/entitlements", "?include=evidence", shop.app), ("/v1/customer/entitlements/{entitlement}", "", shop.app),
                ("/v1/customer/entitlements/{entitlement}/explanation", "", shop.app), ("/v1/products", "", shop.app),
                ("/v1/content/{product}/items", "", shop.app),
            ]
            let token: DownloadToken = try await shop.downloadToken().value()
            try Self.check(try await shop.manifest(token.token), "GET /v1/content/{product}/manifest", document)
            for (template, query, sender) in gets {
                let path = template.replacing("{entitlement}", with: ProductID.book.rawValue)
                    .replacing("{product}", with: ProductID.book.rawValue)
                try Self.check(try await shop.send(.get, path + query, sender), "GET \(template)", document)
            }
            let grants = "/v1/customer/entitlements/{entitlement}/grants"
            try Self.check(
                try await shop.send(.delete, grants.replacing("{entitlement}", with: "beta"), shop.backend), "DELETE \(grants)", document)
            try Self.check(try await shop.send(.delete, "/v1/products/gems", admin), "DELETE /v1/products/{product}", document)
            try Self.check(try await shop.send(.delete, "/v1/customer", shop.backend), "DELETE /v1/customer", document)
        }
    }

    @Test func `explanations of valid and of refused data match their schema`() async throws {
        let document = try OpenAPIDocument("server")
        try await Shop.open { shop async throws in
            for authority in [TestAuthority.shared, .other] {
                let signed = try authority.signedData.sign(TransactionPayload.creditSale).compact
                let answer = try await shop.call(ProofExplanationController.endpoint, ExplanationRequest(signed: signed))
                try Self.check(answer, "POST /v1/explain", document)
            }
            let receipt = Data("not a receipt".utf8).base64EncodedString()
            let answer = try await shop.call(ProofExplanationController.endpoint, ExplanationRequest(receipt: receipt))
            try Self.check(answer, "POST /v1/explain", document)
        }
    }

    @Test func `notifications and the samples of refused ones match their schemas`() async throws {
        let document = try OpenAPIDocument("server")
        try await Shop.open { shop async throws in
            let admin: Shop.Sender = .headers([.authorization: "Bearer \(shop.keys.admin)"])
            let notification = try NotificationPayload.about(.bookSale, type: "ONE_TIME_CHARGE")
            try Self.check(try await shop.notify(notification), "POST /v1/notifications", document)
            let refused = try await shop.notify(notification, by: .other)
            #expect(refused.code == "notification.refused")
            #expect(try document.differencesOfError(refused.body, of: "POST /v1/notifications").isEmpty)
            let answer = try await shop.send(.get, "/v1/notifications/refused", admin)
            #expect(try answer.value(RefusedNotificationsReply.self).notifications.count == 1)
            try Self.check(answer, "GET /v1/notifications/refused", document)
            try Self.check(try await shop.notify(.about(.bookSale, type: "UNHEARD_OF", uuid: "u2")), "POST /v1/notifications", document)
            let unknown = try await shop.send(.get, "/v1/notifications/unknown", admin)
            #expect(try unknown.value(UnknownNotificationsReply.self).notifications.count == 1)
            try Self.check(unknown, "GET /v1/notifications/unknown", document)
        }
    }

    @Test func `answers of verifyReceipt, and their differences from the App Store's, match their schemas`() async throws {
        let document = try OpenAPIDocument("server")
        try await Shop.open(change: Shop.Change { $0.verifyReceiptShadow = .apple }) { shop async throws in
            let admin: Shop.Sender = .headers([.authorization: "Bearer \(shop.keys.admin)"])
            let magazine = TransactionPayload.sale(.magazine, .autoRenewable, id: "3000", expires: .testStart.adding(days: 30))
            _ = try await shop.notify(.about(magazine, .sample(original: "3000"), type: "SUBSCRIBED"))
            shop.appStore.set(.sandbox, .status(21002))
            let body = try VerifyReceiptEndpointTests.body(VerifyReceiptEndpointTests.receipt([magazine, .bookSale]))
            try Self.check(try await shop.post("/verifyReceipt", body), "POST /verifyReceipt", document)
            shop.appStore.set(.sandbox, .overloaded)
            let own = try await shop.post("/sandbox/verifyReceipt", body)
            #expect(try own.value(VerifyReceiptResponse.self).pendingRenewalInfo?.count == 1)
            try Self.check(own, "POST /sandbox/verifyReceipt", document)
            try Self.check(try await shop.get("/verifyReceipt"), "GET /verifyReceipt", document)
            let path = "/v1/verify-receipt/differences"
            try await eventually {
                let reply = try await shop.send(.get, path, admin).value(VerifyReceiptCompatibilityController.DifferencesReply.self)
                return reply.comparisons.count == 1 && reply.counts.unanswered == 1
            }
            try Self.check(try await shop.send(.get, path, admin), "GET \(path)", document)
            #expect(try await shop.send(.get, path, shop.backend).code == "key.scope")
        }
    }

    @Test func `the report of a reconciliation matches its schema, with a missing notification and a missing event`() async throws {
        let document = try OpenAPIDocument("server")
        try await ConnectedShop.open { shop in
            let bought = try await shop.buy(.book)
            try await shop.reconcile()
            // The second purchase is in the notification history, and the refund in a look-up only.
            try await shop.buyInStore(.credits)
            let report = try await shop.reconcile()
            #expect(report.notifications.count == 1)
            try await shop.pass(seconds: 60)
            try await shop.store.refund(bought.transactionId)
            try await shop.skipHistory()
            try await shop.pass(days: 8)
            try await shop.skipHistory()
            let key = try await #require(shop.server.apiKeys(of: .test)).create(.admin).text
            try await shop.server.application(hostname: "127.0.0.1", port: 0) { _ in }.test(.live) { client in
                let reply = try await client.execute(
                    uri: "/v1/reconciliations", method: .post, headers: [.authorization: "Bearer \(key)"], body: ByteBuffer(string: "{}"))
                let body = Data(buffer: reply.body)
                let looked = try WireJSON.decode(ReconciliationReport.self, from: body)
                #expect(looked.events.map(\.kind) == [.refund], "\(looked)")
                for body in [body, try WireJSON.encode(report)] {
                    let differences = try document.differences(of: body, to: "POST /v1/reconciliations")
                    #expect(differences.isEmpty, "\(differences)")
                }
            }
        }
    }

    @Test func `error replies match their schema, whatever refuses the request`() async throws {
        let document = try OpenAPIDocument("server")
        try await Shop.open { shop async throws in
            let admin: Shop.Sender = .headers([.authorization: "Bearer \(shop.keys.admin)"])
            let requests: [(String, String, String?, Shop.Sender, Int)] = [
                ("GET", "/v1/customer", nil, .headers([:]), 401), ("GET", "/v1/customer", nil, .app("unknown"), 401),
                ("POST", "/v1/purchases", "{", shop.app, 400), ("POST", "/v1/purchases", #"{"proofs":[]}"#, shop.app, 400),
                ("POST", "/v1/explain", "{}", shop.backend, 400), ("POST", "/v1/reconciliations", "{}", shop.backend, 403),
                ("POST", "/v1/reconciliations", "{}", admin, 409),
                ("POST", "/v1/customer/debits", #"{"idempotencyKey":"a","amount":5}"#, shop.backend, 409),
                ("GET", "/v1/notifications/refused", nil, shop.backend, 403), ("POST", "/v1/notifications", "{}", .headers([:]), 400),
                ("GET", "/v1/content/{product}", nil, .headers([:]), 401),
                ("POST", "/v1/content/{product}/download-tokens", "", shop.app, 403),
                ("DELETE", "/v1/products/{product}", nil, admin, 404),
            ]
            for (method, template, body, sender, status) in requests {
                let path = template.replacing("{product}", with: ProductID.book.rawValue)
                let answer = try await shop.send(
                    try #require(HTTPRequest.Method(method)), path, sender, body.map { Data($0.utf8) })
                let operation = "\(method) \(template)"
                #expect(answer.status.code == status, "\(operation): \(String(decoding: answer.body, as: UTF8.self))")
                #expect(answer.headers[.contentType]?.hasPrefix("application/json") == true, "\(operation)")
                let differences = try document.differencesOfError(answer.body, of: operation)
                #expect(differences.isEmpty, "\(differences)")
            }
        }
    }

    private static func check(_ answer: Answer, _ operation: String, _ document: OpenAPIDocument) throws {
        #expect(answer.status == .ok, "\(operation) \(String(decoding: answer.body, as: UTF8.self))")
        let differences = try document.differences(of: answer.body, to: operation)
        #expect(differences.isEmpty, "\(differences)")
    }
}
