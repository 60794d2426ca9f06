import BenchmarkReport
import Crypto
import Foundation
import HeapUsage
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof
import RecordedStore
import StoreKit

/// Measures launches on devices whose account has a history of growing length.
@MainActor
struct LaunchMeasurements {
    let account: RecordedAccount
    /// The numbers of purchases in the histories, in ascending order.
    let counts: [Int]

    /// The measurements of a history of one length, in microseconds.
    private struct Launch {
        let count: Int
        var verifying = 0.0
        var readingFile = 0.0
        var opening = 0.0
        /// The memory of the open vault in KiB, and the length of the signed transactions.
        var memory = 0.0
        var text = 0.0
        var readingStore = 0.0
        var entitlements = 0.0
        var first = Phase()
        var second = Phase()
    }

    private struct Phase {
        /// The microseconds until the first state with all entitlements.
        var entitlements = 0.0
        /// The microseconds until the state is complete.
        var complete = 0.0
        /// The processor time of the app session.
        var processor = 0.0
    }

    func all() async throws -> [ReportLine] {
        var launches: [Launch] = []
        for count in counts { launches.append(try await measure(count)) }
        return lines(launches)
    }

    private func measure(_ count: Int) async throws -> Launch {
        let books = account.books.prefix(count)
        let signed = books.flatMap(\.signed)
        let folder = try account.appFolder()
        var launch = Launch(count: count)
        launch.verifying = try await account.store.verifying(signed)
        launch.text = Double(signed.reduce(0) { $0 + $1.compact.utf8.count }) / 1_024
        let device = try await account.device(in: folder, with: books, areFinished: true)
        // The device fetches the history before the measurement.
        _ = await entitlements(on: device)
        var started = ContinuousClock.now
        let held = await entitlements(on: device)
        launch.readingStore = started.microseconds
        guard held == count else { throw RecordedAccount.Incomplete(expected: count, count: held) }
        launch.first = try await start(device, try await AppSession.vault(in: folder), count)

        launch.readingFile = try await readFile("\(folder)/vault")
        let heap = heap_bytes_in_use()
        started = ContinuousClock.now
        let vault = try await AppSession.vault(in: folder)
        launch.opening = started.microseconds
        launch.memory = (Double(heap_bytes_in_use()) - Double(heap)) / 1_024
        launch.second = try await start(device, vault, count)
        return launch
    }

    private func entitlements(on device: Device) async -> Int {
        await Device.$current.withValue(device) {
            var count = 0
            for await case .verified in Transaction.currentEntitlements { count += 1 }
            return count
        }
    }

    /// Starts the app's purchases, and returns when the state is complete.
    private func start(_ device: Device, _ vault: Vault, _ count: Int) async throws -> Phase {
        let session = try AppSession(account, device: device, vault: vault)
        return await session.run {
            var phase = Phase()
            await ProcessorTime.waitUntilIdle()
            let processor = ProcessorTime.microseconds
            let started = ContinuousClock.now
            session.purchases.start()
            for await state in session.purchases.states {
                guard state.entitlements.count == count else { continue }
                if phase.entitlements == 0 { phase.entitlements = started.microseconds }
                if state.areProductsLoaded, state.areEntitlementsKnown { break }
            }
            phase.complete = started.microseconds
            await ProcessorTime.waitUntilIdle()
            phase.processor = ProcessorTime.microseconds - processor
            await session.stop()
            return phase
        }
    }

    /// Returns the microseconds of reading a file, and of decrypting as many bytes.
    private func readFile(_ path: String) async throws -> Double {
        let key = SymmetricKey(size: .bits256)
        let sealed = try AES.GCM.seal(Data(contentsOf: URL(filePath: path)), using: key)
        let started = ContinuousClock.now
        let file = try Data(contentsOf: URL(filePath: path))
        let opened = try AES.GCM.open(sealed, using: key)
        let time = started.microseconds
        guard opened == file else { throw CryptoKitError.authenticationFailure }
        return time
    }

    private func lines(_ launches: [Launch]) -> [ReportLine] {
        var lines: [ReportLine] = []
        for launch in launches {
            let books = "\(launch.count.text) transactions"
            func add(_ title: String, _ value: Double, _ basis: String, _ base: Double, limit: Double? = nil) {
                lines.append(
                    ReportLine(
                        title: "\(title), \(books)", value: value / 1_000, unit: "ms", basis: basis, ratio: value / base, limit: limit))
            }
            add("opening the vault", launch.opening, "reading and decrypting its bytes", launch.readingFile, limit: 2)
            add("opening the vault", launch.opening, "verifying its signatures", launch.verifying)
            lines.append(
                ReportLine(
                    title: "memory of the open vault, \(books)", value: launch.memory / 1_024, unit: "MiB", basis: "the JWS texts",
                    ratio: launch.memory / launch.text))
            add("entitlements at a launch", launch.second.entitlements, "opening the vault", launch.opening)
            add("launch until complete", launch.second.complete, "currentEntitlements of StoreKit", launch.readingStore)
            add("launch, processor time", launch.second.processor, "currentEntitlements of StoreKit", launch.readingStore)
            add("first launch until complete", launch.first.complete, "currentEntitlements of StoreKit", launch.readingStore)
            add("first launch, processor time", launch.first.processor, "currentEntitlements of StoreKit", launch.readingStore)
        }
        return lines
    }
}
