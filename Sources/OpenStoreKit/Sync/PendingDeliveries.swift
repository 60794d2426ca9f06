import Logging
package import PurchaseModel
import StoreProtocol

/// A message or a promoted in-app purchase that the app has not yet handled, with the identifier for acknowledging it.
package struct PendingDelivery<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value to deliver.
    package let value: Value
    /// The identifier that the device stores after the app has handled the value.
    package let deliveryID: DeliveryID
}

/// The identifier of a message or a promoted in-app purchase that the app receives once.
///
/// The device stores the identifier only after the app has handled the message or purchase. A delivery that a crash interrupts is therefore
/// repeated.
package struct DeliveryID: Hashable, Sendable {
    /// The name of the message or purchase, which is the same for repeated deliveries, such as `promotion-12`.
    package let name: String
    /// The account that receives the message or purchase.
    package let account: AccountID
}

/// Delivers the store's messages and promoted in-app purchases to the app, each once.
///
/// A delivery is repeated at the next launch until the app has handled it.
final class PendingDeliveries {
    private let queue: PaymentQueue
    private let deviceEvents: DeviceEvents
    private let logger: Logger
    /// The messages and promoted in-app purchases that were announced to the app in this app session.
    private var announced: Set<DeliveryID> = []

    init(queue: PaymentQueue, deviceEvents: DeviceEvents, logger: Logger) {
        self.queue = queue
        self.deviceEvents = deviceEvents
        self.logger = logger
    }

    /// Announces the promoted in-app purchases and messages of an account that the app has not received.
    func announce(_ promotions: [PromotedPurchase], _ messages: [StoreMessage], of account: AccountID) {
        for promotion in promotions {
            guard let delivery = delivery(promotion, DeliveryID(name: "promotion-\(promotion.id)", account: account)) else { continue }
            queue.announce(.promoted(delivery))
            deviceEvents.promotions.announce(delivery)
        }
        for message in messages {
            guard let delivery = delivery(message, DeliveryID(name: "message-\(message.id)", account: account)) else { continue }
            // An app that listens to messages shows them itself; for other apps the system shows them.
            if !deviceEvents.messages.announce(delivery) { queue.announce(.message(delivery)) }
        }
    }

    /// Returns a value for delivery to the app, or nil if it was delivered in this app session or handled in an earlier one.
    private func delivery<Value>(_ value: Value, _ deliveryID: DeliveryID) -> PendingDelivery<Value>? {
        // When the journal can't be read, the delivery is repeated.
        guard !announced.contains(deliveryID), (try? queue.journal.isAcknowledged(deliveryID)) != true else { return nil }
        announced.insert(deliveryID)
        return PendingDelivery(value: value, deliveryID: deliveryID)
    }

    /// Records that the app has handled a message or a promoted in-app purchase.
    ///
    /// If the journal can't be written, the message or purchase stays pending, and the next launch delivers it again.
    func acknowledge(_ deliveryID: DeliveryID) {
        guard !queue.isClosed else { return }
        do {
            try queue.journal.acknowledge(deliveryID)
        } catch {
            logger.notice("an acknowledgment can't be written", metadata: ["message": "\(deliveryID.name)", "error": "\(error)"])
            return
        }
        deviceEvents.promotions.forget { $0.deliveryID == deliveryID }
        deviceEvents.messages.forget { $0.deliveryID == deliveryID }
    }

    /// Drops what is pending for the previous account; the store sends it again when that account signs in.
    func ownerChanged() {
        announced = []
        deviceEvents.promotions.forget { _ in true }
        deviceEvents.messages.forget { _ in true }
    }
}
