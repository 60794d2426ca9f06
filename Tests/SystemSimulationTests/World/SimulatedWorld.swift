import Foundation
import OpenStoreKit
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport

@testable import PurchaseServer
@testable import PurchaseStorage

/// The store, the developer's server and the network between them and the devices, on one virtual clock.
final class SimulatedWorld: Sendable {
    /// The number of accounts that have devices; the other accounts are members of groups.
    static let accountCount = 2
    static let memberCount = 4
    /// The verifier of what the stores of all simulations sign, which share their certificates.
    private static let verifier = Result { try TestAuthority.shared.verifier() }

    let clock = SimulatedClock()
    let network = SimulatedNetwork()
    let acknowledgments = Acknowledgments()
    let store: SimulatedStore
    let server: SimulatedServer
    let plantedFault: PlantedFault?
    private let inbox: NotificationInbox
    let accounts: [AccountID] = ["ada@example.com", "bob@example.com", "cat@example.com", "dan@example.com"]
    let customers: [CustomerID] = [
        "0a0a0a0a-1111-4222-8333-444444444444", "0b0b0b0b-1111-4222-8333-444444444444", "0c0c0c0c-1111-4222-8333-444444444444",
        "0d0d0d0d-1111-4222-8333-444444444444",
    ]

    init(policy: RefundPolicy, plantedFault: PlantedFault?) async throws {
        self.plantedFault = plantedFault
        let verifier = try Self.verifier.get()
        inbox = NotificationInbox(
            network: network, verifier: verifier, acknowledgments: acknowledgments, plantedFault: plantedFault)
        store = try await SimulatedStore(base: clock, verifier: verifier, plantedFault: plantedFault) { [inbox] in await inbox.post($0) }
        let disk = try SQLitePurchaseStorage(.memory)
        try plantedFault?.plant(inServer: disk.writer)
        server = try await SimulatedServer(
            disk: disk, policy: policy, customers: customers, store: store, network: network, base: clock, plantedFault: plantedFault)
        inbox.connect(to: server)
        for account in accounts { try await store.createAccount(account) }
    }

    /// Separates the store and the server, which otherwise keep each other in memory.
    func close() { inbox.connect(to: nil) }

    func credentials(of account: Int) -> Credentials { Credentials(of: accounts[account]) }
}
