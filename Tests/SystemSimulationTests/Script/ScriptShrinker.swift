import PurchaseModel

/// Shortens a script that fails: removes steps, and makes numbers smaller, as long as the script still fails.
struct ScriptShrinker {
    /// The number of scripts that were played.
    private(set) var plays = 0
    private let limit: Int
    private let fails: @Sendable (SimulationScript) async throws -> Bool

    /// Creates a shrinker that plays at most `limit` scripts.
    init(limit: Int = 400, fails: @escaping @Sendable (SimulationScript) async throws -> Bool) {
        self.limit = limit
        self.fails = fails
    }

    /// Returns a script that fails, from which no single step can be removed, unless the limit was reached.
    mutating func shrink(_ script: SimulationScript) async throws -> SimulationScript {
        var script = script
        var before: SimulationScript
        repeat {
            before = script
            try await removeSteps(from: &script)
            try await simplify(&script)
        } while script != before && plays < limit
        return script
    }

    /// Removes halves, quarters … and single steps (delta debugging).
    private mutating func removeSteps(from script: inout SimulationScript) async throws {
        var length = max(1, script.steps.count / 2)
        while true {
            var start = 0
            while start < script.steps.count {
                var shorter = script
                shorter.steps.removeSubrange(start..<min(start + length, script.steps.count))
                // The steps that follow have moved to the same position.
                if try await stillFails(shorter) { script = shorter } else { start += length }
            }
            guard length > 1 else { return }
            length /= 2
        }
    }

    private mutating func simplify(_ script: inout SimulationScript) async throws {
        for index in script.steps.indices {
            for step in script.steps[index].simpler {
                var simpler = script
                simpler.steps[index] = step
                guard try await stillFails(simpler) else { continue }
                script = simpler
                break
            }
        }
    }

    private mutating func stillFails(_ script: SimulationScript) async throws -> Bool {
        guard plays < limit, !script.steps.isEmpty else { return false }
        plays += 1
        return try await fails(script)
    }
}

extension SimulationStep {
    /// Simpler steps, the simplest first.
    fileprivate var simpler: [SimulationStep] {
        switch self {
        case .buy(let device, let item, let quantity) where quantity > 1: [.buy(device: device, item, quantity: 1)]
        case .buy(let device, let item, 1) where item != .coins5: [.buy(device: device, .coins5, quantity: 1)]
        case .debit(let device, let amount) where amount > 1: [.debit(device: device, amount: 1)]
        case .refund(let charge, let percent) where charge > 0 || percent < 100:
            [.refund(charge: 0, percent: 100), .refund(charge: charge, percent: 100)].filter { $0 != self }
        case .buySeats(let device, let item, let seats) where seats > 2: [.buySeats(device: device, item, seats: 2)]
        case .refundSeats(let charge, let seats) where charge > 0 || seats > 1:
            [.refundSeats(charge: 0, seats: 1), .refundSeats(charge: charge, seats: 1), .refundSeats(charge: 0, seats: seats)]
                .filter { $0 != self }
        case .device(let device, .kit, let account), .device(let device, .kitAlone, let account):
            [.device(device, .plain, account: account)]
        case .fault(let fault, let link, let after) where after > 0: [.fault(fault, link, after: 0), .fault(fault, link, after: after - 1)]
        case .policy(let policy) where policy != .debt: [.policy(.debt)]
        default: []
        }
    }
}
