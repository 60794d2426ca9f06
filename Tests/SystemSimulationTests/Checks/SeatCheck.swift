import PurchaseModel
import StoreTestSupport

/// Compares the members of subscriptions in seats with the store's records when everything is quiet.
struct SeatCheck {
    private let seats: [StoredSeats]
    private let claims: [ServerRecords.Claim]
    private let lists: Acknowledgments.Lists

    init(world: SimulatedWorld, _ records: ServerRecords) async throws {
        seats = try await world.store.seatSubscriptions()
        claims = records.claims
        lists = world.acknowledgments.lists
    }

    /// The products that members have because of their active claims at the store, by customer.
    ///
    /// - Parameter purchases: The purchases that the store's records state.
    func products(_ purchases: [TransactionID: PurchaseOutcomes.Purchase]) -> [CustomerID: Set<ProductID>] {
        var products: [CustomerID: Set<ProductID>] = [:]
        for subscription in seats {
            guard let state = purchases[subscription.id]?.state, [.active, .gracePeriod].contains(state) else { continue }
            for claim in claims where claim.seatClaimID.map({ subscription.claims.contains($0) }) ?? false {
                products[claim.customer, default: []].insert(subscription.productID)
            }
        }
        return products
    }

    func violations() -> [Violation] {
        var violations: [Violation] = []
        for subscription in seats {
            let (id, left) = (subscription.id, subscription.remaining)
            if subscription.isRevoked, left > 0 { violations.append(Violation(.lockedOut, "\(id): \(left) seats left")) }
            if subscription.count != left {
                violations.append(Violation(.wrongSeats, "\(id): \(subscription.count) seats, the transactions state \(left)"))
            }
            let occupied = subscription.members + subscription.claims.count
            if !subscription.hasEnded, occupied > subscription.count {
                violations.append(Violation(.wrongSeats, "\(id): \(occupied) members of \(subscription.count) seats"))
            }
        }
        let active = Set(seats.flatMap(\.claims))
        let listed = Set(claims.filter { $0.state == "claimed" }.map { $0.seatClaimID ?? "none" })
        if active != listed {
            let (lost, surplus) = (active.subtracting(listed).sorted(), listed.subtracting(active).sorted())
            violations.append(Violation(.wrongSeats, "claims of the store only: \(lost), of the server only: \(surplus)"))
        }
        for claim in claims where claim.state == "requested" || claim.state == "releasing" {
            violations.append(Violation(.wrongSeats, "the claim of \(claim.customer) in \(claim.team) is \(claim.state)"))
        }
        for claim in claims {
            guard let id = claim.seatClaimID, let seat = lists.seats[id], seat.customer != claim.customer else { continue }
            violations.append(Violation(.acknowledgedSeatLost, "\(id) of \(seat.customer) is the seat of \(claim.customer)"))
        }
        for id in lists.keptSeats.subtracting(active).sorted() {
            violations.append(Violation(.acknowledgedSeatLost, "\(id) of \(lists.seats[id]?.customer.rawValue ?? "none")"))
        }
        return violations
    }
}
