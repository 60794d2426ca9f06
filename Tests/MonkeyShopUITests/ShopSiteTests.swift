import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PurchaseModel
import PurchaseServer
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import MonkeyShopUI

struct ShopSiteTests {
    private func with(_ limits: ShopLimits = ShopLimits(), _ body: @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        try await ShopClient.withSite(try ShopSite(folder: folder.file("visitors").path, limits: limits, logger: .silent), body)
    }

    private static let credits = ["do": "buy", "product": "com.example.monkeyshop.credits5", "quantity": "3"]

    @Test func `a purchase is confirmed, signed in, delivered and spent`() async throws {
        try await with { client in
            let shop = try await ShopClient(client)
            try await shop.act(Self.credits)
            let page = try await shop.wait(for: "Buy 5 credits?")
            #expect(page.contains("$0.99") && page.contains("$2.97"))
            try await shop.answer("Buy 5 credits?", ["answer": "agree"])
            try await shop.signIn()
            try await shop.wait(for: #"id="balance">15<"#)
            try await shop.act(["do": "spend"])
            try await shop.wait(for: #"id="balance">14<"#)
        }
    }

    @Test func `a canceled purchase says nothing`() async throws {
        try await with { client in
            let shop = try await ShopClient(client)
            try await shop.act(Self.credits)
            try await shop.answer("Buy 5 credits?", ["answer": "cancel"])
            let page = try await shop.wait(for: "$0.99</button>")
            #expect(!page.contains(#"class="notice""#) && page.contains(#"id="balance">0<"#))
        }
    }

    @Test func `visitors have phones and stores of their own, and an unknown visitor begins anew`() async throws {
        try await with { client in
            let (jane, other) = (try await ShopClient(client), try await ShopClient(client))
            #expect(jane.cookie != other.cookie)
            try await jane.act(Self.credits)
            try await jane.answer("Buy 5 credits?", ["answer": "agree"])
            try await jane.signIn()
            try await jane.wait(for: #"id="balance">15<"#)
            let page = try await other.page()
            #expect(page.contains(#"id="balance">0<"#) && !page.contains("role=\"dialog\""))
            let stranger = try await client.execute(uri: "/start", method: .post, headers: [.cookie: "shop=0-0"])
            #expect(stranger.headers[.setCookie] != nil)
            #expect(stranger.headers[.setCookie]?.contains("HttpOnly") == true)
            #expect(stranger.headers[.setCookie]?.contains("SameSite=Strict") == true)
        }
    }

    @Test func `a visitor beyond the limit is asked to come back`() async throws {
        var limits = ShopLimits()
        limits.visitors = 1
        try await with(limits) { client in
            let first = try await ShopClient(client)
            let response = try await client.execute(uri: "/start", method: .post)
            #expect(response.status == .serviceUnavailable)
            #expect(String(buffer: response.body).contains("All phones are in use."))
            #expect(try await first.page().contains("Credits"))
        }
    }

    @Test func `a page that is only read starts no store`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("visitors").path
        try await ShopClient.withSite(try ShopSite(folder: path, logger: .silent)) { client in
            let response = try await client.execute(uri: "/", method: .get)
            #expect(response.status == .ok && response.headers[.setCookie] == nil)
            let foreign = try await client.execute(uri: "/start", method: .post, headers: [.origin: "https://example.com"])
            #expect(foreign.status == .forbidden)
            #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
        }
    }

    @Test func `too many actions at once are refused, and later ones are not`() async throws {
        let folder = try TemporaryFolder()
        let wallClock = ManualClock()
        var limits = ShopLimits()
        limits.rate = RequestRate(perSecond: 1, burst: 3)
        let visitors = Visitors(folder: folder.file("visitors").path, limits: limits, wallClock: wallClock, logger: .silent)
        try await ShopClient.withSite(try ShopSite(visitors)) { client in
            let (jane, other) = (try await ShopClient(client), try await ShopClient(client))
            for _ in 1...3 { #expect(try await jane.act(["do": "dismiss"]) == .seeOther) }
            #expect(try await jane.act(["do": "dismiss"]) == .tooManyRequests)
            #expect(try await other.act(["do": "dismiss"]) == .seeOther)
            wallClock.advance(seconds: 1)
            #expect(try await jane.act(["do": "dismiss"]) == .seeOther)
        }
    }

    @Test func `a public site accepts its host name, and its cookie is sent with TLS only`() async throws {
        let folder = try TemporaryFolder()
        let site = try ShopSite(folder: folder.file("visitors").path, publicHost: "shop.example.com", logger: .silent)
        let expected: [(host: String, origin: String, status: Int)] = [
            ("shop.example.com", "https://shop.example.com", 303), ("shop.example.com", "https://example.com", 403),
            ("other.example.com", "https://other.example.com", 403),
        ]
        try await ShopClient.withSite(site) { client in
            let port = try #require(client.port)
            for (host, origin, status) in expected {
                let request = "POST /start HTTP/1.1\r\nHost: \(host)\r\nOrigin: \(origin)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                let response = try await RawClient.send(request, to: port)
                #expect(response.hasPrefix("HTTP/1.1 \(status) "), "\(host) from \(origin): \(response)")
                if status == 303 { #expect(response.contains("Secure")) }
            }
        }
    }

    @Test func `one address behind the proxy does not hold the slots of all visitors`() async throws {
        let folder = try TemporaryFolder()
        var limits = ShopLimits()
        (limits.visitors, limits.visitorsPerAddress) = (3, 1)
        let site = try ShopSite(
            folder: folder.file("visitors").path, publicHost: "shop.example.com", limits: limits, logger: .silent)
        try await ShopClient.withSite(site) { client in
            let port = try #require(client.port)
            func start(_ forwarded: String?) async throws -> (status: Substring, token: Substring?) {
                let address = forwarded.map { "X-Forwarded-For: \($0)\r\n" } ?? ""
                let head = "POST /start HTTP/1.1\r\nHost: shop.example.com\r\nOrigin: https://shop.example.com\r\nContent-Length: 0\r\n"
                let response = try await RawClient.send("\(head)\(address)Connection: close\r\n\r\n", to: port)
                return (response.dropFirst(9).prefix(3), response.split(separator: "shop=").dropFirst().first?.prefix { $0 != ";" })
            }
            // A client can send a false header; the proxy appends the real address of the client.
            let first = try await start("198.51.100.1, 192.0.2.1")
            #expect(first.status == "303")
            #expect(try await start("198.51.100.2, 192.0.2.1").status == "503")
            #expect(try await start("2001:db8:0:1::1").status == "303")
            #expect(try await start("2001:db8:0:1:ffff::2").status == "503")
            #expect(try await start(nil).status == "303")
            #expect(try await start("nobody").status == "503")
            #expect(try await start("203.0.113.7").status == "503")
            await site.visitors.end(String(try #require(first.token)))
            try await eventually { try await start("198.51.100.3, 192.0.2.1").status == "303" }
        }
    }

    @Test func `the first language of the browser is the page's`() async throws {
        try await with { client in
            for (accepted, text) in [
                ("de-AT,en;q=0.8", "Telefon einschalten"), ("fr, en-US", "Switch the phone on"), ("", "Switch the phone on"),
            ] {
                let response = try await client.execute(uri: "/", method: .get, headers: [.acceptLanguage: accepted])
                #expect(String(buffer: response.body).contains(text), "\(accepted)")
            }
        }
    }

    @Test func `another language changes the storefront, also of a phone that is signed in`() async throws {
        try await with { client in
            let shop = try await ShopClient(client)
            try await shop.buySepiaFilter()
            try await shop.act(["do": "language", "language": "de"])
            try await shop.wait(for: "Mondlicht-Filter")
            try await shop.wait(for: "€")
            #expect(try await shop.page().contains("Gekauft"))
        }
    }

    @Test func `an idle visitor is forgotten, and the files are deleted`() async throws {
        let folder = try TemporaryFolder()
        let (clock, wallClock) = (TestClock(), ManualClock())
        let path = folder.file("visitors").path
        let visitors = Visitors(folder: path, limits: ShopLimits(), clock: clock, wallClock: wallClock, logger: .silent)
        try await ShopClient.withSite(try ShopSite(visitors)) { client in
            let shop = try await ShopClient(client)
            #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 1)
            wallClock.advance(seconds: 1_801)
            await clock.endSleeps()
            try await eventually { try FileManager.default.contentsOfDirectory(atPath: path).isEmpty }
            let response = try await client.execute(uri: "/", method: .get, headers: [.cookie: shop.cookie])
            #expect(String(buffer: response.body).contains(#"action="start""#))
        }
    }

    @Test func `a visitor returns to the next process, with phones and purchases`() async throws {
        let folder = try TemporaryFolder()
        func site() throws -> ShopSite { try ShopSite(folder: folder.file("visitors").path, logger: .silent) }
        let cookie = try await ShopClient.withSite(try site()) { client in
            let shop = try await ShopClient(client)
            try await shop.buySepiaFilter()
            try await shop.act(["do": "add-child"])
            try await shop.wait(for: #"aria-label="Sam’s phone""#)
            return shop.cookie
        }
        try await ShopClient.withSite(try site()) { client in
            let shop = try await ShopClient(client, returningWith: cookie)
            // Both requests wait until the visitor's store, which is started once, is ready.
            async let page = shop.page()
            #expect(try await shop.page().contains("Sam’s phone"))
            #expect(try await page.contains("Sam’s phone"))
            try await shop.act(["do": "phone", "phone": "0"])
            try await shop.act(["do": "show", "screen": "filters"])
            try await shop.wait(for: ">Owned<")
            for stranger in ["shop=../visitors", "shop=.", "shop=", "shop=\(cookie.dropFirst(5).uppercased())-"] {
                let response = try await client.execute(uri: "/", method: .get, headers: [.cookie: stranger])
                #expect(String(buffer: response.body).contains(#"action="start""#), "\(stranger)")
            }
        }
    }

    @Test func `a visitor who returns too late is forgotten`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("visitors").path
        let cookie = try await ShopClient.withSite(try ShopSite(folder: path, logger: .silent)) { try await ShopClient($0).cookie }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 1)
        let wallClock = ManualClock(Timestamp(Date()).adding(seconds: 1_900))
        let visitors = Visitors(folder: path, limits: ShopLimits(), wallClock: wallClock, logger: .silent)
        try await ShopClient.withSite(try ShopSite(visitors)) { client in
            try await eventually { try FileManager.default.contentsOfDirectory(atPath: path).isEmpty }
            let response = try await client.execute(uri: "/", method: .get, headers: [.cookie: cookie])
            #expect(String(buffer: response.body).contains(#"action="start""#))
        }
    }

    @Test func `a killed app keeps what was delivered, and an erased phone restores what is chosen`() async throws {
        try await with { client in
            let shop = try await ShopClient(client)
            try await shop.buySepiaFilter()
            try await shop.act(["do": "kill"])
            try await shop.wait(for: "The app is closed.")
            try await shop.act(["do": "open"])
            try await shop.wait(for: ">Owned<")
            try await shop.act(["do": "erase"])
            try await shop.wait(for: "$1.99</button>")
            try await shop.act(["do": "show", "screen": "settings"])
            try await shop.act(["do": "restore"])
            try await shop.signIn()
            try await shop.answer("What do you want to restore?", ["answer": "products", "com.example.monkeyshop.filter.sepia": "1"])
            try await shop.wait(for: "Restored one purchase.")
        }
    }

    @Test func `a child asks, and a parent approves`() async throws {
        try await with { client in
            let shop = try await ShopClient(client)
            try await shop.act(["do": "add-child"])
            try await shop.wait(for: #"aria-label="Sam’s phone""#)
            try await shop.wait(for: "monkeyshop.credits5")
            try await shop.act(Self.credits)
            // Before the sign-in, the store does not know that the account has Ask to Buy.
            try await shop.answer("Buy 5 credits?", ["answer": "agree"])
            try await shop.signIn()
            try await shop.answer("Ask your parent to buy 5 credits?", ["answer": "agree"])
            let page = try await shop.wait(for: "The parent’s phone")
            #expect(page.contains("Sam wants 3 × 5 credits"))
            let payment = try #require(page.firstMatch(of: /name="payment" value="([^"]+)"/)).1
            try await shop.act(["do": "decide", "payment": String(payment), "approve": "1"])
            try await shop.wait(for: #"id="balance">15<"#)
        }
    }

    @Test func `what a person types does not become markup`() async throws {
        try await with { client in
            let shop = try await ShopClient(client)
            try await shop.act(["do": "redeem"])
            try await shop.answer("Redeem an offer code", ["answer": "text", "text": "<b>1</b>"])
            try await shop.signIn()
            let page = try await shop.wait(for: "&lt;b&gt;1&lt;/b&gt;")
            #expect(!page.contains("<b>1</b>"))
        }
    }

    @Test func `a link with something else than a visit begins an empty visit`() async throws {
        try await with { client in
            let page = try await client.execute(uri: "/?play=%22%3E%3Cb%3E", method: .get)
            #expect(!String(buffer: page.body).contains("<b>") && String(buffer: page.body).contains(#"action="start""#))
            let fields = ByteBuffer(string: "play=" + String(repeating: "A", count: 9_000))
            let response = try await client.execute(uri: "/start", method: .post, body: fields)
            let cookie = try #require(response.headers[.setCookie]?.prefix { $0 != ";" })
            let shop = try await ShopClient(client, returningWith: String(cookie))
            try await shop.wait(for: #"id="balance">0<"#)
        }
    }

    @Test func `phones beyond the limit are not added, and the visit can end`() async throws {
        try await with { client in
            let shop = try await ShopClient(client)
            for _ in 1...6 { try await shop.act(["do": "add-phone"]) }
            try await shop.wait(for: "Jane’s phone 4")
            for action in ["back-up", "edit-vault", "erase", "open", "kill", "open"] { try await shop.act(["do": action]) }
            try await shop.wait(for: "Jane’s phone 4")
            #expect(try await !shop.page().contains("Jane’s phone 5"))
        }
    }

    @Test func `a script goes on after an action that has no effect`() async throws {
        try await with { client in
            let script = VisitScript([["do": "open"], ["do": "restore-backup"], ["do": "refund"], ["do": "show", "screen": "books"]])
            let body = ByteBuffer(string: "play=\(try #require(script.text))")
            let response = try await client.execute(uri: "/start", method: .post, body: body)
            let cookie = try #require(response.headers[.setCookie]?.prefix { $0 != ";" })
            let shop = try await ShopClient(client, returningWith: String(cookie), waitingFor: "monkeyshop.book")
            try await eventually { try await !shop.page().contains(#"class="progress""#) }
        }
    }

    @Test func `the next stop of the tour does not end the actions of the stop before`() async throws {
        try await with { client in
            let shop = try await ShopClient(client)
            // This stop of the tour switches the network off, kills and opens the app, and switches the network on.
            try await shop.act(["do": "tour", "stop": "3"])
            try await shop.act(["do": "show-stop"])
            try await shop.wait(for: "No network")
            try await shop.act(["do": "tour", "stop": "4"])
            // The tour plays one script at a time, so this request has no effect.
            try await shop.act(["do": "show-stop"])
            try await shop.wait(for: "Stop 5 of 10")
            try await eventually {
                let page = try await shop.page()
                return page.contains("<span>Online</span>") && !page.contains(#"value="show-stop" disabled"#)
            }
            #expect(try await !shop.page().contains("Buy Sepia filter?"))
            try await shop.act(["do": "show-stop"])
            try await shop.wait(for: ">Owned<")
            try await shop.wait(for: #"<button class="primary" name="stop" value="5">"#)
        }
    }

    @Test func `what a visitor sends is kept up to a limit`() async throws {
        try await with { client in
            let shop = try await ShopClient(client)
            #expect(try await shop.page().contains("Link to this state"))
            try await shop.act(["do": "dismiss", "note": String(repeating: "a", count: 10_000)])
            try await shop.wait(for: "There is no link after a restart")
        }
    }

    @Test func `pages of other origins, invalid forms and large forms are refused`() async throws {
        try await with { client in
            let shop = try await ShopClient(client)
            let foreign: HTTPFields = [.origin: "https://example.com"]
            #expect(try await shop.act(["do": "spend"], headers: foreign) == .forbidden)
            for fields in [
                [:], ["do": "fly"], ["do": "buy"], ["do": "advance", "days": "99999999999999999999"], ["do": "advance", "days": "-1"],
                ["do": "answer", "sheet": "x"],
            ] {
                #expect(try await shop.act(fields) == .badRequest, "\(fields)")
            }
            #expect(try await shop.act(["do": String(repeating: "a", count: 20_000)]) == .contentTooLarge)
            #expect(try await shop.act(["do": "buy", "product": "x", "quantity": "99999"]) == .seeOther)
            #expect(try await shop.page().contains("Credits"))
        }
    }

    @Test func `the page has a strict policy, and its files do, too`() async throws {
        try await with { client in
            for path in ["/", "/start.js", "/shop.css", "/shop.js", "/jungle.svg"] {
                let response = try await client.execute(uri: path, method: .get)
                #expect(response.status == .ok)
                let policy = try #require(response.headers[.contentSecurityPolicy])
                #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
                #expect(response.headers[.xContentTypeOptions] == "nosniff")
            }
            #expect(try await client.execute(uri: "/store.sqlite", method: .get).status == .notFound)
            #expect(try await client.execute(uri: "/events", method: .get).status == .notFound)
        }
    }
}
