import Foundation
import HTTPTypes
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire

@testable import PurchaseServer

/// Tests of named entitlements, past moments, evidence, explanations and grants.
@Suite struct EntitlementTests {
    private static let premium: EntitlementName = "premium"
    private static let end = Timestamp.testStart.adding(days: 30)
    private static let month = TransactionPayload.sale(.magazine, .autoRenewable, id: "3000", expires: end)

    private static func open(_ body: @Sendable @escaping (Shop) async throws -> Void) async throws {
        try await Shop.open(
            change: Shop.Change { app in
                app.products = [
                    ServerProduct(id: .magazine, entitlements: [premium, "archive"]),
                    ServerProduct(id: .book, entitlements: ["archive"]),
                    ServerProduct(id: "pass", entitlements: [premium], duration: BillingPeriod(30, .day)),
                    ServerProduct(id: .credits5, credits: 5, entitlements: []),
                ]
            }, body)
    }

    private static func list(_ shop: Shop, _ query: String = "") async throws -> EntitlementsReply {
        try await shop.call(ServerEndpoints.entitlements, Empty(), query: query, by: shop.app).value()
    }

    @Test func `the server's page shows the running period of a subscription as active, and the ended one as expired`() async throws {
        try await Shop.open { shop async throws in
            let first = TransactionPayload.sale(.magazine, .autoRenewable, id: "3000", expires: .testStart.adding(days: 30))
            try await shop.record(first)
            shop.clock.advance(seconds: 31 * 86_400)
            let second = first.with {
                ($0.transactionId, $0.purchaseDate) = ("3001", .testStart.adding(days: 30))
                ($0.expiresDate, $0.signedDate) = (.testStart.adding(days: 60), .testStart.adding(days: 30))
            }
            try await shop.record(second)
            let rows = try await shop.server.transactions(limit: 10)
            #expect(rows.map(\.id) == ["3001", "3000"] && rows.map(\.state) == ["active", "expired"])
            shop.clock.advance(seconds: 60 * 86_400)
            #expect(try await shop.server.transactions(limit: 10).map(\.state) == ["expired", "expired"])
        }
    }

    @Test func `a product gives the entitlements of its configuration, and the one that ends last counts`() async throws {
        try await Self.open { shop async throws in
            #expect(try await Self.list(shop).entitlements.isEmpty)
            try await shop.record(.creditSale)
            #expect(try await Self.list(shop).entitlements.isEmpty)
            try await shop.record(Self.month)
            var list = try await Self.list(shop)
            #expect(list.customer == Shop.customer)
            #expect(list.entitlements.map(\.name) == ["archive", Self.premium])
            #expect(list["archive"]?.until == Self.end && list["archive"]?.renewsTo == .magazine)
            try await shop.record(.bookSale)
            list = try await Self.list(shop)
            #expect(list["archive"]?.productID == .book && list["archive"]?.until == nil)
            #expect(list[Self.premium]?.productID == .magazine && list[Self.premium]?.state == .active)
            shop.clock.set(Self.end)
            list = try await Self.list(shop)
            #expect(list[Self.premium]?.state == .expired && list["archive"]?.isActive == true)
        }
    }

    @Test func `a non-renewing subscription ends after its configured duration`() async throws {
        try await Self.open { shop async throws in
            try await shop.record(.sale("pass", .nonRenewing, id: "40"))
            #expect(try await shop.entitlement(to: Self.premium).until == Self.end)
            shop.clock.set(Self.end.adding(seconds: -1))
            #expect(try await shop.entitlement(to: Self.premium).isActive)
            shop.clock.set(Self.end)
            #expect(try await shop.entitlement(to: Self.premium).state == .expired)
        }
    }

    @Test func `an answer for a past moment knows purchases and refunds by their dates`() async throws {
        try await Self.open { shop async throws in
            let start = Timestamp.testStart
            try await shop.record(Self.month)
            _ = try await shop.notify(.about(Self.month.refunded(after: 86_400), type: "REFUND"))
            shop.clock.set(start.adding(days: 50))
            let states: [(Timestamp, Access.State)] = [
                (start.adding(seconds: -1), .none), (start, .active), (start.adding(seconds: 86_399), .active),
                (start.adding(seconds: 86_400), .revoked), (start.adding(days: 40), .revoked),
            ]
            for (date, state) in states {
                #expect(try await shop.entitlement(to: Self.premium, query: "?at=\(date.milliseconds)").state == state, "\(date)")
                #expect(try await shop.entitlement(to: Self.premium, query: "?at=\(date)").state == state, "\(date)")
            }
        }
    }

