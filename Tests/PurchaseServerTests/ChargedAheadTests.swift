import HTTPTypes
import MessageSignatures
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import Synchronization
import Testing
import Wire

@testable import PurchaseMaintenance
@testable import PurchaseServer

/// Subscriptions whose renewal was charged hours before its period begins, as the App Store charges them.
@Suite struct ChargedAheadTests {
    /// The present; hours are counted from it.
    private static let now = Timestamp.testStart.adding(days: 100)
    private static let products = [
        ServerProduct(id: "m", entitlements: ["basic"]), ServerProduct(id: "y", entitlements: ["pro"]),
        ServerProduct(id: "credits", entitlements: []),
    ]

    private static func date(_ hour: Int64) -> Timestamp { now.adding(seconds: hour * 3_600) }

    private static func transaction(
        _ id: TransactionID, of original: TransactionID, _ product: ProductID, _ hours: Range<Int64>, signed: Int64,
        _ reason: TransactionReason? = nil
    ) -> TransactionPayload {
        .sale(product, .autoRenewable, id: id, expires: date(hours.upperBound)).with {
            ($0.originalTransactionId, $0.purchaseDate, $0.signedDate) = (original, date(hours.lowerBound), date(signed))
            $0.transactionReason = reason?.rawValue
        }
    }

    private static func notification(_ type: String, _ transaction: TransactionPayload) throws -> NotificationPayload {
        var info = RenewalInfoPayload.sample(
            original: transaction.originalTransactionId, product: transaction.productId, date: transaction.signedDate)
        (info.autoRenewProductId, info.renewalDate) = (transaction.productId, transaction.expiresDate)
        return try .about(transaction, info, type: type)
    }

    /// What a customer has, as the present answer and as the answer for the same moment.
    private static func active(_ shop: Shop) async throws -> [EntitlementName] {
        let present: EntitlementsReply = try await shop.call(ServerEndpoints.entitlements, Empty(), by: shop.app).value()
        let past: EntitlementsReply = try await shop.call(
            ServerEndpoints.entitlements, Empty(), query: "?at=\(shop.clock.now)", by: shop.app
        ).value()
        #expect(past.entitlements.filter(\.isActive).map(\.name) == present.entitlements.filter(\.isActive).map(\.name))
        for name in products.flatMap({ $0.entitlements ?? [] }) {
            #expect(try await shop.entitlement(to: name).isActive == (present[name]?.isActive ?? false))
        }
        return present.entitlements.filter(\.isActive).map(\.name)
    }

    private static func open(_ body: @Sendable @escaping (Shop) async throws -> Void) async throws {
        try await Shop.open(change: Shop.Change { $0.products = products }) { shop async throws in
            shop.clock.set(now)
            try await body(shop)
            let differences = try await shop.differencesOfRebuild()
            #expect(differences.isEmpty, "\(differences)")
        }
    }

    private static let orders: [[Int]] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

