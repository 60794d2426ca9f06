import Foundation
import OpenStoreKit
import PurchaseModel
import ServerProtocol
import StoreKit
import Wire

/// An app with StoreKit 2, which submits each transaction to the developer's server and finishes it when the server has it.
struct PlainApp: SimulatedApp {
    let session: AppSession

    func buy(_ id: ProductID, quantity: Int) async { await buy(id, quantity > 1 ? [.quantity(quantity)] : []) }

    func buy(_ id: ProductID, seats: Int) async { await buy(id, [.seats(seats)]) }

    private func buy(_ id: ProductID, _ options: Set<Product.PurchaseOption>) async {
        await session.onDevice {
            guard let product = try? await Product.products(for: [id.rawValue]).first else { return }
            var options = options
            if let token = UUID(uuidString: session.customer.rawValue) { options.insert(.appAccountToken(token)) }
            switch try? await product.purchase(options: options) {
            case .success(let result):
                session.promise(TransactionID("\(result.unsafePayloadValue.id)"), of: id)
                await deliver(result)
            case .pending: session.promise(nil, of: id)
            case .userCancelled, nil: break
            @unknown default: break
            }
        }
    }

    func restore() async {
        await Device.withUserGesture { await session.onDevice { try? await AppStore.sync() } }
        await update()
    }

    func debit(_ amount: Int64, key: String) async {
        guard (try? session.disk.set(amount, for: key, in: session.fuse)) != nil else { return }
        await sendDebit(amount, key)
    }

    private func sendDebit(_ amount: Int64, _ key: String) async {
        do throws(WireClientError) {
            _ = try await session.server.debit(DebitRequest(idempotencyKey: key, amount: amount))
        } catch {
            if error.isRetryable { return }
        }
        try? session.disk.set(nil, for: key, in: session.fuse)
    }

    func update() async {
        await session.device.waitUntilIdle()
        await session.onDevice {
            for await result in Transaction.unfinished { await deliver(result) }
        }
        for (key, amount) in session.disk.debits.sorted(by: { $0.key < $1.key }) { await sendDebit(amount, key) }
        await session.device.waitUntilIdle()
    }

    @MainActor
    private func deliver(_ result: VerificationResult<Transaction>) async {
        guard case .verified(let transaction) = result, !session.fuse.hasEnded,
            let reply = try? await session.server.submit([SignedTransaction(result.jwsRepresentation)]),
            let purchase = reply.results.first?.purchases.first, [.complete, .otherCustomer].contains(purchase.fulfillment),
            !session.fuse.step()
        else { return }
        await transaction.finish()
    }

    func view() async -> AppView {
        await session.onDevice {
            var view = AppView()
            for await result in Transaction.currentEntitlements {
                if case .verified(let transaction) = result { view.products.insert(ProductID(transaction.productID)) }
            }
            for await _ in Transaction.unfinished { view.unfinished += 1 }
            view.balance = try? await session.server.balances().amount()
            view.openDebits = Set(session.disk.debits.keys)
            return view
        }
    }

    func close() async {}
}