    @Test(arguments: ["?at=yesterday", "?at=", "?include=all"]) func `an invalid query is refused`(_ query: String) async throws {
        try await Self.open { shop async throws in
            let answer = try await shop.call(ServerEndpoints.entitlements, Empty(), query: query, by: shop.app)
            #expect(answer.status == .badRequest)
            #expect(["entitlement.date", "entitlement.include"].contains(answer.code))
        }
    }

    @Test func `a client projects the same entitlement from the evidence alone`() async throws {
        try await Self.open { shop async throws in
            var renewal = RenewalInfoPayload.sample(original: "3000", date: Self.end)
            renewal.isInBillingRetryPeriod = true
            renewal.gracePeriodExpiresDate = Self.end.adding(days: 16)
            try await shop.record(Self.month)
            for day in Int64(1)...20 {
                _ = try await shop.notify(
                    .about(Self.month.with { $0.signedDate = $0.signedDate.adding(days: day) }, type: "DID_CHANGE_RENEWAL_PREF"))
            }
            _ = try await shop.notify(
                .about(Self.month.with { $0.signedDate = Self.end }, renewal, type: "DID_FAIL_TO_RENEW"))
            try await shop.record(.bookSale)
            _ = try await shop.notify(.about(.bookSale.refunded(), type: "REFUND"))
            shop.clock.set(Self.end.adding(days: 1))
            let list = try await Self.list(shop, "?include=evidence")
            let verifier = try TestAuthority.shared.verifier()
            let evidence = try #require(list.evidence)
            #expect(evidence.map(\.originalTransactionID) == ["2000000000000002", "3000"])
            for item in evidence {
                #expect(item.signedTransactions.count <= 3)
                var events: [SignedEvent] = []
                for transaction in item.signedTransactions {
                    events.append(SignedEvent(transaction: try await verifier.verify(transaction).payload, source: "app"))
                }
                for info in item.signedRenewalInfo {
                    let transaction = try #require(events.first).transaction
                    events.append(SignedEvent(transaction: transaction, renewal: try await verifier.verify(info).payload, source: "app"))
                }
                let projected = try #require(EntitlementProjection.timeline(events)?.latest).access(at: shop.clock.now)
                // The refunded book gives nothing, so that the answer states only the magazine.
                guard item.originalTransactionID == "3000" else {
                    #expect(projected.state == .revoked)
                    continue
                }
                let stated = try #require(list[Self.premium])
                #expect(projected.state == stated.state && projected.until == stated.until && projected.isGranted == stated.isActive)
            }
            #expect(list[Self.premium]?.state == .gracePeriod)
        }
    }

    @Test func `an explanation lists the signed events in their order and marks those that decide`() async throws {
        try await Self.open { shop async throws in
            let renewal = Self.month.with {
                ($0.transactionId, $0.purchaseDate, $0.signedDate) = ("3001", Self.end, Self.end)
                $0.expiresDate = Self.end.adding(days: 30)
            }
            // The renewal arrives first.
            _ = try await shop.notify(.about(renewal, type: "DID_RENEW"))
            try await shop.record(Self.month)
            try await shop.record(.bookSale)
            let explanation: EntitlementExplanation = try await shop.call(
                ServerEndpoints.explainEntitlement, Empty(), ["entitlement": "premium"], by: shop.app
            ).value()
            #expect(explanation.events.map(\.source) == ["app", "DID_RENEW"])
            #expect(explanation.events.map(\.decides) == [false, true])
            #expect(explanation.events.map(\.state) == [.active, .active])
            #expect(explanation.entitlement.until == Self.end.adding(days: 30))
            let none: EntitlementExplanation = try await shop.call(
                ServerEndpoints.explainEntitlement, Empty(), ["entitlement": "unheard of"], by: shop.app
            ).value()
            #expect(none.events.isEmpty && none.entitlement.state == .none)
        }
    }

