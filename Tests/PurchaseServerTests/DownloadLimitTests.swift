import Foundation
import HTTPTypes
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the limits on download tokens and on the downloads with one token.
@Suite struct DownloadLimitTests {
    /// How the purchase was proven.
    enum Proof: CaseIterable, Sendable {
        case signedTransaction
        case receipt

        func submit(to shop: Shop) async throws {
            switch self {
            case .signedTransaction: try await shop.record(.bookSale)
            case .receipt: try await shop.recordReceipt()
            }
        }
    }

    @Test(arguments: Proof.allCases)
    func `the tokens for one customer and one purchase are limited in 24 hours, also after a restart`(_ proof: Proof) async throws {
        try await TemporaryFolder.with { folder in
            let database = PurchaseDatabase.file(folder.file("server.sqlite").path())
            let change = Shop.Change {
                $0.content.tokensPerDay = 3
                $0.receiptConfirmation = .off
            }
            try await Shop.open(database: database, change: change) { shop async throws in
                try await proof.submit(to: shop)
                for _ in 0..<2 {
                    #expect(try await shop.downloadToken().status == .ok)
                    shop.clock.advance(seconds: 100)
                }
            }
            try await Shop.open(database: database, change: change) { shop async throws in
                shop.clock.advance(seconds: 200)
                #expect(try await shop.downloadToken().status == .ok)
                let refused = try await shop.downloadToken()
                #expect(refused.status == .tooManyRequests && refused.code == "download-token.too-many")
                #expect(refused.headers[.retryAfter] == "86200")
                // Another purchase has its own limit.
                try await shop.record(.sale(.magazine, .nonConsumable, id: "77"))
                #expect(try await shop.downloadToken(.magazine).status == .ok)
                shop.clock.advance(seconds: 86_199)
                #expect(try await shop.downloadToken().headers[.retryAfter] == "1")
                shop.clock.advance(seconds: 1)
                #expect(try await shop.downloadToken().status == .ok)
                #expect(try await shop.downloadToken().headers[.retryAfter] == "100")
            }
        }
    }

    @Test func `concurrent requests for tokens do not exceed the limit`() async throws {
        try await Shop.open(change: Shop.Change { $0.content.tokensPerDay = 10 }) { shop async throws in
            try await shop.record(.bookSale)
            let codes = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<30 { group.addTask { try await shop.downloadToken(by: shop.backend).code ?? "issued" } }
                return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(codes == ["issued": 10, "download-token.too-many": 20])
        }
    }

