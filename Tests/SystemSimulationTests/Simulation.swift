import Foundation
import GRDB
import OpenStoreKit
import PurchaseModel
import PurchaseServer
import PurchaseStorage
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport

/// The whole system in one process on a virtual clock: devices with their apps, the store, the developer's server, and the network.
///
/// A simulation performs the steps of a script one after another, and waits until nothing moves before the next one. After each step, it
/// checks that nothing acknowledged is lost. At the end, it repairs everything, lets all parties do their work, and compares them with an
/// oracle that uses only the store's records, and the debits that the apps requested.
struct Simulation {
    /// What a simulation found.
    struct Report: Sendable {
        var violations: [Violation] = []
        /// The number of steps that were performed.
        var steps = 0
        /// The number of app sessions, and of processes of the store and the server, that were ended by force.
        var crashes = 0
        /// The number of claims of seats that the server acknowledged.
        var claims = 0
        /// The number of members whom the store invited.
        var members = 0
    }

    private let world: SimulatedWorld
    private let script: SimulationScript
    private var devices: [SimulatedDevice] = []
    private var report = Report()
    private var feed: FeedCheck

    /// Plays a script, and returns what was found.
    static func play(_ script: SimulationScript, plantedFault: PlantedFault? = nil) async -> Report {
        do {
            let policy = script.steps.compactMap { if case .policy(let policy) = $0 { policy } else { nil } }.last ?? .debt
            let world = try await SimulatedWorld(policy: policy, plantedFault: plantedFault)
            var simulation = Simulation(world: world, script: script)
            await simulation.run()
            for device in simulation.devices { await device.close() }
            world.close()
            return simulation.report
        } catch {
            return Report(violations: [Violation(.failed, "\(error)")])
        }
    }

    private init(world: SimulatedWorld, script: SimulationScript) {
        self.world = world
        self.script = script
        feed = FeedCheck(world: world)
    }

    private mutating func run() async {
        do {
            for (number, step) in script.steps.enumerated() {
                await world.network.beginStep()
                world.clock.advance(seconds: 60)
                report.steps += 1
                try await perform(step, number)
                // A store sends its notifications by itself, as soon as they are due.
                try? await world.store.deliverNotifications()
                try await restartEndedProcesses()
                report.violations += try await AcknowledgmentCheck(world: world).violations()
                report.violations += await feed.read()
                guard report.violations.isEmpty else { return }
            }
            try await heal()
            report.violations += try await AcknowledgmentCheck(world: world).violations()
            report.violations += try await OutcomeCheck(world: world, devices: devices).violations()
            report.violations += try await feed.violations()
            report.claims = world.acknowledgments.lists.seats.count
            report.members = try await world.store.seatMembers()
        } catch {
            report.violations.append(Violation(.failed, "\(error)"))
        }
    }

    /// Starts the processes and app sessions again that a fault has ended.
    private mutating func restartEndedProcesses() async throws {
        if world.store.faults.hasEnded {
            report.crashes += 1
            try await start { try await world.store.start() }
        }
        world.server.faults.endAfterReply()
        if world.server.faults.hasEnded {
            report.crashes += 1
            try await start { try await world.server.start() }
        }
        for device in devices where device.wasKilled {
            report.crashes += 1
            try await device.relaunchIfKilled()
        }
    }

    /// Starts a process, again and again while its disk is full, as a supervisor does.
    private func start(_ body: () async throws -> Void) async throws {
        for _ in 0..<10 {
            do {
                return try await body()
            } catch StorageError.full {
            } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            }
        }
        try await body()
    }

    private func device(_ index: Int) -> SimulatedDevice? { devices.first { $0.index == index } }

    private mutating func perform(_ step: SimulationStep, _ number: Int) async throws {
        switch step {
        case .device(let index, let kind, let account):
            guard device(index) == nil, world.accounts.indices.contains(account) else { return }
            let device = try SimulatedDevice(index, kind, account: account, in: world)
            devices.append(device)
            try await device.relaunchIfKilled()
        case .policy: break
        case .buy(let index, let item, let quantity):
            await device(index)?.app?.buy(item.id, quantity: min(max(quantity, 1), 10))
        case .restore(let index): await device(index)?.app?.restore()
        case .debit(let index, let amount):
            guard let device = device(index) else { return }
            let debit = Acknowledgments.Debit(customer: world.customers[device.account], amount: Int64(amount))
            world.acknowledgments.change { $0.debits["debit \(number)"] = debit }
            await device.app?.debit(debit.amount, key: "debit \(number)")
        case .wake(let index): await device(index)?.update()
        case .relaunch(let index): device(index)?.kill()
        case .autoRenew, .paymentMethod, .askToBuy, .decide, .buyInStore, .refund, .reverseRefund, .extend, .wait:
            try await StoreActions(world: world).perform(step, number)
        case .reconcile: await world.server.reconcile()
        case .buySeats(let index, let item, let seats): await device(index)?.app?.buy(item.id, seats: min(max(seats, 1), 100))
        case .renewalSeats, .refundSeats, .join, .leave, .claimSeat, .releaseSeat, .unclaimSeat:
            try await SeatActions(world: world).perform(step)
        case .restart(.store): world.store.faults.end()
        case .restart(.server): world.server.faults.end()
        case .restart(.device(let index)): device(index)?.kill()
        case .crash(.store, let writes, let isKept): world.store.faults.end(after: writes, isKept: isKept)
        case .crash(.server, let writes, let isKept): world.server.faults.end(after: writes, isKept: isKept)
        case .crash(.device(let index), let steps, _): device(index)?.session?.fuse.end(after: max(steps, 1))
        case .fullDisk(.store, let writes): world.store.faults.fillDisk(for: writes)
        case .fullDisk(.server, let writes): world.server.faults.fillDisk(for: writes)
        case .fullDisk(.device(let index), let writes): device(index)?.diskFaults.fillDisk(for: writes)
        case .fault(let fault, let link, let skipped): world.network.plan(fault, on: link, after: skipped)
        case .offline(let link, let isOffline): world.network.set(link, offline: isOffline)
        }
    }

    /// Ends all faults, and lets each party do its work until nothing is left.
    private mutating func heal() async throws {
        world.network.heal()
        await world.network.beginStep(deliveringAll: true)
        world.store.faults.heal()
        world.server.faults.heal()
        for device in devices {
            device.diskFaults.heal()
            device.session?.fuse.end(after: nil)
        }
        try await restartEndedProcesses()
        for account in world.accounts { try await world.store.set(account) { $0.askToBuyEnabled = false } }
        for pending in try await world.store.pendingApprovals() {
            // The store refuses an approval if the payment is declined or the product is owned meanwhile.
            do {
                try await world.store.decide(pending.payment, approve: true)
            } catch is Refused {
                try await world.store.decide(pending.payment, approve: false)
            }
        }
        for _ in 0..<2 {
            world.clock.advance(seconds: 3_600)
            try await world.store.deliverNotifications()
            await world.server.reconcile()
            for device in devices { await device.update() }
        }
    }
}
