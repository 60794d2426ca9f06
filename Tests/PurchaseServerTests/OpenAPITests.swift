import Foundation
import HTTPTypes
import Hummingbird
import MessageSignatures
import PurchaseIssuing
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import Testing

@testable import PurchaseServer

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
        for (operation, schema) in document.answers { #expect(document.schemas[schema] != nil, "\(operation)") }
        for (name, schema) in document.schemas { #expect(schema.required.isSubset(of: schema.properties), "\(name)") }
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

    private static func check(_ answer: Answer, _ operation: String, _ document: OpenAPIDocument) throws {
        #expect(answer.status == .ok, "\(operation) \(String(decoding: answer.body, as: UTF8.self))")
        let differences = try document.differences(of: answer.body, to: operation)
        #expect(differences.isEmpty, "\(differences)")
    }
}
