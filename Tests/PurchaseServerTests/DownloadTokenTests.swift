import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseServer

@Suite struct DownloadTokenTests {
    private let issuer = DownloadTokenIssuer(key: [UInt8](repeating: 7, count: 32))
    private let claims = DownloadClaims(product: .book, customer: Shop.customer, purchase: "1", expires: .testStart.adding(seconds: 900))

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

    @Test(arguments: ["", "dt_", "dt_.", ".", "..", "a.b", "a", "a.b.c", "....", "é.ü", String(repeating: "a", count: 5000) + ".a"])
    func `text that is not a download token is refused`(_ text: String) {
        #expect(throws: ContentRefusal.tokenRefused) { try issuer.verify(text, for: .book, at: .testStart) }
    }
}
