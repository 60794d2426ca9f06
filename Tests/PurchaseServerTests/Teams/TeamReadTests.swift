import Foundation
import HTTPTypes
import MessageSignatures
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the leases of members, and of members' reads during an outage.
@Suite struct TeamReadTests {
    private static let name = ProductID.magazine.rawValue

    /// The app of a member, with a customer token.
    private static func app(of member: CustomerID, in shop: TeamShop) async throws -> Shop.Sender {
        .app(try await shop.app.customers.issueToken(for: .id(member)).token)
    }

    // MARK: Leases

    /// The ways in which a membership ends.
    enum End: CaseIterable {
        case ownerReleases, memberLeaves, storeReleases, subscriptionExpires, allSeatsRefunded
    }

    @Test(arguments: End.allCases)
    func `the lease of a member has the entitlement of the team until the membership ends`(_ end: End) async throws {
        try await TeamShop.open { shop async throws in
            let app = try await Self.app(of: TeamShop.ann, in: shop)
            let device = try P256SigningKey(newWithID: "device").verificationKey.thumbprint
            let keys = try VerificationKeySet(jwks: [UInt8](#require(shop.shop.server.verificationKeys(of: .test))))
            let verifier = LeaseVerifier(keys: keys, issuer: LeaseController.issuer, bundleID: .test)
            func lease() async throws -> LeasePayload {
                let reply = try await shop.shop.call(ServerEndpoints.lease, LeaseRequest(deviceKey: device.rawValue), by: app)
                    .value(LeaseReply.self)
                return try verifier.verify(SignedLease(reply.lease), deviceKey: device, at: shop.clock.now).payload
            }
            #expect(try await lease().entitlements == [])

            try await shop.join(TeamShop.ann)
            let member = try await lease()
            #expect(member.customer == TeamShop.ann && member.expires == shop.clock.now.adding(days: 3))
            #expect(member.entitlements == [LeasedEntitlement(Self.name, until: .testStart.adding(days: TeamShop.period))])

            switch end {
            case .ownerReleases: try await shop.release(TeamShop.ann)
            case .memberLeaves:
                _ = try await shop.shop.call(ServerEndpoints.leaveTeam, Empty(), ["team": TeamShop.team.rawValue], by: app)
            case .storeReleases: #expect(try await shop.notifyUnclaim([shop.claimID(of: TeamShop.ann)]).status == .ok)
            case .subscriptionExpires:
                shop.clock.advance(seconds: TeamShop.period * 86_400)
                try await shop.expire()
            case .allSeatsRefunded: try await shop.notify(.seats(3).refunded(), type: "REFUND")
            }
            #expect(try await lease().entitlements == [])
        }
    }

    // MARK: Outages

    @Test func `during an outage, a member has the entitlements of the last read, which the answer states, and receives no lease`()
        async throws
    {
        let storage = try UnreliableStorage()
        try await TeamShop.open(storage: storage) { shop async throws in
            let app = try await Self.app(of: TeamShop.ann, in: shop)
            let device = try P256SigningKey(newWithID: "device").verificationKey.thumbprint.rawValue
            func read() async throws -> EntitlementReply { try await shop.shop.entitlement(to: EntitlementName(Self.name), by: app) }
            /// Reads during an outage, and expects an answer from an earlier read.
            func expectStale(_ isActive: Bool, since date: Timestamp) async throws {
                shop.clock.advance(seconds: 10)
                storage.fail(.locked)
                let stale = try await read()
                #expect(stale.isActive == isActive && stale.staleSince == date)
                let lease = try await shop.shop.call(ServerEndpoints.lease, LeaseRequest(deviceKey: device), by: app)
                #expect(lease.status == .serviceUnavailable)
                storage.fail(nil)
            }
            /// Reads from the database, and returns the date of the read.
            func expectCurrent(_ isActive: Bool) async throws -> Timestamp {
                let current = try await read()
                #expect(current.isActive == isActive && current.staleSince == nil)
                return shop.clock.now
            }

            let beforeClaim = try await expectCurrent(false)
            try await shop.join(TeamShop.ann)
            try await expectStale(false, since: beforeClaim)
            let afterClaim = try await expectCurrent(true)
            try await expectStale(true, since: afterClaim)
            try await shop.release(TeamShop.ann)
            try await expectStale(true, since: afterClaim)
            let afterRelease = try await expectCurrent(false)
            try await expectStale(false, since: afterRelease)
        }
    }

    @Test func `during an outage, the entitlement of a member ends with the period of the subscription`() async throws {
        let storage = try UnreliableStorage()
        try await TeamShop.open(storage: storage) { shop async throws in
            try await shop.join(TeamShop.ann)
            shop.clock.advance(seconds: TeamShop.period * 86_400 - 60)
            #expect(try await shop.entitlement(of: TeamShop.ann).isActive)
            storage.fail(.locked)
            #expect(try await shop.entitlement(of: TeamShop.ann).isActive)
            shop.clock.advance(seconds: 60)
            let ended = try await shop.entitlement(of: TeamShop.ann)
            #expect(!ended.isActive && ended.staleSince != nil)
        }
    }
}
