import Crypto
import Foundation
import Hummingbird
import HummingbirdTesting
import PurchaseConsole
import PurchaseModel
import ServerProtocol
import Testing

@Suite struct ConsoleTests {
    private let noon = Timestamp(milliseconds: 1_738_324_800_123)  // 2025-01-31T12:00:00.123Z

    private func transaction(_ id: TransactionID, product: ProductID = "credits.5", owner: String = "jane") -> BackofficeTransaction {
        BackofficeTransaction(date: noon, id: id, productID: product, quantity: 4, owner: owner, state: "finished")
    }

    private func notification(_ uuid: String, kind: String = "DID_RENEW BILLING_RECOVERY") -> BackofficeNotification {
        BackofficeNotification(date: noon, uuid: uuid, kind: kind, state: "delivered")
    }

    private func response(of backoffice: any Backoffice, limit: Int = 50, store: String? = nil) async throws -> TestResponse {
        let router = Router()
        try Console(backoffice, limit: limit, store: store).addRoutes(to: router)
        return try await Application(router: router).test(.router) { client in
            try await client.execute(uri: "/console", method: .get)
        }
    }

    private func page(of backoffice: any Backoffice, limit: Int = 50) async throws -> String {
        let response = try await response(of: backoffice, limit: limit)
        #expect(response.status == .ok)
        return String(buffer: response.body)
    }

    @Test func `every transaction is a row with its time, product, quantity, owner, ID and state`() async throws {
        let page = try await page(of: SampleBackoffice(transactions: [transaction("2000000001"), transaction("2000000002")]))
        #expect(page.contains("<bdi title=\"2000000001\">2000000001</bdi>"))
        #expect(page.contains("<bdi title=\"2000000002\">2000000002</bdi>"))
        #expect(page.contains("<time datetime=\"2025-01-31T12:00:00Z\"><span class=\"date\">2025-01-31</span> 12:00:00</time>"))
        #expect(page.contains("<bdi title=\"credits.5\">credits.5</bdi>"))
        #expect(page.contains("data-label=\"Quantity\">4</td>"))
        #expect(page.contains("<bdi title=\"jane\">jane</bdi>"))
        #expect(page.contains("<bdi class=\"badge\" title=\"finished\">finished</bdi>"))
        #expect(page.contains("<strong>2</strong> Transactions"))
        #expect(page.contains("<strong>0</strong> Notifications"))
    }

    @Test func `the page of a server with a local store links to the store's page`() async throws {
        let page = String(buffer: try await response(of: SampleBackoffice(), store: "http://127.0.0.1:7701/console").body)
        #expect(page.contains(#"<a class="press" href="http://127.0.0.1:7701/console">Local App Store</a>"#))
        #expect(!(try await self.page(of: SampleBackoffice())).contains("Local App Store</a>"))
    }

    @Test func `every notification is a row with its time, kind, ID and state`() async throws {
        let page = try await page(of: SampleBackoffice(notifications: [notification("002e14d5-51f5-4503-b5a8-c3a1af68eb20")]))
        #expect(page.contains("<time datetime=\"2025-01-31T12:00:00Z\">"))
        #expect(page.contains("<bdi title=\"DID_RENEW BILLING_RECOVERY\">DID_RENEW BILLING_RECOVERY</bdi>"))
        #expect(page.contains("<bdi title=\"002e14d5-51f5-4503-b5a8-c3a1af68eb20\">002e14d5-51f5-4503-b5a8-c3a1af68eb20</bdi>"))
        #expect(page.contains("<bdi class=\"badge\" title=\"delivered\">delivered</bdi>"))
        #expect(page.contains("<strong>1</strong> Notifications"))
    }

    @Test func `rows stay in the order of the backoffice`() async throws {
        let page = try await page(of: SampleBackoffice(transactions: [transaction("20"), transaction("10"), transaction("30")]))
        let ids = page.matches(of: /data-label="Transaction"><bdi title="(\d+)">/).map { String($0.1) }
        #expect(ids == ["20", "10", "30"])
    }

    @Test(
        arguments: [
            "<script>alert(1)</script>",
            "\u{600}<script>alert(1)</script>",
            "\"\u{301} onfocus=alert(1) x=\"\u{301}",
            "'\u{301}><img src=x>\u{301}",
            "&lt;b>",
            "{{title}}<i>",
        ]
    )
    func `text from the backoffice is never markup, even with combining scalars`(_ hostile: String) async throws {
        let harmless = try await page(
            of: SampleBackoffice(
                title: "x",
                transactions: [
                    BackofficeTransaction(date: noon, id: "x", productID: "x", quantity: 4, owner: "x", state: "x")
                ],
                notifications: [BackofficeNotification(date: noon, uuid: "x", kind: "x", state: "x")]
            )
        )
        let page = try await page(
            of: SampleBackoffice(
                title: hostile,
                transactions: [
                    BackofficeTransaction(
                        date: noon, id: TransactionID(hostile), productID: ProductID(hostile), quantity: 4, owner: hostile, state: hostile)
                ],
                notifications: [BackofficeNotification(date: noon, uuid: hostile, kind: hostile, state: hostile)]
            )
        )
        for mark in "<>\"'".unicodeScalars {
            #expect(page.unicodeScalars.count { $0 == mark } == harmless.unicodeScalars.count { $0 == mark })
        }
        #expect(page.unicodeScalars.count { $0 == "&" } > harmless.unicodeScalars.count { $0 == "&" })
    }

