import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import MonkeyShopUI

/// A client of the page that behaves like a browser without scripts.
final class ShopClient: Sendable {
    private let client: any TestClientProtocol
    let cookie: String

    /// Opens the page as a new visitor, and waits until the app runs.
    init(_ client: any TestClientProtocol) async throws {
        self.client = client
        let response = try await client.execute(uri: "/start", method: .post)
        try #require(response.status == .seeOther)
        let cookie = try #require(response.headers[.setCookie]?.prefix { $0 != ";" })
        self.cookie = String(cookie)
        try await wait(for: "monkeyshop.credits5")
    }

    /// Continues the visit with a cookie.
    init(_ client: any TestClientProtocol, returningWith cookie: String, waitingFor text: String = "monkeyshop.credits5") async throws {
        (self.client, self.cookie) = (client, cookie)
        try await wait(for: text)
    }

    func page() async throws -> String {
        let response = try await client.execute(uri: "/", method: .get, headers: [.cookie: cookie])
        return String(buffer: response.body)
    }

    /// Submits a form, and returns the status of the response.
    @discardableResult
    func act(_ fields: [String: String], headers: HTTPFields = [:]) async throws -> HTTPResponse.Status {
        let body = fields.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }.joined(separator: "&")
        var headers = headers
        headers[.cookie] = cookie
        return try await client.execute(uri: "/act", method: .post, headers: headers, body: ByteBuffer(string: body)).status
    }

    /// Waits until the page contains a text, and returns the page.
    @discardableResult
    func wait(for text: String) async throws -> String {
        var page = ""
        try await eventually {
            page = try await self.page()
            return page.contains(text)
        }
        return page
    }

    /// Waits for the sheet with a title, and answers the sheet.
    func answer(_ title: String, _ fields: [String: String]) async throws {
        let page = try await wait(for: ">\(title)</h2>")
        let match = try #require(page.firstMatch(of: /name="sheet" value="(\d+)"/))
        try await act(["do": "answer", "sheet": String(match.1)].merging(fields) { $1 })
    }

    /// Signs in with the account that the sheet suggests.
    func signIn() async throws {
        let page = try await wait(for: "Sign in to the App Store")
        let account = try #require(page.firstMatch(of: /name="account" value="([^"]+)"/)).1
        try await answer("Sign in to the App Store", ["answer": "sign-in", "account": String(account), "password": "ladder"])
    }

    /// Buys the sepia filter on the screen Filters, and signs in.
    func buySepiaFilter() async throws {
        try await act(["do": "show", "screen": "filters"])
        try await act(["do": "buy", "product": "com.example.monkeyshop.filter.sepia"])
        try await answer("Buy Sepia filter?", ["answer": "agree"])
        try await signIn()
        try await wait(for: ">Owned<")
    }

    /// Runs the site while `body` runs.
    static func withSite<Result: Sendable>(
        _ site: ShopSite, _ body: @Sendable (any TestClientProtocol) async throws -> Result
    ) async throws -> Result {
        try await site.visitors.run {
            try await site.application(port: 0, logger: .silent) { _ in }.test(.live) { try await body($0) }
        }
    }
}
