import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreTestSupport

@testable import PurchaseServer
@testable import PurchaseStorage

/// A server in miniature whose decisions can have a fault, to show that the histories find such faults.
///
/// It keeps the signed events of the messages in memory, and decides with a copy of the recorder's few steps. Each fault changes one of them,
/// and production code has no switch for it. Without a fault, the outcomes equal the store's records like those of the real server, so
/// only the fault can make the comparison fail. The comparison is the one with which ``HistoryTests`` checks the real server.
struct FaultyServer {
    /// A fault in a decision about entitlements or credits.
    enum Fault: CaseIterable {
        case ignoresSignatureDates, latestReceivedWins, ignoresRevocations, ignoresReversals, forgetsGracePeriod
        case takesEarlierPeriodAfterRefund, oldestRenewalInfoWins, creditsRestores, creditsEachNotification, ignoresPercentages
        case endsFreezeWithDebt, latestPurchaseDateWins
    }

    /// The events of one message, and whether it is a notification.
    struct Arrival {
        let events: [SignedEvent]
        let isNotification: Bool
    }

    let fault: Fault?
    private var known: Set<[SignedEvent]> = []
    /// The events of each purchase in the order of their arrival.
    private var events: [TransactionID: [SignedEvent]] = [:]
    private var notifications: [TransactionID: [SignedEvent]] = [:]
    /// The credits of each purchase of each customer.
    private var credits: [CustomerID: [TransactionID: Int64]] = [:]
    private var debited: [CustomerID: Int64] = [:]
    private var frozen: Set<CustomerID> = []
    private var oracle = FreezeOracle()

    /// Returns the outcome at the end of a history for a server that receives messages.
    static func outcomes(of history: StoreHistory, receiving arrivals: [Arrival], with fault: Fault?) -> PurchaseOutcomes {
        var server = FaultyServer(fault: fault)
        for arrival in arrivals {
            server.receive(arrival)
            server.debit(after: arrival)
        }
        return server.outcomes(of: history)
    }

    private init(fault: Fault?) {
        self.fault = fault
    }

    private mutating func receive(_ arrival: Arrival) {
        // A notification is known by its UUID, and other data by its content.
        guard known.insert(arrival.events).inserted else { return }
        for event in arrival.events {
            events[event.transaction.originalTransactionId, default: []].append(event)
            if arrival.isNotification { notifications[event.transaction.originalTransactionId, default: []].append(event) }
        }
    }

    /// Debits all credits of the customers of a message, with the policy `freeze`: the next refund makes their balances negative.
    private mutating func debit(after arrival: Arrival) {
        var customers: Set<CustomerID> = []
        for id in Set(arrival.events.map(\.transaction.originalTransactionId)) {
            guard let events = events[id], let customer = events.compactMap(\.transaction.appAccountToken).first else { continue }
            credits[customer, default: [:]][id] = credits(of: events, notifications[id, default: []])
            customers.insert(customer)
        }
        for customer in customers.sorted() {
            let balance = credits[customer, default: [:]].values.reduce(0, +) - debited[customer, default: 0]
            oracle.observe(balance: balance, of: customer)
            if balance < 0 { frozen.insert(customer) } else if fault == .endsFreezeWithDebt { frozen.remove(customer) }
            guard balance > 0 else { continue }
            let isFrozen = frozen.contains(customer)
            if !isFrozen { debited[customer, default: 0] += balance }
            oracle.check(isFrozen ? .frozen : .made, of: balance, from: balance, of: customer)
        }
    }

    private func outcomes(of history: StoreHistory) -> PurchaseOutcomes {
        var outcomes = PurchaseOutcomes()
        outcomes.debitViolations = oracle.violations
        for (id, events) in events {
            guard let deciding = DecidingEvents(of: changed(events)) else { continue }
            let latest = DecidingEvents(latest: deciding.latest, renewal: deciding.renewal)
            let timeline = EntitlementProjection.timeline(from: fault == .latestPurchaseDateWins ? latest : deciding)
            let entitlement = timeline.entitlement(at: history.end)
            let purchase = PurchaseOutcomes.Purchase(entitlement, at: history.end)
            outcomes.purchases[id] = purchase
            guard let customer = events.compactMap(\.transaction.appAccountToken).first else { continue }
            if entitlement.access(at: history.end).isGranted {
                outcomes.products[customer, default: []].insert(purchase.productID)
            }
            outcomes.balances[customer, default: 0] += credits(of: events, notifications[id, default: []])
        }
        return outcomes
    }

