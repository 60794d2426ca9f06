import BenchmarkReport
import Foundation
import HeapUsage
import LocalAppStore
import OpenStoreKit
import PurchaseModel
import PurchaseProof
import RecordedStore
import StoreKit

/// Measures restoring and finishing with queues of growing length.
struct DeviceMeasurements {
    let store: BenchmarkStore
    /// The lengths of the queues, in ascending order.
    let counts: [Int]

    /// The measurements of a queue of one length.
    private struct Queue {
        var restoring = 0.0
        var verifying = 0.0
        var finishing = 0.0
        var memory = 0.0
        var journal = 0.0
        var calls = CallTimes()
    }

    func all() async throws -> [ReportLine] {
        var lines: [ReportLine] = []
        var before: (count: Int, queue: Queue)?
        for count in counts {
            let queue = try await measure(count)
            let queued = "\(count.formatted(.number.locale(Locale(identifier: "en_US")))) queued"
            lines.append(
                ReportLine(
                    title: "restoring a transaction, \(queued)", value: queue.restoring, unit: "µs", basis: "its two verifications",
                    ratio: queue.restoring / queue.verifying))
            if let (count, smaller) = before {
                let basis = "with \(count.formatted(.number.locale(Locale(identifier: "en_US")))) queued"
                lines.append(
                    ReportLine(
                        title: "restoring a transaction, \(queued)", value: queue.restoring, unit: "µs", basis: basis,
                        ratio: queue.restoring / smaller.restoring, limit: 1.5))
                lines.append(
                    ReportLine(
                        title: "finishing a transaction, \(queued)", value: queue.finishing, unit: "µs", basis: basis,
                        ratio: queue.finishing / smaller.finishing, limit: 1.5))
            } else {
                lines.append(ReportLine(title: "finishing a transaction, \(queued)", value: queue.finishing, unit: "µs"))
            }
            if count >= 1_000 {
                lines.append(
                    ReportLine(
                        title: "memory of a transaction, \(queued)", value: queue.memory, unit: "KiB", basis: "the JWS text",
                        ratio: queue.memory / queue.journal))
            }
            if count == counts.last {
                for call in queue.calls.longest {
                    lines.append(ReportLine(title: "longest \(call.name), \(queued)", value: call.time, unit: "µs"))
                }
                lines.append(ReportLine(title: "calls that blocked", value: Double(queue.calls.waits), unit: "", limit: 0))
            }
            before = (count, queue)
        }
        return lines
    }

    private func measure(_ count: Int) async throws -> Queue {
        let recorded = try await store.restored(count)
        let folder = FileManager.default.temporaryDirectory.appending(path: "device-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var queue = Queue()
        let signed = recorded.pages.flatMap(\.transactions).flatMap(\.signed)
        queue.journal = Double(signed.reduce(0) { $0 + $1.compact.utf8.count }) / 1_024 / Double(count)
        queue.verifying = try await store.verifying(signed) / Double(count)

        let device = try Device(
            DeviceConfiguration(
                storeURL: store.url, bundleID: BenchmarkStore.bundleID, appVersion: "1", folder: folder, rootsPEM: store.store.rootsPEM,
                interface: AutomaticInterface(Credentials(account: AccountID("customer-\(count)"), password: "ladder"))),
            transport: try RecordedTransport(signIn: recorded.signIn, restores: recorded.pages))
        let paymentQueue = Device.$current.withValue(device) { SKPaymentQueue.default() }
        let observer = SilentObserver()
        var calls = CallTimes()
        calls.time("add(observer)") { paymentQueue.add(observer) }
        await device.waitUntilIdle()
        let memory = Self.heapKiB
        var started = ContinuousClock.now
        Device.withUserGesture {
            calls.time("restoreCompletedTransactions()") { paymentQueue.restoreCompletedTransactions() }
        }
        await device.waitUntilIdle()
        queue.restoring = started.microseconds / Double(count)
        queue.memory = (Self.heapKiB - memory) / Double(count)
        guard paymentQueue.transactions.count == count else { throw Incomplete(count: paymentQueue.transactions.count) }

        let late = SilentObserver()
        calls.time("add(observer)") { paymentQueue.add(late) }
        await device.waitUntilIdle()
        for _ in 0..<100 { calls.time("transactions") { _ = paymentQueue.transactions } }
        let transactions = paymentQueue.transactions
        started = ContinuousClock.now
        for transaction in transactions { calls.time("finishTransaction(_:)") { paymentQueue.finishTransaction(transaction) } }
        await device.waitUntilIdle()
        queue.finishing = started.microseconds / Double(count)
        for _ in 0..<100 {
            let payment = SKMutablePayment()
            payment.productIdentifier = BenchmarkStore.product(0).rawValue
            calls.time("add(payment)") { paymentQueue.add(payment) }
        }
        await device.waitUntilIdle()
        queue.calls = calls
        withExtendedLifetime((observer, late)) {}
        return queue
    }

    private static var heapKiB: Double { Double(heap_bytes_in_use()) / 1_024 }

    struct Incomplete: Error {
        let count: Int
    }
}
