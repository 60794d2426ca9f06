import PurchaseModel
import PurchaseTestSupport

/// Makes the script of a seed.
struct ScriptGenerator {
    private var random: SeededRandom
    private var devices = 1
    /// Whether the script plays seats.
    private let hasSeats: Bool
    /// The product of most seats.
    private var mainSeats = SimulatedCatalog.Item.team

    private init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        hasSeats = seed % 3 == 1
    }

    /// Returns the script of a seed, which always is the same; each third script also plays seats.
    static func script(seed: UInt64) -> SimulationScript {
        var generator = ScriptGenerator(seed: seed)
        var steps = generator.world()
        if generator.hasSeats {
            generator.mainSeats = generator.pick([.team, .crew])
            steps.append(.buySeats(device: 0, generator.mainSeats, seats: generator.number(2...5)))
        }
        let length = generator.hasSeats ? 32 : 20
        while steps.count < length { steps += generator.hasSeats && generator.bool() ? generator.seatSteps() : generator.next() }
        return SimulationScript(steps)
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func bool(oneIn count: Int = 2) -> Bool { number(1...count) == 1 }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(0...elements.count - 1)] }

    private mutating func device() -> Int { number(0...devices - 1) }

    private mutating func account() -> Int { number(0...SimulatedWorld.accountCount - 1) }

    /// Up to three devices, and a purchase, so that every script has something to lose.
    private mutating func world() -> [SimulationStep] {
        devices = number(1...3)
        let isAlone = bool(oneIn: 4)
        var steps: [SimulationStep] = (0..<devices).map { index in
            if index == 0 { return .device(index, isAlone ? .kitAlone : pick([.plain, .kit]), account: 0) }
            return .device(index, pick([.plain, .kit]), account: isAlone ? 1 : account())
        }
        steps.append(.policy(pick([.debt, .debt, .floor, .freeze])))
        return steps + [.buy(device: 0, pick([.coins5, .coins50]), quantity: number(1...3))]
    }

    private mutating func next() -> [SimulationStep] {
        switch number(0...31) {
        case 0...5: [buy()]
        case 6: [.buyInStore(account: account(), pick(SimulatedCatalog.Item.withoutSeats))]
        case 7...8: [.debit(device: device(), amount: number(1...12))]
        case 9...10: [.refund(charge: number(0...7), percent: bool(oneIn: 3) ? number(1...99) : 100)]
        case 11: [.reverseRefund(charge: number(0...7))]
        case 12: [.restore(device: device())]
        case 13...14: [.wake(device: device())]
        case 15: [.relaunch(device: device())]
        case 16...17: [.wait(hours: pick([1, 6, 24, 24 * 8, 24 * 35]))]
        case 18: [subscriptionStep()]
        case 19: askToBuy()
        case 20: [.reconcile]
        case 21: [.restart(party())]
        case 22...24: [crash(), buy()]
        case 25: [.fullDisk(party(), writes: number(1...4)), buy()]
        case 26...27: [fault(), anything()]
        case 28...29: interruptedPurchase()
        default: [.offline(link(), true), anything(), anything()] + (bool() ? [.offline(link(), false)] : [])
        }
    }

    /// A step that sends messages and writes to disks.
    private mutating func anything() -> SimulationStep {
        switch number(0...5) {
        case 0...2: buy()
        case 3: .debit(device: device(), amount: number(1...12))
        case 4: .wake(device: device())
        default: .refund(charge: number(0...7), percent: 100)
        }
    }

    /// A purchase whose messages get lost, and a session of its app that ends before the next attempt.
    private mutating func interruptedPurchase() -> [SimulationStep] {
        let device = device()
        let link = SimulatedNetwork.Link.store(device: device)
        var faults = [SimulationStep.fault(pick([.lostRequest, .lostRequest, .lostReply, .late]), link, after: number(1...3))]
        if bool() { faults.append(.fault(pick([.lostRequest, .lostReply]), link, after: number(0...1))) }
        let buy = SimulationStep.buy(device: device, pick([.coins5, .coins50]), quantity: 1)
        return faults + [buy, bool() ? .relaunch(device: device) : .wake(device: device)]
    }

    private mutating func buy() -> SimulationStep {
        let item = bool() ? pick([SimulatedCatalog.Item.coins5, .coins50]) : pick(SimulatedCatalog.Item.withoutSeats)
        return .buy(device: device(), item, quantity: item.isConsumable ? number(1...3) : 1)
    }

    private mutating func subscriptionStep() -> SimulationStep {
        switch number(0...2) {
        case 0: .autoRenew(account: account(), bool())
        case 1: .paymentMethod(account: account(), isValid: bool())
        default: .extend(account: account(), days: number(1...20))
        }
    }

    private mutating func seatProduct() -> SimulatedCatalog.Item { bool(oneIn: 3) ? pick([.team, .crew]) : mainSeats }

    private mutating func member() -> Int { number(0...SimulatedWorld.memberCount - 1) }

    /// The owner of most seats is the account of the first device.
    private mutating func owner() -> Int { bool(oneIn: 4) ? account() : 0 }

    private mutating func seatSteps() -> [SimulationStep] {
        switch number(0...16) {
        case 0...1: [.buySeats(device: device(), seatProduct(), seats: number(1...7))]
        case 2: [.renewalSeats(account: owner(), seatProduct(), seats: number(1...4))]
        case 3...4: [.refundSeats(charge: number(0...5), seats: number(1...4))]
        case 5...6:
            // Added seats, and a refund of the added seats or of the first ones.
            [
                .buySeats(device: 0, mainSeats, seats: number(2...3)), .buySeats(device: 0, mainSeats, seats: number(4...7)),
                .refundSeats(charge: number(0...1), seats: 10),
            ]
        case 7...11: [membership()]
        case 12: [seatProduct() == .team ? .leave(owner: owner(), member: member()) : .releaseSeat(owner: owner(), member: member())]
        case 13...14: [membership(), .unclaimSeat(owner: owner())]
        case 15: [.autoRenew(account: owner(), bool())]
        default: [.wait(hours: pick([24 * 8, 24 * 35]))]
        }
    }

    private mutating func membership() -> SimulationStep {
        seatProduct() == .team ? .join(owner: owner(), member: member()) : .claimSeat(owner: owner(), member: member())
    }

    private mutating func askToBuy() -> [SimulationStep] {
        let account = account()
        return [
            .askToBuy(account: account, true), buy(), .decide(approves: bool()), buy(), .askToBuy(account: account, false),
            .decide(approves: bool()),
        ]
    }

    private mutating func party() -> SimulationStep.Party {
        switch number(0...3) {
        case 0: .store
        case 1: .server
        default: .device(device())
        }
    }

    private mutating func crash() -> SimulationStep {
        let party = party()
        let steps = if case .device = party { number(1...24) } else { number(0...4) }
        return .crash(party, after: steps, isKept: bool())
    }

    private mutating func link() -> SimulatedNetwork.Link {
        switch number(0...7) {
        case 0...2: .store(device: device())
        case 3...4: .server(device: device())
        case 5...6: .notifications
        default: .serverAPI
        }
    }

    private mutating func fault() -> SimulationStep { .fault(pick(SimulatedNetwork.Fault.allCases), link(), after: number(0...3)) }
}
