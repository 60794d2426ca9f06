import Foundation
import HTTPTypes
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing

@testable import PurchaseServer

@Suite struct DownloadTokenTests {
    private let issuer = DownloadTokenIssuer(key: [UInt8](repeating: 7, count: 32))
    private let claims = DownloadClaims(
        id: "1", product: .book, customer: Shop.customer, purchase: "1", expires: .testStart.adding(seconds: 900))

    @Test func `a download token has its claims until it expires`() throws {
        let token = try issuer.issue(claims)
        #expect(try issuer.verify(token, for: .book, at: .testStart) == claims)
        #expect(try issuer.verify(token, for: .book, at: claims.expires.adding(milliseconds: -1)) == claims)
        #expect(throws: ContentRefusal.tokenExpired) { try issuer.verify(token, for: .book, at: claims.expires) }
    }

    @Test func `a download token is valid for one product only`() throws {
        let token = try issuer.issue(claims)
        #expect(throws: ContentRefusal.tokenRefused) { try issuer.verify(token, for: .magazine, at: .testStart) }
    }

    @Test func `a download token of another key is refused`() throws {
        let forged = try DownloadTokenIssuer(key: [UInt8](repeating: 8, count: 32)).issue(claims)
        #expect(throws: ContentRefusal.tokenRefused) { try issuer.verify(forged, for: .book, at: .testStart) }
    }

    @Test func `a download token with one changed character is refused`() throws {
        let token = try issuer.issue(claims)
        for index in token.indices {
            var changed = token
            changed.replaceSubrange(index...index, with: token[index] == "A" ? "B" : "A")
            #expect(throws: ContentRefusal.tokenRefused) { try issuer.verify(changed, for: .book, at: .testStart) }
        }
    }

    @Test(arguments: [
        "", "dt_", "dt_.", "dt_..", ".", "..", "a.b", "a", "a.b.c", "....", "é.ü", String(repeating: "a", count: 5000) + ".a",
    ])
    func `text that is not a download token is refused`(_ text: String) {
        #expect(throws: ContentRefusal.tokenRefused) { try issuer.verify(text, for: .book, at: .testStart) }
    }

    /// Returns the keys of an app in the database of a shop, as another process reads them.
    private func keys(_ shop: Shop) async throws -> DownloadTokenKeys {
        try await DownloadTokenKeys(shop.server.secrets)
    }

    @Test func `after a rotation, tokens of the key before are valid, and those of earlier keys are not`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.bookSale)
            let first: DownloadToken = try await shop.downloadToken().value()
            // Another process changes the key.
            try await keys(shop).rotate()
            let second: DownloadToken = try await shop.downloadToken().value()
            #expect(DownloadTokenIssuer.keyID(of: first.token) != DownloadTokenIssuer.keyID(of: second.token))
            for token in [first, second] { #expect(try await shop.content(token.token).status == .ok) }
            _ = try await shop.server.rotateSecretKey()
            #expect(try await shop.content(first.token).code == "download-token.refused")
            #expect(try await shop.content(second.token).status == .ok)
            #expect(try await shop.content(shop.downloadToken().value(DownloadToken.self).token).status == .ok)
        }
    }

    @Test func `a server accepts the tokens of a key that another process has created`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.bookSale)
            let (earlier, later) = (try await keys(shop), try await keys(shop))
            try await later.rotate()
            let claims = DownloadClaims(
                id: "1", product: .book, customer: Shop.customer, purchase: "1", expires: .testStart.adding(seconds: 900))
            let token = try await later.current().issue(claims)
            #expect(try await earlier.verify(token, for: .book, at: .testStart) == claims)
        }
    }
}
