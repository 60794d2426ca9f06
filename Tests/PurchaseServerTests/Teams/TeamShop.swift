import Crypto
import Foundation
import FoundationExtras
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// A shop whose customer bought seats with developer-hosted invitations.
struct TeamShop: Sendable {
    /// The team: the subscription of the shop's customer.
    static let team: TransactionID = "700000000000040"
    static let (ann, bob, cat, dan) = (member(1), member(2), member(3), member(4))
    /// The length of a period in days.
    static let period: Int64 = 30

    let shop: Shop
    let seats: SeatStore
    let timer: InstantTimer
    var clock: ManualClock { shop.clock }
    /// The services of the app.
    var app: AppServices { get throws { try #require(shop.server.apps[.test]) } }

    static func member(_ number: Int) -> CustomerID { CustomerID("0000000\(number)-1111-4222-8333-444444444444") }

    /// Opens a shop with three seats for `body`.
    static func open(
        database: PurchaseDatabase? = nil, storage base: (any PurchaseStorage)? = nil, policy: TeamPolicy = TeamPolicy(),
        _ body: @Sendable @escaping (TeamShop) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try Shop.bookText.write(to: folder.file("book.txt"))
            var configuration = try Shop.configuration(contentFolder: folder.url.path())
            configuration.database = if let database { database } else { try await ShopDatabase.make() }
            if case .postgres = configuration.database { configuration.secretKeyFile = folder.file("server.key").path() }
            configuration.apps[0].receiptConfirmation = .off
            configuration.apps[0].teams = policy
            configuration.apps[0].appStoreServerAPI = AppStoreServerAPIKey(
                issuerID: UUID().uuidString, keyID: "ABC1234567", privateKey: P256.Signing.PrivateKey().pemRepresentation)
            let (clock, seats, timer) = (ManualClock(), SeatStore(), InstantTimer())
            let checked = base == nil ? CheckedStorage(try await PurchaseServer.open(configuration.database)) : nil
            let storage = try #require(base ?? checked)
            let server = try await PurchaseServer(
                configuration: configuration, storage: storage, appStore: seats, clock: clock, transportClock: clock,
                timer: timer, logger: .silent, comparison: nil)
            try await server.application(hostname: "127.0.0.1", port: 0) { _ in }.test(.live) { client in
                let service = try #require(server.apiKeys(of: .test))
                let keys = Shop.Keys(
                    publishable: try await service.create(.publishable).text, secret: try await service.create(.secret).text,
                    admin: try await service.create(.admin).text)
                let token = try await #require(server.apps[.test]?.customers).issueToken(for: .id(Shop.customer)).token
                let shop = Shop(
                    folder: folder, clock: clock, appStore: FakeAppStore(), server: server, storage: checked, client: client, keys: keys,
                    customerToken: token)
                try await shop.record(.seats(3), by: shop.app)
                try await body(TeamShop(shop: shop, seats: seats, timer: timer))
            }
            #expect(checked?.violations ?? [] == [])
        }
    }

    // MARK: Requests

    private static let parameters = ["team": team.rawValue]

    /// Creates an invitation, and returns its token.
    func invite(expiresInSeconds seconds: Int64? = nil) async throws -> String {
        try await shop.call(ServerEndpoints.inviteMember, InviteMemberRequest(expiresInSeconds: seconds), Self.parameters)
            .value(InvitationReply.self).token
    }

    /// Claims a seat for a customer.
    @discardableResult
    func claim(_ token: String, for customer: CustomerID, appTransactionID: String? = nil) async throws -> Answer {
        try await shop.call(
            ServerEndpoints.claimSeat, ClaimTeamSeatRequest(token: token, appTransactionID: appTransactionID),
            by: .backend(customer.rawValue))
    }

    /// Invites customers, who claim seats one after another.
    func join(_ customers: CustomerID...) async throws {
        for customer in customers {
            #expect(try await claim(invite(), for: customer).status == .ok)
            clock.advance(seconds: 1)
        }
    }

    /// Releases the seat of a member.
    @discardableResult
    func release(_ member: CustomerID) async throws -> Answer {
        let invitation = try #require(try await team().members.first { $0.customer == member }?.invitation)
        return try await release(invitation: invitation)
    }

    /// Releases the seat of the member who accepted an invitation.
    func release(invitation: String) async throws -> Answer {
        try await shop.call(ServerEndpoints.releaseMember, Empty(), Self.parameters.merging(["invitation": invitation]) { $1 })
    }

    /// Reads the team of the shop's customer, or of another customer.
    func team(of owner: CustomerID = Shop.customer) async throws -> TeamReply {
        try await shop.call(ServerEndpoints.team, Empty(), Self.parameters, by: .backend(owner.rawValue)).value()
    }

    /// Reads the entitlement that the seats give.
    func entitlement(of customer: CustomerID, at date: Timestamp? = nil) async throws -> EntitlementReply {
        try await shop.entitlement(
            to: EntitlementName(ProductID.magazine.rawValue), query: date.map { "?at=\($0.milliseconds)" } ?? "",
            by: .backend(customer.rawValue))
    }

    /// Returns the customers of a list who have access.
    func active(_ customers: [CustomerID] = [ann, bob, cat, dan]) async throws -> [CustomerID] {
        var active: [CustomerID] = []
        for customer in customers where try await entitlement(of: customer).isActive { active.append(customer) }
        return active
    }

    /// Returns the App Store's identifier of a member's claim.
    func claimID(of member: CustomerID) async throws -> String {
        let claims = try await shop.server.storage.read(.test) { try $0.unreleasedClaims(of: Self.team) }
        return try #require(claims.first { $0.customer == member }?.seatClaimID)
    }

    // MARK: The App Store

    /// Delivers a notification about the subscription.
    func notify(_ transaction: TransactionPayload, _ renewal: RenewalInfoPayload? = nil, type: String) async throws {
        #expect(try await shop.notify(.about(transaction, renewal, type: type)).status == .ok)
    }

    /// Delivers an `UNCLAIM_SEATS` notification.
    func notifyUnclaim(_ ids: [String], uuid: String = UUID().uuidString) async throws -> Answer {
        var payload = NotificationPayload(
            notificationType: NotificationType.unclaimSeats.rawValue, subtype: nil, notificationUUID: uuid, signedDate: clock.now,
            subject: .unknown(UnknownNotificationSubject()))
        payload.unclaimInfo = UnclaimInfo(unclaimSeatIds: ids)
        return try await shop.notify(payload)
    }

    /// Delivers the notification that the subscription has expired; transactions with one seat state no seats.
    func expire(afterPeriods count: Int64 = 1, seats: Int = 3) async throws {
        let end = Timestamp.testStart.adding(days: Self.period * count)
        var renewal = RenewalInfoPayload.sample(original: Self.team, autoRenewStatus: 0, date: end.adding(seconds: 1))
        renewal.expirationIntent = 1
        try await notify(seats == 1 ? .oneSeat(period: count - 1) : .seats(seats, period: count - 1), renewal, type: "EXPIRED")
    }

    /// Renews the subscription with a number of seats.
    func renew(_ seats: Int) async throws {
        clock.advance(seconds: Self.period * 86_400)
        self.seats.seats = seats
        try await notify(.seats(seats, period: 1), type: "DID_RENEW")
    }

    /// Lets time pass, also for the pause of the client after failed requests.
    func pass(seconds: Int64) {
        clock.advance(seconds: seconds)
        timer.advance(by: .seconds(seconds))
    }

    /// Checks the teams whose checks are due.
    @discardableResult
    func check() async throws -> TeamKeeper.Differences { try await app.teams.keeper.checkDue() }
}

extension TransactionPayload {
    /// A transaction for one seat, which states no seats.
    static func oneSeat(period: Int64) -> TransactionPayload { seats(1, period: period).with { $0.multiSeatInfo = nil } }

    /// A transaction for seats of the shop's customer.
    static func seats(_ count: Int, period: Int64 = 0, customer: CustomerID = Shop.customer) -> TransactionPayload {
        let start = Timestamp.testStart.adding(days: TeamShop.period * period)
        let id: TransactionID = period == 0 ? TeamShop.team : TransactionID("\(TeamShop.team.rawValue)\(period)")
        return sale(.magazine, .autoRenewable, id: id, expires: start.adding(days: TeamShop.period)).with {
            $0.originalTransactionId = TeamShop.team
            ($0.purchaseDate, $0.signedDate) = (start, start)
            $0.webOrderLineItemId = "9\(period)"
            $0.transactionReason = period == 0 ? "PURCHASE" : "RENEWAL"
            $0.inAppOwnershipType = Ownership.purchased.rawValue
            $0.appAccountToken = customer
            $0.quantity = count
            $0.multiSeatInfo = TransactionMultiSeatInfo(
                invitationManagement: InvitationManagement.developer.rawValue,
                priceTiers: [MultiSeatPriceTier(price: 990, quantity: count)])
        }
    }
}
