import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@testable import AppStoreServerAPI

@Suite struct ConfigurationTests {
    @Test(
        arguments: [
            (.production, "https://api.storekit.apple.com"), (.sandbox, "https://api.storekit-sandbox.apple.com"),
        ] as [(AppEnvironment, String)]) func `the environment determines Apple's server`(_ environment: AppEnvironment, _ url: String)
        throws
    {
        #expect(try TestClient.configuration(environment).baseURL.text == url)
        let local: HTTPURL = "http://127.0.0.1:8080/production"
        #expect(try TestClient.configuration(environment, baseURL: local).baseURL == local)
    }

    @Test func `invalid configurations are refused with a correction`() throws {
        typealias Failure = AppStoreServerAPIConfigurationError
        #expect(throws: Failure.unsupportedEnvironment) { try TestClient.configuration(.xcode) }
        #expect(throws: Failure.unsupportedEnvironment) { try TestClient.configuration(.xcode, baseURL: "http://127.0.0.1") }
        #expect(throws: Failure.missingBaseURL) { try TestClient.configuration(.localTesting) }
        #expect(try TestClient.configuration(.localTesting, baseURL: "http://127.0.0.1").baseURL.text == "http://127.0.0.1")
        #expect(throws: Failure.baseURLWithQuery) { try TestClient.configuration(.sandbox, baseURL: "http://127.0.0.1/?a=b") }
        for key in ["", "x", TestClient.key.publicKey.pem, TestClient.key.pem.replacing("PRIVATE", with: "PUBLIC")] {
            #expect(throws: Failure.invalidPrivateKey) {
                try AppStoreServerAPIConfiguration(
                    issuerID: "i", keyID: "k", privateKey: key, bundleID: .test, environment: .sandbox)
            }
        }
    }

    @Test func `no description contains the key or a token`() async throws {
        let test = try TestClient(ServerAPITransportResponse(status: 401))
        let error = try #require(await test.failure())
        let request = try #require(test.transport.requests.first)
        let token = try #require(request.headers["Authorization"]?.dropFirst("Bearer ".count))
        let lines = TestClient.key.pem.split(separator: "\n").filter { !$0.contains("-----") }
        var texts: [String] = []
        for value in [test.client, test.client.configuration, request, error] as [any Sendable] {
            var dumped = ""
            dump(value, to: &dumped)
            texts += ["\(value)", String(reflecting: value), dumped]
        }
        for secret in [String(token)] + lines.map({ String($0) }) {
            for text in texts { #expect(!text.contains(secret), "\(text)") }
        }
        #expect(texts[0].contains("api.storekit-sandbox.apple.com"))
    }

    static let errors: [AppStoreServerAPIError] = [
        .api(ServerAPIErrorResponse(status: 404, code: 4_040_010, message: "m")), .api(ServerAPIErrorResponse(status: 404, code: 7)),
        .unauthorized(clockSkew: nil), .unauthorized(clockSkew: 90), .unauthorized(clockSkew: .min), .rateLimited(until: nil),
        .rateLimited(until: .testStart), .unavailable(.notConnected), .unavailable(.noResponse),
        .unavailable(.serverError(ServerAPIErrorResponse(status: 503))), .unavailable(.circuitOpen(until: .testStart)),
        .malformedResponse(status: 200, "The body is not JSON."), .invalidRequest("transactionId is invalid."), .canceled,
    ]

    @Test(arguments: errors) func `each error is a sentence`(_ error: AppStoreServerAPIError) {
        #expect(error.description.hasSuffix("."))
        #expect(!error.description.contains(".."))
        #expect(error.description.first?.isUppercase == true)
    }
}
