import BenchmarkReport
import Foundation
import PurchaseKit
import PurchaseModel
import RecordedStore

/// Measures debits that are made without a network and sent later, with vaults of growing size.
@MainActor
struct MergeMeasurements {
    let account: RecordedAccount
    /// The numbers of transactions in the vaults, in ascending order.
    let counts: [Int]
    /// The number of merges of which the median is taken.
    let rounds: Int

    private static let debits = [1, 100]

    /// A vault, and the microseconds of storing each debit, and of sending each debit by the number of debits in a merge.
    private struct Subject {
        let session: AppSession
        let server: StubServer
        var storing: [Double] = []
        var sending: [Int: [Double]] = [:]
    }

    func all() async throws -> [ReportLine] {
        var subjects: [Subject] = []
        let counts = [counts[0], counts[counts.count - 1]]
        for count in counts {
            let folder = try account.appFolder()
            _ = try await DeliveryMeasurements.fill(folder, with: count, of: account)
            subjects.append(try await subject(in: folder))
        }
        for _ in 0..<rounds {
            for debits in Self.debits {
                for index in subjects.indices { try await measure(&subjects[index], debits) }
            }
        }
        return lines(counts, subjects)
    }

    private func subject(in folder: String) async throws -> Subject {
        let device = try await account.device(in: try account.appFolder(), with: [], areFinished: true)
        let server = StubServer()
        let session = try AppSession(
            account, device: device, vault: try await AppSession.vault(in: folder), server: try await server.start())
        // The first debit also reads the balances.
        guard try await session.purchases.debit(1, of: AppSession.currency, idempotencyKey: UUID().uuidString) == .confirmed else {
            throw NotMerged()
        }
        return Subject(session: session, server: server)
    }

    /// Stores debits without a network, and then sends them.
    private func measure(_ subject: inout Subject, _ count: Int) async throws {
        let purchases = subject.session.purchases
        var key = ""
        subject.server.setOnline(false)
        for _ in 0..<count {
            key = UUID().uuidString
            let started = ContinuousClock.now
            guard try await purchases.debit(1, of: AppSession.currency, idempotencyKey: key) == .provisional else { throw NotMerged() }
            subject.storing.append(started.microseconds)
        }
        subject.server.setOnline(true)
        // The repetition of a debit adds none, and sends the stored debits.
        let started = ContinuousClock.now
        guard try await purchases.debit(1, of: AppSession.currency, idempotencyKey: key) == .confirmed else { throw NotMerged() }
        subject.sending[count, default: []].append(started.microseconds / Double(count))
    }

    private func lines(_ counts: [Int], _ subjects: [Subject]) -> [ReportLine] {
        let vaults = zip(counts, subjects).map { (count: $0.text, storing: $1.storing.median, sending: $1.sending.mapValues(\.median)) }
        let (small, large) = (vaults[0], vaults[vaults.count - 1])
        let growth = "with \(small.count) transactions"
        var lines = [
            ReportLine(title: "storing a debit, \(small.count) transactions in the vault", value: small.storing, unit: "µs"),
            ReportLine(
                title: "storing a debit, \(large.count) transactions in the vault", value: large.storing, unit: "µs", basis: growth,
                ratio: large.storing / small.storing, limit: 1.2),
        ]
        for debits in Self.debits {
            let title = debits == 1 ? "sending a stored debit" : "sending each of \(debits) stored debits"
            let times = (small: small.sending[debits] ?? 0, large: large.sending[debits] ?? 0)
            lines.append(
                ReportLine(
                    title: "\(title), \(small.count) transactions", value: times.small, unit: "µs", basis: "storing a debit",
                    ratio: times.small / small.storing))
            lines.append(
                ReportLine(
                    title: "\(title), \(large.count) transactions", value: times.large, unit: "µs", basis: growth,
                    ratio: times.large / times.small, limit: 1.2))
        }
        return lines
    }

    /// A debit was not sent, or sent too early.
    struct NotMerged: Error {}
}
