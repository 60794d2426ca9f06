import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseServer

@Suite struct TicketOfficeTests {
    private let office = TicketOffice(key: [UInt8](repeating: 7, count: 32))
    private let claims = TicketClaims(product: .book, purchase: "1", expires: .testStart.adding(seconds: 900))

    @Test func `a download token has its claims until it expires`() throws {
        let ticket = try office.issue(claims)
        #expect(try office.open(ticket, for: .book, at: .testStart) == claims)
        #expect(try office.open(ticket, for: .book, at: claims.expires.adding(milliseconds: -1)) == claims)
        #expect(throws: ContentRefusal.ticketExpired) { try office.open(ticket, for: .book, at: claims.expires) }
    }

    @Test func `a download token is valid for one product only`() throws {
        let ticket = try office.issue(claims)
        #expect(throws: ContentRefusal.ticketRefused) { try office.open(ticket, for: .magazine, at: .testStart) }
    }

    @Test func `a download token of another key is refused`() throws {
        let forged = try TicketOffice(key: [UInt8](repeating: 8, count: 32)).issue(claims)
        #expect(throws: ContentRefusal.ticketRefused) { try office.open(forged, for: .book, at: .testStart) }
    }

    @Test func `a download token with one changed character is refused`() throws {
        let ticket = try office.issue(claims)
        for index in ticket.indices {
            var changed = ticket
            changed.replaceSubrange(index...index, with: ticket[index] == "A" ? "B" : "A")
            #expect(throws: ContentRefusal.ticketRefused) { try office.open(changed, for: .book, at: .testStart) }
        }
    }

    @Test(arguments: ["", ".", "..", "a.b", "a", "a.b.c", "....", "é.ü", String(repeating: "a", count: 5000) + ".a"])
    func `text that is not a download token is refused`(_ text: String) {
        #expect(throws: ContentRefusal.ticketRefused) { try office.open(text, for: .book, at: .testStart) }
    }
}
