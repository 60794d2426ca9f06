import PurchaseModel
import Testing
import Wire

@Suite struct EndpointTests {
    private static let endpoint = Endpoint<Empty, Empty>(.get, "/v1/customers/{customer}/access/{product}")

    @Test(arguments: [
        (["customer": "a", "product": "b"], "/v1/customers/a/access/b"),
        (["customer": "a b/c", "product": "ä?#&"], "/v1/customers/a%20b%2Fc/access/%C3%A4%3F%23%26"),
        (["customer": "..", "product": "%2e"], "/v1/customers/../access/%252e"),
        (["product": "b"], "/v1/customers//access/b"),
    ])
    func `a parameter is percent-encoded as a single path component`(_ parameters: [String: String], _ path: String) {
        #expect(Self.endpoint.path(parameters) == path)
    }
}