    @Test(arguments: orders)
    func `an upgrade after a renewal that was charged ahead gives the higher plan for its whole period`(_ order: [Int]) async throws {
        try await Self.open { shop async throws in
            let upgrade = Self.transaction("102", of: "100", "y", -52..<8_708, signed: -52)
            let notifications = try [
                Self.notification("SUBSCRIBED", Self.transaction("100", of: "100", "m", -768 ..< -48, signed: -768)),
                Self.notification("DID_RENEW", Self.transaction("101", of: "100", "m", -48..<672, signed: -53, .renewal)),
                Self.notification("DID_CHANGE_RENEWAL_PREF", upgrade),
            ]
            for index in order { #expect(try await shop.notify(notifications[index]).status == .ok) }
            #expect(try await Self.active(shop) == ["pro"])
            #expect(try await shop.entitlement(to: EntitlementName("pro")).until == Self.date(8_708))
            try await shop.record(upgrade)
            shop.clock.set(Self.date(700))
            #expect(try await Self.active(shop) == ["pro"])
        }
    }

    @Test func `a lower plan that was charged ahead begins when the paid plan ends`() async throws {
        try await Self.open { shop async throws in
            try await shop.record(Self.transaction("200", of: "200", "y", -148..<20, signed: -144))
            let renewal = Self.transaction("201", of: "200", "m", 20..<1_200, signed: -1, .renewal)
            #expect(try await shop.notify(Self.notification("DID_RENEW", renewal)).status == .ok)
            #expect(try await Self.active(shop) == ["pro"])
            let pro = try await shop.entitlement(to: EntitlementName("pro"))
            #expect(pro.until == Self.date(20) && pro.renewsTo == "m")
            // The signed data of both periods is the evidence.
            let query = "?include=evidence"
            let list: EntitlementsReply = try await shop.call(ServerEndpoints.entitlements, Empty(), query: query, by: shop.app).value()
            #expect(list.evidence?.first?.signedTransactions.count == 2)
            shop.clock.set(Self.date(20))
            #expect(try await Self.active(shop) == ["basic"])
            shop.clock.set(Self.date(1_200))
            #expect(try await Self.active(shop).isEmpty)
        }
    }

    @Test func `a lease states an entitlement of two plans until the end of the one that was charged ahead`() async throws {
        let products = [ServerProduct(id: "m", entitlements: ["basic"]), ServerProduct(id: "y", entitlements: ["basic", "pro"])]
        try await Shop.open(change: Shop.Change { $0.products = products }) { shop async throws in
            shop.clock.set(Self.now)
            try await shop.record(Self.transaction("200", of: "200", "y", -148..<20, signed: -144))
            let renewal = Self.transaction("201", of: "200", "m", 20..<1_200, signed: -1, .renewal)
            #expect(try await shop.notify(Self.notification("DID_RENEW", renewal)).status == .ok)
            let device = try P256SigningKey(newWithID: "device").verificationKey.thumbprint
            let reply: LeaseReply = try await shop.call(
                ServerEndpoints.lease, LeaseRequest(deviceKey: device.rawValue), by: shop.app
            ).value()
            let keys = try VerificationKeySet(jwks: [UInt8](try #require(shop.server.verificationKeys(of: .test))))
            let verifier = LeaseVerifier(keys: keys, issuer: LeaseController.issuer, bundleID: .test)
            let lease = try verifier.verify(SignedLease(reply.lease), deviceKey: device, at: shop.clock.now).payload
            #expect(
                lease.entitlements == [
                    LeasedEntitlement("basic", until: Self.date(1_200)), LeasedEntitlement("pro", until: Self.date(20)),
                ])
        }
    }

    @Test func `a refund of a period that has not begun leaves the running one`() async throws {
        try await Self.open { shop async throws in
            try await shop.record(Self.transaction("200", of: "200", "y", -148..<20, signed: -144))
            let renewal = Self.transaction("201", of: "200", "y", 20..<8_780, signed: -10, .renewal)
            #expect(try await shop.notify(Self.notification("DID_RENEW", renewal)).status == .ok)
            let refunded = renewal.with { ($0.revocationDate, $0.signedDate) = (Self.date(-1), Self.date(-1)) }
            #expect(try await shop.notify(.about(refunded, type: "REFUND")).status == .ok)
            #expect(try await Self.active(shop) == ["pro"])
            shop.clock.set(Self.date(20))
            #expect(try await Self.active(shop).isEmpty)
            #expect(try await shop.entitlement(to: EntitlementName("pro")).state == .revoked)
        }
    }

    @Test(arguments: [("y", "credits"), ("credits", "y")] as [(ProductID, ProductID)])
    func `the plan counts at its time if the other plan gives no entitlement`(_ first: ProductID, _ second: ProductID) async throws {
        try await Self.open { shop async throws in
            try await shop.record(Self.transaction("200", of: "200", first, -148..<20, signed: -144))
            let renewal = Self.transaction("201", of: "200", second, 20..<1_200, signed: -1, .renewal)
            #expect(try await shop.notify(Self.notification("DID_RENEW", renewal)).status == .ok)
            #expect(try await Self.active(shop) == (first == "y" ? ["pro"] : []))
            shop.clock.set(Self.date(20))
            #expect(try await Self.active(shop) == (second == "y" ? ["pro"] : []))
        }
    }
}

extension Shop {
    /// Returns what a rebuild from the signed originals finds.
    fileprivate func differencesOfRebuild() async throws -> [RebuildDifference] {
        let differences = Mutex<[RebuildDifference]>([])
        _ = try await server.rebuild(.test, isWriting: false) { event in
            if case .difference(let difference) = event { differences.withLock { $0.append(difference) } }
        }
        return differences.withLock { $0 }
    }
}