    @Test func `a product ID with markup is shown as text`() async throws {
        let page = try await page(of: SampleBackoffice(transactions: [transaction("1", product: "<script>")]))
        #expect(page.contains("<bdi title=\"&lt;script&gt;\">&lt;script&gt;</bdi>"))
        #expect(!page.contains("<script"))
    }

    @Test func `an empty backoffice is shown as a sentence with a hint, without a table`() async throws {
        let page = try await page(of: SampleBackoffice())
        #expect(page.contains("No transactions yet."))
        #expect(page.contains("Buy a product in an app"))
        #expect(page.contains("No notifications yet."))
        #expect(page.contains("refund a transaction"))
        #expect(!page.contains("<table"))
    }

    @Test func `a list with rows has no text for an empty list`() async throws {
        let page = try await page(of: SampleBackoffice(transactions: [transaction("1")], notifications: [notification("2")]))
        #expect(!page.contains("No transactions yet."))
        #expect(!page.contains("No notifications yet."))
    }

    @Test func `the page requests no more rows than it shows`() async throws {
        let backoffice = SampleBackoffice()
        _ = try await page(of: backoffice, limit: 7)
        #expect(backoffice.requests == ["transactions 7", "notifications 7"])
    }

    @Test func `a full table states that older rows are not shown, and a shorter table that it is complete`() async throws {
        let backoffice = SampleBackoffice(transactions: [transaction("1"), transaction("2")], notifications: [notification("3")])
        let page = try await page(of: backoffice, limit: 2)
        #expect(page.contains("The newest 2 transactions; older transactions are not shown."))
        #expect(page.contains("All notifications, newest first."))
    }

    @Test(arguments: [true, false])
    func `a failing backoffice yields status 503 with a sentence and without the error`(_ failsAtTransactions: Bool) async throws {
        let response = try await response(of: FailingBackoffice(failsAtTransactions: failsAtTransactions))
        let page = String(buffer: response.body)
        #expect(response.status == .serviceUnavailable)
        #expect(page.contains("The data is temporarily unavailable"))
        #expect(page.contains("<title>Not available · Local App Store</title>"))
        for secret in ["disk", "hunter2", "/var/lib", "Failure"] {
            #expect(!page.contains(secret))
        }
    }

    @Test(arguments: [SampleBackoffice(), FailingBackoffice()] as [any Backoffice])
    func `every page forbids scripts, sniffing, frames, referrers and caching`(_ backoffice: any Backoffice) async throws {
        let headers = try await response(of: backoffice).headers
        let policy = try #require(headers[.contentSecurityPolicy])
        #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
        #expect(!policy.contains("unsafe"))
        for directive in ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"] {
            #expect(policy.contains(directive))
        }
        #expect(headers[.contentType] == "text/html; charset=utf-8")
        #expect(headers[.cacheControl] == "no-store")
        #expect(headers[.xContentTypeOptions] == "nosniff")
        #expect(headers[try #require(HTTPFields.Element.Name("Referrer-Policy"))] == "no-referrer")
    }

    @Test func `the style of a page matches the hash in its policy`() async throws {
        let response = try await response(of: SampleBackoffice())
        let page = String(buffer: response.body)
        let style = try #require(page.firstMatch(of: /(?s)<style>(.*)<\/style>/)).1
        let digest = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
        #expect(try #require(response.headers[.contentSecurityPolicy]).contains("style-src 'sha256-\(digest)'"))
        #expect(style.contains("prefers-color-scheme: dark"))
    }

    @Test func `a page has a language, a title, a skip link to its main landmark, captions and scoped headers`() async throws {
        let page = try await page(of: SampleBackoffice(transactions: [transaction("1")], notifications: [notification("2")]))
        #expect(page.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
        #expect(page.contains("<title>Overview · Local App Store</title>"))
        #expect(page.contains("<a class=\"skip\" href=\"#main\">"))
        #expect(page.contains("<main id=\"main\" tabindex=\"-1\">"))
        #expect(page.matches(of: /<table/).count == 2)
        #expect(page.matches(of: /<caption>/).count == 2)
        #expect(page.matches(of: /<th scope="col"/).count == 10)
        #expect(page.matches(of: /<th class="id" scope="row"/).count == 2)
        #expect(!page.contains("{{"))
    }

    @Test(arguments: [Int64.min, -1, 0, .max])
    func `a transaction with an extreme date is a row`(_ milliseconds: Int64) async throws {
        var row = transaction("2000000001")
        row.date = Timestamp(milliseconds: milliseconds)
        let page = try await page(of: SampleBackoffice(transactions: [row]))
        #expect(page.contains("2000000001"))
    }
}