    @Test func `the bytes of a token are three times the content and 64 MiB`() async throws {
        // The server counts the bytes that nginx sends in its place.
        try await Shop.open(change: Shop.Change { $0.content.delivery = .nginx(location: "/protected/") }) { shop async throws in
            try await shop.record(.bookSale)
            try await shop.publish(Data(count: 32 << 20))
            let token: DownloadToken = try await shop.downloadToken().value()
            for _ in 0..<5 { #expect(try await shop.content(token.token).status == .ok) }
            let refused = try await shop.content(token.token)
            #expect(refused.status == .forbidden && refused.code == "download-token.used-up")
            // HEAD sends no bytes, and a new token has a new allowance.
            #expect(try await shop.content(token.token, method: .head).status == .ok)
            let next: DownloadToken = try await shop.downloadToken().value()
            #expect(try await shop.content(next.token, [.range: "bytes=33554431-"]).status == .ok)
        }
    }

    private static let claims = DownloadClaims(
        id: "1", product: .book, customer: Shop.customer, purchase: "1", expires: .testStart.adding(seconds: 900))

    private func allowance(_ change: (inout DownloadLimiter.Allowance) -> Void) -> DownloadLimiter.Allowance {
        var allowance = DownloadLimiter.Allowance(for: [])
        change(&allowance)
        return allowance
    }

    @Test func `the requests of a token are limited`() throws {
        let limiter = DownloadLimiter()
        let allowance = allowance { $0.requests = 3 }
        for _ in 0..<3 { _ = try limiter.begin(Self.claims, allowance, at: .testStart) }
        #expect(throws: ContentRefusal.tokenUsedUp) { try limiter.begin(Self.claims, allowance, at: .testStart) }
    }

    @Test func `the downloads that run at the same time with a token are limited`() throws {
        let limiter = DownloadLimiter()
        let allowance = allowance { $0.concurrent = 2 }
        var running = [
            try limiter.begin(Self.claims, allowance, at: .testStart), try limiter.begin(Self.claims, allowance, at: .testStart),
        ]
        #expect(throws: ContentRefusal.tooManyDownloads) { try limiter.begin(Self.claims, allowance, at: .testStart) }
        running.removeLast()
        running.append(try limiter.begin(Self.claims, allowance, at: .testStart))
        #expect(running.count == 2)
    }

    @Test func `an interrupted download returns the bytes that were not sent`() throws {
        let limiter = DownloadLimiter()
        let allowance = allowance { $0.bytes = 100 }
        do {
            let download = try limiter.begin(Self.claims, allowance, at: .testStart)
            try download.reserve(90)
            download.sent(30)
            let other = try limiter.begin(Self.claims, allowance, at: .testStart)
            #expect(throws: ContentRefusal.tokenUsedUp) { try other.reserve(11) }
        }
        let download = try limiter.begin(Self.claims, allowance, at: .testStart)
        #expect(throws: ContentRefusal.tokenUsedUp) { try download.reserve(71) }
        try download.reserve(70)
    }

    @Test func `the memory of the counts is bounded`() throws {
        let limiter = DownloadLimiter(capacity: 100)
        let allowance = allowance { $0.requests = 1 }
        for number in 0..<10_000 {
            var claims = Self.claims
            claims.id = "\(number)"
            claims.expires = Timestamp.testStart.adding(seconds: Int64(number) + 900)
            _ = try limiter.begin(claims, allowance, at: .testStart)
        }
        #expect(limiter.count <= 100)
        // The tokens that expire last are still counted.
        var last = Self.claims
        last.id = "9999"
        #expect(throws: ContentRefusal.tokenUsedUp) { try limiter.begin(last, allowance, at: .testStart) }
    }

    @Test func `the end of a download does not change the counts of its token after the limiter discarded them`() throws {
        let limiter = DownloadLimiter(capacity: 1)
        let allowance = allowance { ($0.bytes, $0.concurrent) = (100, 1) }
        var earlier: MeteredDownload? = try limiter.begin(Self.claims, allowance, at: .testStart)
        try earlier?.reserve(90)
        var other = Self.claims
        (other.id, other.expires) = ("2", Self.claims.expires.adding(seconds: 1))
        _ = try limiter.begin(other, allowance, at: .testStart)
        #expect(limiter.count == 1)
        let download = try limiter.begin(Self.claims, allowance, at: .testStart)
        try download.reserve(60)
        earlier = nil
        #expect(earlier == nil)
        #expect(throws: ContentRefusal.tooManyDownloads) { try limiter.begin(Self.claims, allowance, at: .testStart) }
        #expect(throws: ContentRefusal.tokenUsedUp) { try download.reserve(41) }
        try download.reserve(40)
    }

    @Test func `a token of another app is refused, although both apps sell the product`() async throws {
        try await TemporaryFolder.with { folder in
            try Shop.bookText.write(to: folder.file("book.txt"))
            var configuration = try Shop.configuration(contentFolder: folder.url.path())
            var other = configuration.apps[0]
            other.bundleID = "com.example.other"
            configuration.apps.append(other)
            let server = try await PurchaseServer(configuration: configuration, clock: ManualClock(), logger: .silent)
            let content = try #require(server.apps["com.example.other"]).content
            let token = try await #require(server.apps[.test]).content.tokens.current().issue(Self.claims)
            await #expect(throws: ContentRefusal.tokenRefused) { try await content.claims(of: token, for: .book) }
        }
    }
}
