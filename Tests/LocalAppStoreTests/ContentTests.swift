import Foundation
import FoundationExtras
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

struct ContentTests {
    private static let path = "/control/v1/apps/\(BundleID.test)/content/\(ProductID.book)"

    @Test func `the purchaser can download hosted content, whole or in ranges, until a refund`() async throws {
        try await StoreHarness.run { harness in
            let bytes = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
            let kept = try await harness.send(.put, Self.path, [:], ByteBuffer(bytes: bytes))
            #expect(kept.status == .ok)
            let phone = try await harness.signIn()
            let book = try await phone.buy(.book)
            let path = "/device/v1/content/\(book.transactionId)"
            let headers: HTTPFields = [.authorization: "Bearer \(phone.token)"]
            let whole = try await harness.send(.get, path, headers)
            #expect(whole.status == .ok)
            #expect(Data(buffer: whole.body) == bytes)
            let tag = try #require(whole.headers[.eTag])

            var part = headers
            part[.range] = "bytes=699990-"
            part[.ifRange] = tag
            let tail = try await harness.send(.get, path, part)
            #expect(tail.status == .partialContent)
            #expect(tail.headers[.contentRange] == "bytes 699990-699999/700000")
            #expect(Data(buffer: tail.body) == bytes.suffix(10))
            part[.ifRange] = "\"another\""
            #expect(try await harness.send(.get, path, part).status == .ok)
            part[.ifRange] = nil
            part[.range] = "bytes=700000-"
            #expect(try await harness.send(.get, path, part).status == .rangeNotSatisfiable)

            let stranger = try await harness.signIn("bob@example.com", device: .second)
            let foreign = try await harness.send(.get, path, [.authorization: "Bearer \(stranger.token)"])
            #expect(foreign.status == .notFound)
            try await harness.refund(book.transactionId)
            #expect(try await harness.send(.get, path, headers).status == .forbidden)
        }
    }

    @Test func `HEAD of hosted content has the headers of GET and no body`() async throws {
        try await StoreHarness.run(over: .live) { harness in
            _ = try await harness.send(.put, Self.path, [:], ByteBuffer(repeating: 7, count: 300_000))
            let phone = try await harness.signIn()
            let path = "/device/v1/content/\(try await phone.buy(.book).transactionId)"
            let headers: HTTPFields = [.authorization: "Bearer \(phone.token)"]
            let whole = try await harness.send(.get, path, headers)
            for ranges: HTTPFields in [[:], [.range: "bytes=5-"], [.range: "bytes=300000-"]] {
                var asked = headers
                asked.append(contentsOf: ranges)
                let headResponse = try await harness.send(.head, path, asked)
                #expect(headResponse.status == .ok && headResponse.body.readableBytes == 0)
                #expect(headResponse.headers[.contentLength] == "300000")
                for name in [HTTPField.Name.eTag, .acceptRanges, .contentType] {
                    #expect(headResponse.headers[name] == whole.headers[name])
                }
            }
            #expect(try await harness.send(.head, path).status == .unauthorized)
        }
    }

    @Test func `empty content is refused, and hosted content can be deleted`() async throws {
        try await StoreHarness.run { harness in
            _ = try await harness.send(.put, Self.path, [:], ByteBuffer(string: "a"))
            let refused = try await harness.send(.put, Self.path, [:], ByteBuffer())
            #expect(refused.status == .badRequest)
            #expect(try WireJSON.decode(WireError.self, from: Data(buffer: refused.body)).code == "content.empty")
            let phone = try await harness.signIn()
            let path = "/device/v1/content/\(try await phone.buy(.book).transactionId)"
            let headers: HTTPFields = [.authorization: "Bearer \(phone.token)"]
            #expect(try await harness.send(.get, path, headers).status == .ok)
            #expect(try await harness.send(.delete, Self.path).status == .ok)
            #expect(try await harness.send(.get, path, headers).status == .notFound)
        }
    }

    @Test func `content for an unknown product or over the size limit is refused`() async throws {
        try await StoreHarness.run { harness in
            let unknown = "/control/v1/apps/\(BundleID.test)/content/nothing"
            let withoutProduct = try await harness.send(.put, unknown, [:], ByteBuffer(string: "a"))
            #expect(withoutProduct.status == .notFound)
            let oversized = ByteBuffer(repeating: 0, count: ContentService.contentLimit + 1)
            let refused = try await harness.send(.put, Self.path, [:], oversized)
            #expect(refused.status == .contentTooLarge)
        }
    }
}
