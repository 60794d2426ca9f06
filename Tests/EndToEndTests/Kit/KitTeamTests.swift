import Foundation
import FoundationExtras
import LocalAppStore
import ProcessTestSupport
import PurchaseKit
import PurchaseModel
import PurchaseProof
import PurchaseServer
import PurchaseStorage
import PurchaseTestSupport
import ServerProtocol
import StoreProtocol
import StoreTestSupport
import Testing
import Wire
import WireClient

/// The kit's teams with a real server, which claims the seats at a local store.
@Suite struct KitTeamTests {
    private struct Backend {
        let store: StoreHarness
        let server: ServerBackend
        let publishableKey: String
        let verificationKeys: Data?
        let folder: TemporaryFolder

        /// Returns the teams of a new customer of the server.
        func teams(of customer: CustomerID) async throws -> Teams {
            let token = try await server.call(ServerEndpoints.createCustomer, CreateCustomerRequest(customer: customer)).token
            let credentials = ServerCredentials(
                publishableKey: publishableKey, customerToken: token, verificationKeys: verificationKeys)
            let connection = ServerConnection(serverURL: server.wire.baseURL, deviceVerificationID: nil) { _ in credentials }
            return Teams(connection.service)
        }

        /// Buys seats for a customer, and returns the identifier of the team.
        func buy(_ seats: Int, for customer: CustomerID) async throws -> TransactionID {
            let request = BuyRequest(account: .test, productID: "team.monthly", appAccountToken: customer, seats: seats)
            guard case .purchased(let signed, _) = try await store.call(ControlEndpoints.buy, request) else {
                throw SignedInDevice.NotPurchased()
            }
            try await server.submit(signed, for: customer)
            return try await store.payloads([signed])[0].originalTransactionId
        }

        /// Returns whether a customer has the entitlement of the product.
        func isEntitled(_ customer: CustomerID) async throws -> Bool {
            try await server.call(ServerEndpoints.entitlements, Empty(), customer).entitlements.contains {
                $0.name == "editor" && $0.isActive
            }
        }
    }

    private static func start() async throws -> Backend {
        let store = try await StoreHarness.start(storekit: Data(SeatCatalog.storekit(.developer).utf8))
        let folder = try TemporaryFolder()
        var app = AppConfiguration(
            bundleID: BundleID.test, products: [ServerProduct(id: "team.monthly", credits: nil, entitlements: ["editor"])],
            content: .folder(folder.url.path(percentEncoded: false)), receiptConfirmation: .off)
        app.appStoreServerAPI = AppStoreServerAPIKey(
            issuerID: store.store.apiKey.issuerID, keyID: store.store.apiKey.keyID, privateKey: store.store.apiKey.privateKeyPEM,
            baseURL: store.url)
        let server = try await PurchaseServer(
            configuration: PurchaseServerConfiguration(
                apps: [app], environment: .sandbox, roots: TrustedRoots.apple(and: store.store.rootsPEM, in: [.sandbox]),
                database: .memory, requestRates: RequestRates(installation: RequestRate(perSecond: 0, burst: 0))),
            logger: .silent)
        let url = try await StoreHarness.serve { server.application(hostname: "127.0.0.1", port: 0, onServerRunning: $0) }
        let keys = try #require(server.apiKeys(of: BundleID.test))
        return Backend(
            store: store, server: ServerBackend(wire: WireClient(baseURL: url), key: try await keys.create(.secret).text),
            publishableKey: try await keys.create(.publishable, scopes: [.submitPurchases, .readCustomers]).text,
            verificationKeys: server.verificationKeys(of: BundleID.test), folder: folder)
    }

    @Test func `an owner invites a member, who has the entitlement until the removal`() async throws {
        let backend = try await Self.start()
        let (owner, member) = (CustomerID(UUID()), CustomerID(UUID()))
        let (owners, members) = (try await backend.teams(of: owner), try await backend.teams(of: member))
        let id = try await backend.buy(2, for: owner)
        let team = try #require(try await owners.read().owned.first)
        #expect(team.id == id && team.seats == 2 && team.text == "2 of 2 seats are free." && team.members.isEmpty)

        let invitation = try await owners.invite(to: id, note: "Ann", expiringAfter: .seconds(3_600))
        #expect(try await !backend.isEntitled(member))
        let seat = try await members.join(with: invitation.token)
        #expect(seat.team == id && seat.until != nil)
        #expect(try await members.join(with: invitation.token) == seat)
        #expect(try await backend.isEntitled(member))
        #expect(try await members.read().seats == [seat])
        let claims = try await backend.store.call(ControlEndpoints.seats, Empty(), ["transaction": id.rawValue]).claims
        #expect(claims.count == 1)

        let joined = try #require(try await owners.read().owned.first)
        let ann = try #require(joined.members.first)
        #expect(joined.text == "1 of 2 seats is free." && ann.customer == member && ann.text == "The member uses a seat.")
        let after = try await owners.remove(ann, from: id)
        #expect(after.members.allSatisfy { $0.state == .releasing } && after.free + after.members.count == 2)
        #expect(try await !backend.isEntitled(member))
    }

    @Test func `an invitation admits one customer, and each seat admits one member`() async throws {
        let backend = try await Self.start()
        let owner = CustomerID(UUID())
        let owners = try await backend.teams(of: owner)
        let id = try await backend.buy(2, for: owner)
        let (ann, bob) = (try await backend.teams(of: CustomerID(UUID())), try await backend.teams(of: CustomerID(UUID())))
        let first = try await owners.invite(to: id)
        _ = try await ann.join(with: first.token)
        _ = try await backend.teams(of: CustomerID(UUID())).join(with: owners.invite(to: id).token)
        await #expect(throws: TeamError.self) { try await bob.join(with: first.token) }
        let second = try await owners.invite(to: id)
        do {
            _ = try await bob.join(with: second.token)
            Issue.record("The team has two seats.")
        } catch {
            #expect(error.kind == .noAvailableSeats)
        }
        try await ann.leave(id)
        _ = try await bob.join(with: second.token)
        do {
            _ = try await bob.join(with: "unknown")
            Issue.record("No invitation has the token.")
        } catch {
            #expect(error.kind == .invalidInvitation && error.errorDescription == error.message)
        }
        let third = try await owners.invite(to: id)
        #expect(try await owners.withdraw(third.id, of: id).invitations.isEmpty)
    }

    @Test func `an app without a server has no teams`() async throws {
        let teams = Teams(nil)
        do {
            _ = try await teams.read()
            Issue.record("The app has no server.")
        } catch {
            #expect(error.kind == .refused)
        }
    }
}
