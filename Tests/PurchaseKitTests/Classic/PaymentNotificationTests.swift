import Dispatch
import Foundation
import OpenStoreKit
import PurchaseModel
import PurchaseTestSupport
import StoreKit
import StoreTestSupport
import Synchronization
import Testing

@testable import PurchaseKit

/// The notifications for older code.
@Suite struct PaymentNotificationTests {
    /// The notifications of an observer.
    private final class Posted: Sendable {
        struct Entry: Hashable, Sendable {
            var name: Notification.Name
            var product: String?
            var transaction: String?
            var code: Int?
            var isOnMainQueue: Bool
        }

        /// A key that only the main queue has. On Linux, several threads can serve the main queue, so that the thread says nothing.
        private static let mainKey = DispatchSpecificKey<Bool>()
        private let entries = Mutex<[Entry]>([])

        init(of observer: PaymentObserver) {
            DispatchQueue.main.setSpecific(key: Self.mainKey, value: true)
            for name in [PaymentObserver.purchaseSucceeded, PaymentObserver.purchaseFailed, PaymentObserver.requestFailed] {
                _ = NotificationCenter.default.addObserver(forName: name, object: observer, queue: nil) { [weak self] notification in
                    let info = notification.userInfo
                    let entry = Entry(
                        name: notification.name, product: info?[PaymentObserver.productIDKey] as? String,
                        transaction: info?[PaymentObserver.transactionIDKey] as? String,
                        code: (info?[PaymentObserver.errorKey] as? NSError)?.code,
                        isOnMainQueue: DispatchQueue.getSpecific(key: Self.mainKey) != nil)
                    self?.entries.withLock { $0.append(entry) }
                }
            }
        }

        var all: [Entry] { entries.withLock { $0 } }
    }

    private let credits = SampleProduct.credits5

    @Test func `success, failure and a failed request are posted on the main thread, and a cancellation is not`() async throws {
        let phone = try await Phone()
        let app = try await ClassicApp.launch(phone)
        let posted = Posted(of: app.observer)
        let id = try #require(await app.buyDelivered(credits))
        try await eventually { posted.all.count == 1 }
        await app.buy(credits, quantity: 11)
        try await eventually { posted.all.count == 2 }
        phone.user.script(confirmations: [false])
        #expect(await app.buy(credits) == .canceled)
        phone.transport.set(offline: true)
        await #expect(throws: PurchaseFailure.self) { try await app.onDevice { try await app.observer.products([credits]) } }
        try await eventually { posted.all.count == 3 }
        #expect(
            posted.all == [
                .init(
                    name: PaymentObserver.purchaseSucceeded, product: credits.rawValue, transaction: id.rawValue, code: nil,
                    isOnMainQueue: true),
                .init(name: PaymentObserver.purchaseFailed, product: credits.rawValue, transaction: nil, code: 3, isOnMainQueue: true),
                .init(name: PaymentObserver.requestFailed, product: nil, transaction: nil, code: 0, isOnMainQueue: true),
            ])
    }

    @Test func `a store that can't be reached at the launch is posted as a failed request`() async throws {
        let phone = try await Phone()
        phone.transport.set(offline: true)
        let app = try await ClassicApp.launch(phone, listening: .queue)
        let posted = Posted(of: app.observer)
        await app.onDevice { await app.purchases.loadProducts() }
        try await eventually { posted.all.map(\.name) == [PaymentObserver.requestFailed] }
    }
}
