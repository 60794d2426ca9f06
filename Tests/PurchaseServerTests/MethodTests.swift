import HTTPTypes
import Hummingbird
import PurchaseModel
import Testing

@testable import PurchaseServer

/// Tests of unsupported HTTP methods.
@Suite struct MethodTests {
    @Test func `every path refuses an unsupported method with status 405 and the allowed methods`() async throws {
        try await Shop.open { shop async throws in
            let addresses = Dictionary(grouping: shop.server.router().routes, by: \.path.description)
            #expect(addresses.count >= 10)
            for (template, routes) in addresses {
                var allowed = Set(routes.map(\.method))
                if allowed.contains(.get) { allowed.insert(.head) }
                let path = template.replacing(#/\{[^}]*\}/#, with: "x")
                for method: HTTPRequest.Method in [.get, .head, .post, .put, .patch, .delete, .options, .trace]
                where !allowed.contains(method) {
                    let answer = try await shop.get(path, method: method)
                    #expect(answer.status == .methodNotAllowed, "\(method) \(path)")
                    #expect(answer.headers[.allow] == allowed.map(\.rawValue).sorted().joined(separator: ", "), "\(method) \(path)")
                    #expect(method == .head || answer.code == "http.405", "\(method) \(path)")
                }
            }
            #expect(try await shop.get("/v1/nothing").code == "http.404")
        }
    }
}
