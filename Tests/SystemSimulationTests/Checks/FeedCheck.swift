import FoundationExtras
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol

@testable import PurchaseServer
@testable import PurchaseStorage

/// A reader of the server's feed, which adds up the events to the answers about customers.
struct FeedCheck {
    private let world: SimulatedWorld
    private var cursor = FeedCursor.start
    private var ids: Set<String> = []
    private var entitlements: [CustomerID: [EntitlementName: FeedState.Entitlement]] = [:]
    private var balances: [CustomerID: Int64] = [:]

    init(world: SimulatedWorld) {
        self.world = world
    }

    /// Reads the new events; a server that has ended is read after its next start.
    mutating func read() async -> [Violation] {
        guard !world.server.faults.hasEnded, let feed = try? world.server.running.server.apps[.test]?.feed else { return [] }
        var violations: [Violation] = []
        do {
            while true {
                let page = try await feed.entries(after: cursor, limit: 100)
                for entry in page.entries { violations += try apply(entry.event()) }
                guard page.next != cursor else { return violations }
                cursor = page.next
            }
        } catch is SimulatedStorage.Ended {
            return violations
        } catch {
            return violations + [Violation(.wrongEvents, "after \(cursor): \(error)")]
        }
    }

    private mutating func apply(_ event: FeedEvent) -> [Violation] {
        guard ids.insert(event.id).inserted else { return [Violation(.wrongEvents, "\(event.id) has two positions")] }
        guard let customer = event.customer else { return [] }
        let before = entitlements[customer, default: [:]]
        EntitlementChange.apply(event, to: &entitlements[customer, default: [:]])
        if case .balance(let balance)? = event.after { balances[customer] = balance.amount }
        guard case .entitlement(let stated)? = event.before, before[stated.name] != stated else { return [] }
        return [Violation(.wrongEvents, "\(event.type.rawValue) of \(customer) does not begin with the state before")]
    }

    /// Compares the sum of the events with the server's answers when everything is quiet.
    mutating func violations() async throws -> [Violation] {
        guard let app = try world.server.running.server.apps[.test] else { return [Violation(.failed, "no app")] }
        try await app.feed.advance()
        try await app.feed.comparison.compareTeams()
        var violations = await read()
        for customer in world.customers {
            let answer = try await app.entitlements.list(of: .id(customer), at: nil, withEvidence: false).entitlements
            let stated = entitlements[customer, default: [:]].values.sorted { $0.name < $1.name }
            if stated != answer.map({ FeedState.Entitlement($0) }) {
                violations.append(Violation(.wrongEvents, "\(customer): the events state \(stated), the answer is \(answer)"))
            }
            let balance = try await world.server.disk.read(.test) { try $0.balance(of: customer, in: .credits).amount }
            if balances[customer, default: 0] != balance {
                violations.append(
                    Violation(.wrongEvents, "\(customer): the events state \(balances[customer, default: 0]), the balance is \(balance)"))
            }
        }
        return violations
    }
}
