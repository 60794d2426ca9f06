import Foundation
import FoundationExtras
import HTTPTypes
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import Synchronization
import Wire

/// Carries the store's notifications to the developer's server, and notes which of them the server acknowledges.
final class NotificationInbox: Sendable {
    private let network: SimulatedNetwork
    private let verifier: SignedDataVerifier
    private let acknowledgments: Acknowledgments
    private let plantedFault: PlantedFault?
    private let server = Mutex<SimulatedServer?>(nil)

    init(network: SimulatedNetwork, verifier: SignedDataVerifier, acknowledgments: Acknowledgments, plantedFault: PlantedFault?) {
        self.network = network
        self.verifier = verifier
        self.acknowledgments = acknowledgments
        self.plantedFault = plantedFault
    }

    /// Delivers the notifications to a server; nil to deliver none.
    func connect(to server: SimulatedServer?) {
        self.server.withLock { $0 = server }
    }

    func post(_ body: String) async -> SendAttemptResult {
        guard let server = server.withLock({ $0 }) else { return .noResponse }
        do {
            let status = try await network.carry(on: .notifications) { [plantedFault] in
                let deliver = { () async throws -> Int in
                    try await server.send(
                        .post, ServerEndpoints.notifications.template, [.contentType: "application/json"], Data(body.utf8)
                    ).status
                }
                guard let plantedFault else { return try await deliver() }
                return try await plantedFault.deliver(body, deliver)
            }
            guard (200..<300).contains(status) else { return .unsuccessfulStatus }
            let request = try WireJSON.decode(NotificationRequest.self, from: Data(body.utf8))
            let notification = try await verifier.verify(request.signedPayload)
            acknowledgments.change { _ = $0.notifications.insert(notification.notification.payload.notificationUUID) }
            return .success
        } catch {
            return .noResponse
        }
    }
}
