import BenchmarkReport
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof
import RecordedStore
import StoreKit

/// Measures deliveries of credits to vaults of growing size.
@MainActor
struct DeliveryMeasurements {
    let account: RecordedAccount
    /// The numbers of transactions in the vaults, in ascending order.
    let counts: [Int]
    /// The number of deliveries of which the median is taken.
    let rounds: Int

    /// A vault with a number of transactions, and further transactions that are not delivered.
    private struct Subject {
        let session: AppSession
        var remaining: [VerificationResult<Transaction>]
        var times: [Double] = []
    }

    func all() async throws -> [ReportLine] {
        var subjects: [Subject] = []
        var together: [(kit: Double, storeKit: Double)] = []
        for count in counts {
            let folder = try account.appFolder()
            let finishing = try await finish(count)
            together.append((try await Self.fill(folder, with: count, of: account), finishing))
            subjects.append(try await subject(in: folder))
        }
        let floor = try await measure(&subjects)
        return lines(subjects.map(\.times.median), together, floor)
    }

    /// Delivers coins to a new vault, all at once, and returns the microseconds of each delivery.
    static func fill(_ folder: String, with count: Int, of account: RecordedAccount) async throws -> Double {
        let device = try await account.device(in: folder, with: account.coins.prefix(count), areFinished: false)
        let session = try AppSession(account, device: device, vault: try await AppSession.vault(in: folder))
        return try await session.run {
            // The device fetches the history before the measurement.
            for await _ in Transaction.unfinished {}
            let started = ContinuousClock.now
            try await session.startAndDeliver(count)
            let time = started.microseconds / Double(count)
            await session.stop()
            let balance = await session.vault.balance(of: AppSession.currency)
            guard balance == count else { throw RecordedAccount.Incomplete(expected: count, count: Int(balance)) }
            return time
        }
    }

    /// Finishes transactions with StoreKit alone, all at once, and returns the microseconds of each.
    private func finish(_ count: Int) async throws -> Double {
        let device = try await account.device(
            in: try account.appFolder(), with: account.coins.prefix(count), areFinished: false)
        return await Device.$current.withValue(device) {
            // The device fetches the history before the measurement.
            for await _ in Transaction.unfinished {}
            let started = ContinuousClock.now
            await withDiscardingTaskGroup { group in
                for await case .verified(let transaction) in Transaction.unfinished {
                    group.addTask { await transaction.finish() }
                }
            }
            let time = started.microseconds / Double(count)
            await device.waitUntilIdle()
            await ProcessorTime.waitUntilIdle()
            return time
        }
    }

    /// Opens the vault in a folder, on another device with transactions that the vault does not have.
    private func subject(in folder: String) async throws -> Subject {
        let coins = account.coins.suffix(2 * (rounds + 1))
        let device = try await account.device(in: try account.appFolder(), with: coins, areFinished: false)
        let session = try AppSession(account, device: device, vault: try await AppSession.vault(in: folder))
        var remaining: [VerificationResult<Transaction>] = []
        try await session.run {
            for await result in Transaction.unfinished { remaining.append(result) }
            // The first purchase loads the products.
            try await session.deliver(remaining.removeLast())
        }
        await session.device.waitUntilIdle()
        await ProcessorTime.waitUntilIdle()
        return Subject(session: session, remaining: remaining)
    }

    /// Measures single deliveries to the vaults and the unavoidable work in turns, and returns the unavoidable work.
    private func measure(_ subjects: inout [Subject]) async throws -> Double {
        let signed = account.coins.prefix(rounds).flatMap(\.signed)
        let disk = try DiskFloor(in: try account.appFolder(), length: signed.first?.compact.utf8.count ?? 0)
        let verifier = try account.store.verifier()
        for transaction in signed.prefix(10) { _ = try await verifier.verify(transaction) }
        var verifying: [Double] = []
        var writing: [Double] = []
        var finishing: [Double] = []
        for transaction in signed {
            for index in subjects.indices {
                let session = subjects[index].session
                let result = subjects[index].remaining.removeLast()
                let started = ContinuousClock.now
                try await session.run { try await session.deliver(result) }
                subjects[index].times.append(started.microseconds)
                // The device sends the confirmation of the finished transaction.
                await session.device.waitUntilIdle()
            }
            var started = ContinuousClock.now
            _ = try await verifier.verify(transaction)
            verifying.append(started.microseconds)
            started = ContinuousClock.now
            try disk.write()
            writing.append(started.microseconds)
            guard let finished = subjects[0].remaining.popLast() else { continue }
            started = ContinuousClock.now
            await subjects[0].session.run { await finished.unsafePayloadValue.finish() }
            finishing.append(started.microseconds)
            await subjects[0].session.device.waitUntilIdle()
        }
        return verifying.median + writing.median + finishing.median
    }

    private func lines(_ single: [Double], _ together: [(kit: Double, storeKit: Double)], _ floor: Double) -> [ReportLine] {
        var lines: [ReportLine] = []
        for (count, time) in zip(counts, single) {
            let title = "a delivery, \(count.text) transactions in the vault"
            lines.append(
                ReportLine(title: title, value: time, unit: "µs", basis: "P-256, two fsyncs and finish()", ratio: time / floor))
            guard count > counts[0] else { continue }
            lines.append(
                ReportLine(
                    title: title, value: time, unit: "µs", basis: "with \(counts[0].text) transactions", ratio: time / single[0],
                    limit: 1.2))
        }
        for index in counts.indices.dropFirst() {
            let title = "each of \(counts[index].text) deliveries together"
            let (kit, storeKit) = together[index]
            lines.append(
                ReportLine(title: title, value: kit, unit: "µs", basis: "StoreKit's reading and finishing", ratio: kit / storeKit, limit: 2)
            )
            guard index > 1 else { continue }
            lines.append(
                ReportLine(
                    title: title, value: kit, unit: "µs", basis: "each of \(counts[index - 1].text)",
                    ratio: kit / together[index - 1].kit, limit: 1.2))
        }
        return lines
    }
}