    /// A notification about a customer's transaction of a group, and whether the customer has access afterwards.
    private static let seatNotifications: [(type: String, hasAccess: Bool, change: @Sendable (inout TransactionPayload) -> Void)] = [
        ("SUBSCRIBED", true, { _ in }),
        ("REVOKE", false, { ($0.revocationDate, $0.revocationType) = ($0.purchaseDate, "ASSIGNMENT_REVOKE") }),
        ("REFUND", true, { $0.multiSeatInfo = TransactionMultiSeatInfo(invitationManagement: "APPLE", revokedSeatQuantity: 2) }),
    ]

    @Test(arguments: [Ownership.assigned, .purchased])
    func `a seat gives access until it is taken away, and a refund of other seats leaves it`(_ ownership: Ownership) async throws {
        try await Shop.open { shop async throws in
            for (number, (type, hasAccess, change)) in Self.seatNotifications.enumerated() {
                // The App Store takes no seat away from the purchaser.
                guard ownership == .assigned || type != "REVOKE" else { continue }
                let seat = TransactionPayload.sale(
                    .magazine, .autoRenewable, id: "2000000000000091", expires: shop.clock.now.adding(days: 20)
                ).with {
                    ($0.inAppOwnershipType, $0.quantity) = (ownership.rawValue, 5)
                    $0.multiSeatInfo = TransactionMultiSeatInfo(invitationManagement: "APPLE")
                    $0.signedDate = $0.purchaseDate.adding(seconds: Int64(number + 1))
                    change(&$0)
                }
                #expect(try await shop.notify(.about(seat, type: type)).status == .ok)
                #expect(try await shop.entitlement(to: .magazine).isActive == hasAccess, "\(type)")
            }
        }
    }

    /// A change of a subscription's transaction, and a part of the note about it in an explanation.
    private static let noted: [(note: String?, change: @Sendable (inout TransactionPayload) -> Void)] = [
        (nil, { _ in }),
        (
            "moved to the bundle \"com.example.all\"",
            { ($0.revocationDate, $0.revocationReason, $0.bundleProductId) = ($0.purchaseDate, 2, "com.example.all") }
        ),
        ("took the seat away", { ($0.revocationDate, $0.revocationType) = ($0.purchaseDate, "ASSIGNMENT_REVOKE") }),
        ("when each of them is revoked", { $0.additionalTransactionReason = "SEAT_ADDITION" }),
        (
            "refunded 2 of 5 seats",
            { ($0.quantity, $0.multiSeatInfo) = (5, TransactionMultiSeatInfo(invitationManagement: "APPLE", revokedSeatQuantity: 2)) }
        ),
        (
            "charge 3 of 12",
            { payload in
                var info = TransactionCommitmentInfo()
                (info.billingPeriodNumber, info.totalBillingPeriods) = (3, 12)
                payload.commitmentInfo = info
            }
        ),
        ("\"LENT\" of `inAppOwnershipType`", { $0.inAppOwnershipType = "LENT" }),
        ("\"9\" of `revocationReason`", { ($0.revocationDate, $0.revocationReason) = ($0.purchaseDate, 9) }),
    ]

