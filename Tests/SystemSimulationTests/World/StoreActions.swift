import OpenStoreKit
import PurchaseModel
import StoreProtocol
import StoreTestSupport

/// The actions of a script in the store, which can refuse them, or end meanwhile.
struct StoreActions {
    let world: SimulatedWorld

    func perform(_ step: SimulationStep, _ number: Int) async throws {
        do {
            try await performOrThrow(step, number)
        } catch is Refused {
            // An action that the store refuses changes nothing.
        } catch is StoreTransportError {
            // The store's process has ended.
        }
    }

    private func performOrThrow(_ step: SimulationStep, _ number: Int) async throws {
        let store = world.store
        switch step {
        case .autoRenew(let account, let isOn):
            guard let subscription = try await subscription(of: account) else { return }
            if !isOn { world.acknowledgments.seatsCanEnd(of: account, fromNowOn: true) }
            try await store.perform(SubscriptionRequest(isOn ? .enableAutoRenew : .disableAutoRenew), on: subscription)
        case .extend(let account, let days):
            // The notification of an extension states only one transaction of the period. If that transaction is refunded, the server knows
            // the earlier end of the added seats until it reads the history of the store.
            guard let subscription = try await subscription(of: account), try await !store.hasAddedSeats(subscription) else { return }
            try await store.perform(SubscriptionRequest(.extend, days: days), on: subscription)
        case .paymentMethod(let account, let isValid):
            guard world.accounts.indices.contains(account) else { return }
            if !isValid {
                world.acknowledgments.change { _ = $0.decliningAccounts.insert(account) }
                world.acknowledgments.seatsCanEnd(of: account, fromNowOn: true)
            }
            try await store.setPaymentMethod(isValid: isValid, of: world.accounts[account])
        case .askToBuy(let account, let isOn):
            guard world.accounts.indices.contains(account) else { return }
            if isOn { world.acknowledgments.change { _ = $0.decliningAccounts.insert(account) } }
            try await store.set(world.accounts[account]) { $0.askToBuyEnabled = isOn }
        case .decide(let approves):
            guard let pending = try await store.pendingApprovals().first else { return }
            try await store.decide(pending.payment, approve: approves)
        case .buyInStore(let account, let item):
            guard world.accounts.indices.contains(account) else { return }
            let payment = PaymentID("00000000-0000-4000-8000-\(String(1_000_000_000_000 + number).dropFirst())")
            world.acknowledgments.change {
                $0.payments[payment.rawValue] = Acknowledgments.Payment(account: account, product: item.id)
            }
            _ = try await store.call(
                ControlEndpoints.buy,
                BuyRequest(
                    account: world.accounts[account], productID: item.id, appAccountToken: world.customers[account], payment: payment))
        case .refund(let charge, let percent):
            guard let transaction = try await transaction(charge) else { return }
            world.acknowledgments.seatsCanEnd(of: nil)
            try await store.refund(transaction, percentage: (1..<100).contains(percent) ? percent * 1_000 : nil)
        case .reverseRefund(let charge):
            guard let transaction = try await transaction(charge) else { return }
            _ = try await store.call(ControlEndpoints.reverseRefund, ReverseRefundRequest(transactionID: transaction))
        case .wait(let hours):
            try await store.advance(seconds: Int64(hours) * 3_600)
            await world.server.reconcile()
        default: break
        }
    }

    private func subscription(of account: Int) async throws -> TransactionID? {
        guard world.accounts.indices.contains(account) else { return nil }
        return try await world.store.latestSubscription(of: world.accounts[account])
    }

    /// A charged transaction, counted from the first one and again from the beginning after the last one.
    private func transaction(_ number: Int) async throws -> TransactionID? {
        let transactions = try await world.store.refundableTransactions()
        return transactions.isEmpty ? nil : transactions[number % transactions.count]
    }
}
