import Crypto
import Foundation
import FoundationExtras
import HTTPTypes
import HummingbirdTesting
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing

@testable import PurchaseServer

@Suite struct ContentDownloadTests {
    private func withToken(_ body: @Sendable @escaping (Shop, DownloadToken) async throws -> Void) async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.bookSale)
            try await body(shop, try await shop.downloadToken().value())
        }
    }

    @Test func `a download token gives the file with its length and hash`() async throws {
        try await withToken { shop, token async throws in
            let answer = try await shop.content(token.token)
            #expect(answer.status == .ok)
            #expect(answer.body == Shop.bookText)
            #expect(answer.headers[.contentLength] == "\(token.length)")
            #expect(answer.headers[.acceptRanges] == "bytes")
            #expect(answer.headers[.eTag] == "\"\(token.sha256)\"")
            #expect(token.sha256 == Hexadecimal.encode(SHA256.hash(data: answer.body)))
        }
    }

    @Test func `HEAD has the headers of GET without the file`() async throws {
        try await withToken { shop, token async throws in
            let whole = try await shop.content(token.token)
            for headers: HTTPFields in [[:], [.range: "bytes=5-"], [.range: "bytes=150000-"]] {
                let headResponse = try await shop.content(token.token, headers, method: .head)
                #expect(headResponse.status == .ok && headResponse.body.isEmpty)
                #expect(headResponse.headers[.contentLength] == "150000")
                for name in [HTTPField.Name.eTag, .acceptRanges, .contentType] {
                    #expect(headResponse.headers[name] == whole.headers[name])
                }
            }
            #expect(try await shop.content("none", method: .head).status == (try await shop.content("none").status))
        }
    }

    @Test func `an interrupted download is resumed and equals the file`() async throws {
        try await withToken { shop, token async throws in
            var bytes = try await shop.content(token.token, [.range: "bytes=0-70000"]).body
            #expect(bytes.count == 70_001)
            let rest = try await shop.content(token.token, [.range: "bytes=\(bytes.count)-", .ifRange: "\"\(token.sha256)\""])
            #expect(rest.status == .partialContent)
            #expect(rest.headers[.contentRange] == "bytes 70001-149999/150000")
            bytes += rest.body
            #expect(bytes == Shop.bookText)
        }
    }

    @Test func `a suffix range gives the last bytes`() async throws {
        try await withToken { shop, token async throws in
            let answer = try await shop.content(token.token, [.range: "bytes=-500"])
            #expect(answer.body == Shop.bookText.suffix(500))
            #expect(answer.headers[.contentRange] == "bytes 149500-149999/150000")
        }
    }

    @Test(arguments: ["\"other\"", "W/\"other\"", "Wed, 21 Oct 2015 07:28:00 GMT"])
    func `a range of another version gives the whole current file`(_ tag: String) async throws {
        try await withToken { shop, token async throws in
            let answer = try await shop.content(token.token, [.range: "bytes=5-", .ifRange: tag])
            #expect(answer.status == .ok)
            #expect(answer.body == Shop.bookText)
        }
    }

    @Test func `a weak entity tag gives the whole file`() async throws {
        try await withToken { shop, token async throws in
            let answer = try await shop.content(token.token, [.range: "bytes=5-", .ifRange: "W/\"\(token.sha256)\""])
            #expect(answer.status == .ok)
        }
    }

    @Test func `a changed file has another entity tag and is sent whole`() async throws {
        try await withToken { shop, token async throws in
            // The new file has the same length, so that only the date and the bytes differ.
            let edition = Data(Shop.bookText.reversed())
            let path = shop.folder.file("book.txt")
            try edition.write(to: path)
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: path.path())
            let answer = try await shop.content(token.token, [.range: "bytes=5-", .ifRange: "\"\(token.sha256)\""])
            #expect(answer.status == .ok)
            #expect(answer.body == edition)
            #expect(answer.headers[.eTag] != "\"\(token.sha256)\"")
        }
    }

    @Test func `a range beyond the end is refused with the length`() async throws {
        try await withToken { shop, token async throws in
            let answer = try await shop.content(token.token, [.range: "bytes=150000-"])
            #expect(answer.status == .rangeNotSatisfiable)
            #expect(answer.headers[.contentRange] == "bytes */150000")
            #expect(answer.code == "content.range")
        }
    }

    @Test(arguments: ["bytes=0-9,20-29", "bytes=0-0,5-6", "bytes=0-0,-1", "bytes=0-9,0-9,0-9"])
    func `several ranges in one request are refused`(_ range: String) async throws {
        try await withToken { shop, token async throws in
            let answer = try await shop.content(token.token, [.range: range])
            #expect(answer.status == .rangeNotSatisfiable && answer.code == "content.several-ranges")
            #expect(answer.headers[.contentRange] == "bytes */150000")
            // HEAD ignores ranges, and a range of another version is ignored.
            #expect(try await shop.content(token.token, [.range: range], method: .head).status == .ok)
            #expect(try await shop.content(token.token, [.range: range, .ifRange: "\"other\""]).body == Shop.bookText)
        }
    }

    @Test(arguments: [
        "bytes=-1-2", "bytes=5-2", "bytes=--5", "bytes=1e3-", "bytes= 0-5", "bytes=", "bytes", "octets=0-5", "bytes=0-5;", "0-5",
    ])
    func `an invalid range is ignored`(_ range: String) async throws {
        try await withToken { shop, token async throws in
            let answer = try await shop.content(token.token, [.range: range])
            #expect(answer.status == .ok && answer.body == Shop.bookText)
        }
    }

    @Test(
        arguments: [
            ("bytes=0-99999999999999999999", 0..<150_000), ("bytes=-99999999999999999999", 0..<150_000),
            ("bytes=149999-", 149_999..<150_000),
            ("bytes=9223372036854775807-", nil), ("bytes=99999999999999999999-", nil), ("bytes=-0", nil),
        ] as [(String, Range<Int>?)])
    func `numbers of any size in a range are compared with the length`(_ header: String, _ range: Range<Int>?) async throws {
        try await withToken { shop, token async throws in
            let answer = try await shop.content(token.token, [.range: header])
            guard let range else { return #expect(answer.code == "content.range") }
            #expect(answer.status == .partialContent && answer.body == Shop.bookText[range])
        }
    }

    @Test func `a client that has the file receives status 304`() async throws {
        try await withToken { shop, token async throws in
            let tag = "\"\(token.sha256)\""
            for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                let answer = try await shop.content(token.token, [.ifNoneMatch: known, .range: "bytes=0-5"])
                #expect(answer.status == .notModified && answer.body.isEmpty)
                #expect(answer.headers[.eTag] == tag)
            }
            #expect(try await shop.content(token.token, [.ifNoneMatch: "\"other\""]).status == .ok)
        }
    }

    @Test func `a response has the digest of the whole file, its media type and its name`() async throws {
        try await withToken { shop, token async throws in
            let digest = Data(SHA256.hash(data: Shop.bookText)).base64EncodedString()
            for (headers, method) in [([:], .get), ([.range: "bytes=5-9"], .get), ([:], .head)] as [(HTTPFields, HTTPRequest.Method)] {
                let answer = try await shop.content(token.token, headers, method: method)
                #expect(answer.headers[HTTPField.Name.reprDigest] == "sha-256=:\(digest):")
                #expect(answer.headers[.contentType] == "text/plain")
                #expect(answer.headers[.contentDisposition] == "attachment; filename=\"book.txt\"")
                #expect(answer.headers[.xContentTypeOptions] == "nosniff")
                #expect(answer.headers[.cacheControl] == "private, no-store")
            }
        }
    }

    @Test func `an empty file is delivered`() async throws {
        try await withToken { shop, token async throws in
            try Data().write(to: shop.folder.file("book.txt"))
            #expect(try await shop.content(token.token).status == .ok)
            #expect(try await shop.content(token.token, [.range: "bytes=0-"]).status == .rangeNotSatisfiable)
        }
    }

    @Test(arguments: [Ownership.purchased, .familyShared])
    func `a refund ends a running download, also of a family member`(_ ownership: Ownership) async throws {
        try await Shop.open { shop async throws in
            let sale = TransactionPayload.bookSale.with { $0.inAppOwnershipType = ownership.rawValue }
            try await shop.record(sale)
            try await shop.publish(Data(count: 40 << 20))
            let token: DownloadToken = try await shop.downloadToken().value()
            let port = try #require(shop.client.port)
            let request = "GET /v1/content/\(ProductID.book) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token.token)\r\n\r\n"
            let received = try await RawClient.receive(request, from: port) { count in
                guard count < 1 << 20 else { return }
                // The rest of the content does not fit into the buffers of the connection.
                _ = try await shop.notify(.about(sale.refunded(), type: ownership == .purchased ? "REFUND" : "REVOKE"))
                shop.clock.advance(seconds: 5)
            }
            #expect(received > 1 << 20 && received < 40 << 20)
        }
    }

    @Test func `a refund revokes a download token immediately, even during a download`() async throws {
        try await withToken { shop, token async throws in
            #expect(try await shop.content(token.token, [.range: "bytes=0-70000"]).status == .partialContent)
            #expect(try await shop.notify(.about(.bookSale.refunded(), type: "REFUND")).status == .ok)
            let answer = try await shop.content(token.token, [.range: "bytes=70001-"])
            #expect(answer.status == .forbidden)
            #expect(answer.code == "content.refunded")
        }
    }

    @Test func `a download token expires after 15 minutes`() async throws {
        try await withToken { shop, token async throws in
            shop.clock.advance(seconds: 899)
            #expect(try await shop.content(token.token).status == .ok)
            shop.clock.advance(seconds: 1)
            #expect(try await shop.content(token.token).code == "download-token.expired")
        }
    }

    @Test func `a download without a token, with an invalid token or with another product's token is refused`() async throws {
        try await withToken { shop, token async throws in
            #expect(try await shop.content("e30.AAAA").code == "download-token.refused")
            #expect(try await shop.content(token.token, of: .magazine).code == "download-token.refused")
            #expect(try await shop.get("/v1/content/\(ProductID.book)").code == "download-token.missing")
            #expect(try await shop.get("/v1/content/\(ProductID.book)?ticket=\(token.token)").code == "download-token.missing")
        }
    }

    @Test(arguments: ["..", "%2e%2e", "..%2fbook.txt", "%2fetc%2fpasswd", "book.txt", "."])
    func `a path outside the list of products is not found`(_ product: String) async throws {
        try await withToken { shop, token async throws in
            let answer = try await shop.get("/v1/content/\(product)", [.authorization: "Bearer \(token.token)"])
            #expect(answer.status == .notFound)
        }
    }

    @Test func `a product identifier with a control character is refused`() async throws {
        try await withToken { shop, token async throws in
            let answer = try await shop.get("/v1/content/%00", [.authorization: "Bearer \(token.token)"])
            #expect(answer.status == .badRequest)
            #expect(answer.code == "identifier.malformed")
        }
    }

    @Test func `a product without a file has no download token`() async throws {
        try await Shop.open { shop async throws in
            for product in [ProductID.credits5, "unheard.of", "../book.txt", "..%2f", "book.txt"] {
                let answer = try await shop.downloadToken(product)
                #expect(answer.status == .notFound)
                #expect(answer.code == "content.none")
            }
        }
    }

    @Test func `a missing file is an error of the server`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.bookSale.with { $0.productId = "lost" })
            let answer = try await shop.downloadToken("lost")
            #expect(answer.status == .serviceUnavailable)
            #expect(answer.code == "content.missing")
        }
    }

    @Test func `only the customer of a purchase receives a download token`() async throws {
        try await Shop.open { shop async throws in
            #expect(try await shop.downloadToken().code == "content.not-bought")
            try await shop.record(.bookSale)
            #expect(try await shop.downloadToken().status == .ok)
            let other: CustomerCredentials = try await shop.call(
                ServerEndpoints.createCustomer, CreateCustomerRequest(), by: .app(nil)
            ).value()
            #expect(try await shop.downloadToken(by: .app(other.token)).code == "content.not-bought")
            // A publishable key alone proves nothing.
            #expect(try await shop.downloadToken(by: .app(nil)).code == "customer-token.missing")
        }
    }

    @Test func `a purchase that moves to another customer ends the download tokens of the first`() async throws {
        try await Shop.open { shop async throws in
            let device = UUID()
            try await shop.record(.bookSale)
            let token: DownloadToken = try await shop.downloadToken().value()
            let other: CustomerCredentials = try await shop.call(
                ServerEndpoints.createCustomer, CreateCustomerRequest(), by: .app(nil)
            ).value()
            let result = try await shop.record(.bookSale.bound(to: device), device: device, by: .app(other.token))
            #expect(result.purchases.first?.previousCustomer == Shop.customer)
            #expect(try await shop.content(token.token).code == "content.not-bought")
            #expect(try await shop.downloadToken(by: .app(other.token)).status == .ok)
        }
    }

    @Test func `a subscription's content ends with the subscription and continues in the grace period`() async throws {
        try await Shop.open { shop async throws in
            let end = Timestamp.testStart.adding(days: 30)
            let period = TransactionPayload.sale(.magazine, .autoRenewable, id: "3000", expires: end)
            try await shop.record(period)
            #expect(try await shop.downloadToken(.magazine).status == .ok)
            shop.clock.set(end)
            #expect(try await shop.downloadToken(.magazine).code == "content.ended")
            var renewal = RenewalInfoPayload.sample(original: "3000", date: end)
            renewal.isInBillingRetryPeriod = true
            renewal.gracePeriodExpiresDate = end.adding(days: 16)
            _ = try await shop.notify(.about(period, renewal, type: "DID_FAIL_TO_RENEW"))
            #expect(try await shop.downloadToken(.magazine).status == .ok)
        }
    }
}