    /// The events as a projection with the fault sees them.
    private func changed(_ events: [SignedEvent]) -> [SignedEvent] {
        switch fault {
        case nil, .creditsRestores, .creditsEachNotification, .ignoresPercentages, .endsFreezeWithDebt, .latestPurchaseDateWins:
            return events
        case .ignoresSignatureDates: return events.map { $0.signed(at: .testStart) }
        case .latestReceivedWins: return events.enumerated().map { $1.signed(at: .testStart.adding(seconds: Int64($0))) }
        case .ignoresRevocations: return events.map(\.withoutRevocation)
        case .ignoresReversals:
            let revoked = Set(events.filter(\.transaction.isRevoked).map(\.transaction.transactionId))
            return events.filter { $0.transaction.isRevoked || !revoked.contains($0.transaction.transactionId) }
        case .forgetsGracePeriod: return events.map { $0.with { $0.renewal?.gracePeriodExpiresDate = nil } }
        case .takesEarlierPeriodAfterRefund:
            let newest = Dictionary(grouping: events, by: \.transaction.transactionId).compactMapValues { versions in
                versions.max { $0.hasOlderTransaction(than: $1) }
            }
            let valid = events.filter { newest[$0.transaction.transactionId]?.transaction.isRevoked == false }
            return valid.isEmpty ? events : valid
        case .oldestRenewalInfoWins:
            let oldest = events.filter { $0.renewal != nil }.min { $0.hasOlderRenewal(than: $1) }?.renewal
            return events.map { event in
                event.with {
                    $0.renewal = oldest
                    $0.renewal?.signedDate = Timestamp(milliseconds: .max)
                }
            }
        }
    }

    /// The credits of a purchase: those of each charge once, without the revoked share.
    private func credits(of events: [SignedEvent], _ notifications: [SignedEvent]) -> Int64 {
        let counted = fault == .ignoresReversals || fault == .ignoresRevocations ? changed(events) : events
        let transactions = counted.map(\.transaction)
        return Dictionary(grouping: transactions) { charge(of: $0) ?? "" }.reduce(0) { sum, entry in
            let (charge, transactions) = entry
            guard !charge.isEmpty,
                let sale = transactions.first(where: { CreditRule.addsCredits($0) || fault == .creditsRestores })
            else { return sum }
            let credits = Int(HistoryCatalog.credits[sale.productId, default: 0]) * sale.quantity
            var share = CreditRule.revokedPercentage(by: transactions)
            if fault == .ignoresPercentages, share > 0 { share = 100_000 }
            let times = fault == .creditsEachNotification ? max(1, notifications.count { self.charge(of: $0.transaction) == charge }) : 1
            return sum + Int64(credits * times - CreditRule.credits(share, of: credits))
        }
    }

    private func charge(of transaction: TransactionPayload) -> String? {
        CreditRule.charge(of: transaction).map { fault == .creditsRestores ? "\($0) \(transaction.transactionId)" : $0 }
    }
}

extension SignedEvent {
    fileprivate func with(_ change: (inout SignedEvent) -> Void) -> SignedEvent {
        var event = self
        change(&event)
        return event
    }

    fileprivate func signed(at date: Timestamp) -> SignedEvent {
        with {
            $0.transaction.signedDate = date
            $0.renewal?.signedDate = date
        }
    }

    fileprivate var withoutRevocation: SignedEvent {
        with {
            $0.transaction.revocationDate = nil
            $0.transaction.revocationType = nil
            $0.transaction.revocationPercentage = nil
        }
    }
}

extension StoreHistory {
    /// Verifies messages, and returns their events.
    func arrivals(of messages: [Message]) async throws -> [FaultyServer.Arrival] {
        let verifier = SignedDataVerifier(roots: roots, bundleID: .test, environments: [.sandbox])
        let receipts = ReceiptVerifier(roots: roots, BundleCheck(.test), EnvironmentCheck([.sandbox]))
        var arrivals: [FaultyServer.Arrival] = []
        for message in messages {
            switch message {
            case .notification(let signed):
                let verified = try await verifier.verify(signed)
                let payload = verified.notification.payload
                let source = [payload.notificationType, payload.subtype].compactMap { $0 }.joined(separator: " ")
                let event = verified.transaction.flatMap { VerifiedEvent($0, verified.renewalInfo, source: source)?.event }
                arrivals.append(FaultyServer.Arrival(events: event.map { [$0] } ?? [], isNotification: true))
            case .transaction(let signed):
                let event = VerifiedEvent(try await verifier.verify(signed), source: "app")?.event
                arrivals.append(FaultyServer.Arrival(events: event.map { [$0] } ?? [], isNotification: false))
            case .claim(let signed, let customer):
                var event = VerifiedEvent(try await verifier.verify(signed), source: "app")?.event
                // The server in miniature attributes a purchase by a token only.
                event?.transaction.appAccountToken = customer
                arrivals.append(FaultyServer.Arrival(events: event.map { [$0] } ?? [], isNotification: false))
            case .receipt(let data):
                let receipt = try await receipts.verify([UInt8](data))
                let events = receipt.payload.purchases.map { VerifiedEvent($0, in: receipt).event }
                arrivals.append(FaultyServer.Arrival(events: events, isNotification: false))
            }
        }
        return arrivals
    }
}
