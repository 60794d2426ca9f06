/// The parts of ``Purchases`` that run outside of the main actor.
struct PurchaseParts: Sendable {
    let session: PurchasesSession
    let engine: FulfillmentEngine
    let ledger: CreditLedger
    let installer: ContentInstaller
    let reader: PurchaseReader
    let loader: ProductLoader
    let importer: PurchaseImporter
    let restored = RestoredTransactions()
    let retryTimers: [RetryTimer]
    /// The timer that retries failed requests for the customer's purchases or the lease; one of ``retryTimers``.
    let serverRetries: RetryTimer

    /// A weak reference to the app's purchases, to which the parts report.
    @MainActor
    final class Relay {
        weak var purchases: Purchases?
    }

    @MainActor
    init(_ configuration: PurchasesConfiguration, _ clock: TrustedClock, _ relay: Relay) {
        let (vault, service) = (configuration.vault, configuration.server?.service)
        let session = PurchasesSession(customer: configuration.customer)
        self.session = session
        retryTimers = (0..<5).map { _ in RetryTimer(schedule: configuration.retrySchedule, clock: configuration.clock) }
        serverRetries = retryTimers[4]
        ledger = CreditLedger(
            vault: vault, session: session, service: service, retries: retryTimers[0],
            refused: { debit in await relay.purchases?.refuse(debit) },
            failed: { error in await relay.purchases?.ledgerAnswered(error) })
        installer = ContentInstaller(
            vault: vault, session: session, fulfillments: configuration.fulfillments, limit: configuration.simultaneousDownloads,
            retries: retryTimers[3], report: { report in await relay.purchases?.receive(report) })
        engine = FulfillmentEngine(
            vault: vault, verifier: configuration.verifier, fulfillments: configuration.fulfillments, service: service,
            session: session, ledger: ledger, installer: installer,
            serverAnswered: { error in await relay.purchases?.serverAnswered(error) },
            retries: retryTimers[1], report: { report in await relay.purchases?.receive(report) }, step: configuration.step)
        reader = PurchaseReader(
            vault: vault, session: session, verifier: configuration.verifier, service: service, clock: clock,
            serverAnswered: { error in await relay.purchases?.serverAnswered(error) })
        importer = PurchaseImporter(
            vault: vault, session: session, verifier: configuration.verifier, leaseVerifier: configuration.leaseVerifier,
            hasServer: service != nil, clock: clock,
            account: Purchases.account)
        loader = ProductLoader(
            source: configuration.products, vault: vault, session: session, service: service, retries: retryTimers[2],
            report: { result in await relay.purchases?.receive(result) })
    }
}
