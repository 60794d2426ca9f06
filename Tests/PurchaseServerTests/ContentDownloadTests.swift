import Crypto
import Foundation
import HTTPTypes
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import Testing

@testable import PurchaseServer

@Suite struct ContentDownloadTests {
    private func withTicket(_ body: @Sendable @escaping (Shop, ContentTicket) async throws -> Void) async throws {
        try await Shop.open { shop async throws in
            try await body(shop, try await shop.ticket().value())
        }
    }

    @Test func `a ticket gives the file, with its length and its hash`() async throws {
        try await withTicket { shop, ticket async throws in
            let answer = try await shop.content(ticket.ticket)
            #expect(answer.status == .ok)
            #expect(answer.body == Shop.bookText)
            #expect(answer.headers[.contentLength] == "\(ticket.length)")
            #expect(answer.headers[.acceptRanges] == "bytes")
            #expect(answer.headers[.eTag] == "\"\(ticket.sha256)\"")
            #expect(ticket.sha256 == SHA256.hash(data: answer.body).map { String(format: "%02x", $0) }.joined())
        }
    }

    @Test func `HEAD tells what GET tells, without a byte of the file`() async throws {
        try await withTicket { shop, ticket async throws in
            let whole = try await shop.content(ticket.ticket)
            for headers: HTTPFields in [[:], [.range: "bytes=5-"], [.range: "bytes=150000-"]] {
                let told = try await shop.content(ticket.ticket, headers, method: .head)
                #expect(told.status == .ok && told.body.isEmpty)
                #expect(told.headers[.contentLength] == "150000")
                for name in [HTTPField.Name.eTag, .acceptRanges, .contentType] { #expect(told.headers[name] == whole.headers[name]) }
            }
            #expect(try await shop.content("none", method: .head).status == (try await shop.content("none").status))
        }
    }

    @Test func `a download that broke is resumed where it stopped, and equals the file`() async throws {
        try await withTicket { shop, ticket async throws in
            var bytes = try await shop.content(ticket.ticket, [.range: "bytes=0-70000"]).body
            #expect(bytes.count == 70_001)
            let rest = try await shop.content(ticket.ticket, [.range: "bytes=\(bytes.count)-", .ifRange: "\"\(ticket.sha256)\""])
            #expect(rest.status == .partialContent)
            #expect(rest.headers[.contentRange] == "bytes 70001-149999/150000")
            bytes += rest.body
            #expect(bytes == Shop.bookText)
        }
    }

    @Test func `the last bytes are the last bytes`() async throws {
        try await withTicket { shop, ticket async throws in
            let answer = try await shop.content(ticket.ticket, [.range: "bytes=-500"])
            #expect(answer.body == Shop.bookText.suffix(500))
            #expect(answer.headers[.contentRange] == "bytes 149500-149999/150000")
        }
    }

    @Test(arguments: ["\"other\"", "W/\"other\"", "Wed, 21 Oct 2015 07:28:00 GMT"])
    func `a part of another version is not given, but the whole of this one`(_ tag: String) async throws {
        try await withTicket { shop, ticket async throws in
            let answer = try await shop.content(ticket.ticket, [.range: "bytes=5-", .ifRange: tag])
            #expect(answer.status == .ok)
            #expect(answer.body == Shop.bookText)
        }
    }

    @Test func `a weak tag does not vouch for parts`() async throws {
        try await withTicket { shop, ticket async throws in
            let answer = try await shop.content(ticket.ticket, [.range: "bytes=5-", .ifRange: "W/\"\(ticket.sha256)\""])
            #expect(answer.status == .ok)
        }
    }

    @Test func `a file that changes has another tag, and is sent whole`() async throws {
        try await withTicket { shop, ticket async throws in
            // As long as before, so that nothing but its date and its bytes tell.
            let edition = Data(Shop.bookText.reversed())
            let path = shop.folder.file("book.txt")
            try edition.write(to: path)
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: path.path())
            let answer = try await shop.content(ticket.ticket, [.range: "bytes=5-", .ifRange: "\"\(ticket.sha256)\""])
            #expect(answer.status == .ok)
            #expect(answer.body == edition)
            #expect(answer.headers[.eTag] != "\"\(ticket.sha256)\"")
        }
    }

    @Test func `bytes that are not there are refused with the length`() async throws {
        try await withTicket { shop, ticket async throws in
            let answer = try await shop.content(ticket.ticket, [.range: "bytes=150000-"])
            #expect(answer.status == .rangeNotSatisfiable)
            #expect(answer.headers[.contentRange] == "bytes */150000")
            #expect(answer.code == "content.range")
        }
    }

    @Test func `several ranges at once bring the whole`() async throws {
        try await withTicket { shop, ticket async throws in
            let answer = try await shop.content(ticket.ticket, [.range: "bytes=0-9,20-29"])
            #expect(answer.status == .ok)
            #expect(answer.body.count == 150_000)
        }
    }

    @Test func `an empty file is delivered too`() async throws {
        try await withTicket { shop, ticket async throws in
            try Data().write(to: shop.folder.file("book.txt"))
            #expect(try await shop.content(ticket.ticket).status == .ok)
            #expect(try await shop.content(ticket.ticket, [.range: "bytes=0-"]).status == .rangeNotSatisfiable)
        }
    }

    @Test func `a refund ends a ticket at once, in the middle of a download`() async throws {
        try await withTicket { shop, ticket async throws in
            #expect(try await shop.content(ticket.ticket, [.range: "bytes=0-70000"]).status == .partialContent)
            #expect(try await shop.notify(.about(.bookSale.refunded(), type: "REFUND")).status == .ok)
            let answer = try await shop.content(ticket.ticket, [.range: "bytes=70001-"])
            #expect(answer.status == .forbidden)
            #expect(answer.code == "content.refunded")
        }
    }

    @Test func `a ticket ends after a quarter of an hour`() async throws {
        try await withTicket { shop, ticket async throws in
            shop.clock.advance(seconds: 899)
            #expect(try await shop.content(ticket.ticket).status == .ok)
            shop.clock.advance(seconds: 1)
            #expect(try await shop.content(ticket.ticket).code == "ticket.expired")
        }
    }

    @Test func `no ticket, a made-up one, and one for another product are refused`() async throws {
        try await withTicket { shop, ticket async throws in
            #expect(try await shop.content("").code == "ticket.refused")
            #expect(try await shop.content("e30.AAAA").code == "ticket.refused")
            #expect(try await shop.content(ticket.ticket, of: .magazine).code == "ticket.refused")
            #expect(try await shop.get("/v1/content/\(ProductID.book)").status == .forbidden)
        }
    }

    @Test(arguments: ["..", "%2e%2e", "..%2fbook.txt", "%2fetc%2fpasswd", "book.txt", "."])
    func `no path leads out of the list of products`(_ product: String) async throws {
        try await withTicket { shop, ticket async throws in
            let answer = try await shop.get("/v1/content/\(product)?ticket=\(ticket.ticket)")
            #expect(answer.status == .notFound)
        }
    }

    @Test func `a product whose name holds a control character is no product`() async throws {
        try await withTicket { shop, ticket async throws in
            let answer = try await shop.get("/v1/content/%00?ticket=\(ticket.ticket)")
            #expect(answer.status == .badRequest)
            #expect(answer.code == "identifier.malformed")
        }
    }
}