    @Test(arguments: noted.indices) func `an explanation states facts that dates and source do not show, and unknown values`(_ index: Int)
        async throws
    {
        let (note, change) = Self.noted[index]
        try await Self.open { shop async throws in
            try await shop.record(Self.month.with { change(&$0) })
            let explanation: EntitlementExplanation = try await shop.call(
                ServerEndpoints.explainEntitlement, Empty(), ["entitlement": "premium"], by: shop.app
            ).value()
            let notes = try #require(explanation.events.first).notes
            #expect(notes.count == (note == nil ? 0 : 1))
            if let note { #expect(notes.first?.contains(note) == true, "\(notes)") }
        }
    }

    @Test func `a grant of a misspelled entitlement is refused with the nearest name, and a declared one is not`() async throws {
        try await Self.open { shop async throws in
            func grant(_ name: String) async throws -> Answer {
                try await shop.call(ServerEndpoints.grantEntitlement, GrantEntitlementRequest(), ["entitlement": name])
            }
            let refused = try await grant("premum")
            #expect(refused.status == .badRequest && refused.code == "grant.unknown")
            #expect(try refused.value(WireError.self).message.contains("The most similar name is \"premium\""))
            #expect(try await shop.entitlement(to: "premum" as EntitlementName).state == .none)
            for name in ["premium", "beta"] { #expect(try await grant(name).status == .ok, "\(name)") }
            // A product that an operator adds is known at once.
            let admin: Shop.Sender = .headers([.authorization: "Bearer \(shop.keys.admin)"])
            let product = ServerProduct(id: "pass", entitlements: ["premum"])
            _ = try await shop.call(ServerEndpoints.putProducts, ServerProductsReply(products: [product]), by: admin)
            #expect(try await grant("premum").status == .ok)
        }
    }

    @Test func `a consumable without entitlements gives none, whether the catalog or signed data states its type`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.creditSale)
            try await shop.record(.sale("com.example.unlisted", .consumable, id: "77"))
            let list: EntitlementsReply = try await shop.call(
                ServerEndpoints.entitlements, Empty(), query: "?include=evidence", by: shop.app
            ).value()
            #expect(list.entitlements.isEmpty && list.evidence == [] && list.nextAfter == nil)
            let past: EntitlementsReply = try await shop.call(
                ServerEndpoints.entitlements, Empty(), query: "?at=\(shop.clock.now.milliseconds)", by: shop.app
            ).value()
            #expect(past.entitlements.isEmpty)
        }
    }

    @Test func `evidence has pages, whose union is everything`() async throws {
        try await Self.open { shop async throws in
            let product = ServerProduct(id: "token", type: .consumable, entitlements: ["premium"])
            let admin: Shop.Sender = .headers([.authorization: "Bearer \(shop.keys.admin)"])
            _ = try await shop.call(ServerEndpoints.putProducts, ServerProductsReply(products: [product]), by: admin)
            let ids: [TransactionID] = ["1001", "1002", "1003"]
            for id in ids { try await shop.record(.sale("token", .consumable, id: id)) }
            var service = try #require(shop.server.apps[.test]).entitlements
            service.evidencePage = 2
            let first = try await service.list(of: .id(Shop.customer), at: nil, withEvidence: true)
            #expect(first.evidence?.map(\.originalTransactionID) == ["1001", "1002"])
            let next = try #require(first.nextAfter)
            let second: EntitlementsReply = try await shop.call(
                ServerEndpoints.entitlements, Empty(), query: "?include=evidence&after=\(next)", by: shop.app
            ).value()
            #expect(second.evidence?.map(\.originalTransactionID) == ["1003"] && second.nextAfter == nil)
            #expect(second.entitlements == first.entitlements)
            let alone = try await shop.call(ServerEndpoints.entitlements, Empty(), query: "?after=\(next)", by: shop.app)
            #expect(alone.code == "entitlement.include")
        }
    }

    @Test func `a backend grants an entitlement until a date, and revokes it`() async throws {
        try await Self.open { shop async throws in
            let path = ["entitlement": "premium"]
            let granted: EntitlementReply = try await shop.call(
                ServerEndpoints.grantEntitlement, GrantEntitlementRequest(until: Self.end, reason: "outage"), path
            ).value()
            #expect(granted.isActive && granted.until == Self.end && granted.reason.contains("outage"))
            shop.clock.set(Self.end)
            #expect(try await shop.entitlement(to: Self.premium).state == .expired)
            #expect(try await shop.entitlement(to: Self.premium, query: "?at=\(Timestamp.testStart)").isActive)
            let ended = try await shop.call(ServerEndpoints.grantEntitlement, GrantEntitlementRequest(until: Self.end), path)
            #expect(ended.code == "grant.ended")
            _ = try await shop.call(ServerEndpoints.grantEntitlement, GrantEntitlementRequest(), path)
            #expect(try await shop.entitlement(to: Self.premium).state == .owned)
            try await shop.record(.bookSale)
            let revoked: EntitlementReply = try await shop.call(ServerEndpoints.revokeGrants, Empty(), path).value()
            #expect(!revoked.isActive && revoked.state == .revoked)
            #expect(try await shop.entitlement(to: "archive").isActive)
        }
    }
}
