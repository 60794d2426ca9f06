import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOFoundationCompat
import PurchaseModel
import StoreTestSupport
import Testing

@testable import LocalAppStore

/// Tests of HTTP methods that a path does not support.
@Suite struct MethodTests {
    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]

    @Test func `every path answers an unsupported method with 405 and lists the allowed methods`() async throws {
        try await StoreHarness.run { harness in
            let routes = StoreHost(singleStore: harness.store).router(.loopback) { _ in }.routes
            let addresses = Dictionary(grouping: routes, by: \.path.description)
            #expect(addresses.count >= 75)
            var refused = 0
            for (template, routes) in addresses {
                var allowed = Set(routes.map(\.method.rawValue))
                if allowed.contains("GET") { allowed.insert("HEAD") }
                let path = template.replacing(#/\{[^}]*\}|\*\*/#, with: "x")
                for name in Self.methods where !allowed.contains(name) {
                    let method = try #require(HTTPRequest.Method(rawValue: name))
                    let response = try await harness.send(method, path)
                    #expect(response.status == .methodNotAllowed, "\(name) \(path)")
                    #expect(response.headers[.allow] == allowed.sorted().joined(separator: ", "), "\(name) \(path)")
                    guard method != .head else {
                        #expect(response.body.readableBytes == 0)
                        continue
                    }
                    let object = try JSONSerialization.jsonObject(with: Data(buffer: response.body)) as? [String: Any]
                    if ServerAPIEndpoint.owns(path: path) {
                        #expect(object?["errorCode"] as? Int == 4_050_000)
                    } else {
                        #expect((object?["error"] as? [String: Any])?["code"] as? String == "http.405")
                    }
                    refused += 1
                }
            }
            #expect(refused >= 400)
            #expect(try await harness.send(.get, "/control/v1/nothing").status == .notFound)
            #expect(try await harness.send(.put, "/stores/unknown/control/v1/clock").status == .methodNotAllowed)
        }
    }
}
