import Hummingbird
import PurchaseModel
import PurchaseProtocol
import WireServer

/// Adds the routes of the control API, except faults, notifications and events; see `ControlEndpoints`.
struct ControlController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        addApps(to: router)
        addAccounts(to: router)
        addPurchases(to: router)
        addRefunds(to: router)
        addTime(to: router)
    }

    private func addApps(to router: Router<StoreRequestContext>) {
        router.mount(ControlEndpoints.apps) { _, _, context in
            AppsReply(apps: try context.ledger.apps.all.map(\.description))
        }
        router.mount(ControlEndpoints.setApp) { body, _, context in
            try await context.ledger.setApp(BundleID(try context.parameter("bundle")), body)
        }
        router.mount(ControlEndpoints.products) { _, _, context in
            let app = try context.ledger.apps.require(BundleID(try context.parameter("bundle")))
            return ProductsReply(products: app.catalog.products, invalidProductIDs: [])
        }
    }

    private func addAccounts(to router: Router<StoreRequestContext>) {
        router.mount(ControlEndpoints.createAccount) { body, _, context in
            try await context.ledger.createAccount(body)
            return Empty()
        }
        router.mount(ControlEndpoints.accounts) { _, _, context in
            try await context.ledger.accounts()
        }
        router.mount(ControlEndpoints.setAccount) { body, _, context in
            let account = try await context.ledger.setAccount(AccountID(try context.parameter("account")), body)
            try await deliver(context)
            return account
        }
        router.mount(ControlEndpoints.charges) { _, _, context in
            try await context.ledger.charges(of: AccountID(try context.parameter("account")))
        }
        router.mount(ControlEndpoints.transactions) { _, _, context in
            try await context.ledger.transactions(of: AccountID(try context.parameter("account")))
        }
        router.mount(ControlEndpoints.subscriptions) { _, _, context in
            try await context.ledger.subscriptions(of: AccountID(try context.parameter("account")))
        }
        router.mount(ControlEndpoints.setPaymentMethod) { body, _, context in
            try await context.ledger.setPaymentMethod(of: AccountID(try context.parameter("account")), isValid: body.isValid)
            try await deliver(context)
            return Empty()
        }
        router.mount(ControlEndpoints.setDevice) { body, _, context in
            try await context.ledger.setRestricted(body.isRestricted, device: DeviceID(try context.parameter("device")))
            return Empty()
        }
    }

    private func addPurchases(to router: Router<StoreRequestContext>) {
        router.mount(ControlEndpoints.buy) { body, _, context in
            let reply = try await context.ledger.buy(body)
            try await deliver(context)
            return reply
        }
        router.mount(ControlEndpoints.approvals) { _, _, context in
            try await context.ledger.pendingPayments(.deferred)
        }
        router.mount(ControlEndpoints.decideApproval) { body, _, context in
            try await context.ledger.decide(PaymentID(try context.parameter("payment")), approve: body.approve)
            try await deliver(context)
            return Empty()
        }
        router.mount(ControlEndpoints.interruptions) { _, _, context in
            try await context.ledger.pendingPayments(.interrupted)
        }
        router.mount(ControlEndpoints.resolveInterruption) { _, _, context in
            try await context.ledger.resolve(PaymentID(try context.parameter("payment")))
            try await deliver(context)
            return Empty()
        }
        router.mount(ControlEndpoints.changeSubscription) { body, _, context in
            let subscription = try await context.ledger.performAction(body, on: TransactionID(try context.parameter("transaction")))
            try await deliver(context)
            return subscription
        }
        router.mount(ControlEndpoints.promote) { body, _, context in
            try await context.ledger.promote(body)
            return Empty()
        }
    }

    private func addRefunds(to router: Router<StoreRequestContext>) {
        router.mount(ControlEndpoints.refund) { body, _, context in
            try await context.ledger.refund(body)
            try await deliver(context)
            return Empty()
        }
        router.mount(ControlEndpoints.reverseRefund) { body, _, context in
            try await context.ledger.reverseRefund(of: body.transactionID)
            try await deliver(context)
            return Empty()
        }
        router.mount(ControlEndpoints.requestRefund) { body, _, context in
            let request = try await context.ledger.requestRefund(body)
            try await deliver(context)
            return request
        }
        router.mount(ControlEndpoints.refundRequests) { _, _, context in
            try await context.ledger.refundRequests()
        }
        router.mount(ControlEndpoints.decideRefund) { body, _, context in
            guard let id = Int64(try context.parameter("request")) else { throw StoreError.refundRequestUnknown }
            try await context.ledger.decideRefund(id, approve: body.approve)
            try await deliver(context)
            return Empty()
        }
    }

    private func addTime(to router: Router<StoreRequestContext>) {
        router.mount(ControlEndpoints.clock) { _, _, context in
            try await context.ledger.time()
        }
        router.mount(ControlEndpoints.advance) { body, _, context in
            let time = try await context.store.advance(seconds: body.seconds, isContinuation: body.isContinuation == true)
            try await deliver(context)
            return time
        }
        router.mount(ControlEndpoints.setClock) { body, _, context in
            let time = try await context.store.set(body)
            try await deliver(context)
            return time
        }
    }

    /// Sends the notifications that a request caused before the store responds, so that the developer's server is up to date afterwards.
    ///
    /// The effects of the request are already saved; the store sends a notification again later if the attempt fails.
    private func deliver(_ context: StoreRequestContext) async throws(StoreError) {
        try await context.store.notifier.deliverSoon()
    }
}
