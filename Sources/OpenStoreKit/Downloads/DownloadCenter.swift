import Foundation
import Logging
package import PurchaseModel
import Synchronization

/// The downloads of a device: the content that the store hosts for unfinished transactions.
///
/// ``DownloadRecord/handle(_:)`` decides every change under a lock. Each change is announced on the callback queue in order, and written to
/// a file on a separate queue, so that no call waits for the disk; only the end of a download is announced after it is written. Observers
/// receive the progress at most once for each percent.
package final class DownloadCenter: Sendable {
    struct Entry {
        var record: DownloadRecord
        /// The payment of the download's transaction; nil while the transaction is not in the payment queue.
        var payment: PaymentID?
        var fetching: Task<Void, Never>?
        var speed = DownloadSpeed()
        /// The progress that observers last received, in percent.
        var announcedPercent = 0
    }

    struct State {
        var entries: [TransactionID: Entry] = [:]
    }

    let state: Mutex<State>
    let session: StoreSession
    let folder: String
    let retryPolicy: RetryPolicy
    let clock: any Clock<Duration>
    private let app: AppConnection
    private let file: DeviceFile<DownloadListRecord>
    let logger: Logger
    let step: @Sendable (DeviceStep) -> Void
    private let disk = DispatchQueue(label: "OpenStoreKit.downloads")
    /// The thread of the tasks that fetch content, which write and hash files.
    let fetchExecutor = DispatchTaskExecutor("OpenStoreKit.content")

    init(
        session: StoreSession, folder: String, app: AppConnection, retryPolicy: RetryPolicy, clock: any Clock<Duration>, logger: Logger,
        step: @escaping @Sendable (DeviceStep) -> Void
    ) {
        self.session = session
        self.folder = folder
        self.app = app
        self.retryPolicy = retryPolicy
        self.clock = clock
        self.logger = logger
        self.step = step
        file = DeviceFile(path: folder + "/downloads.json", step: step)
        var entries: [TransactionID: Entry] = [:]
        // If the file can't be read, the app has to start the downloads of earlier app sessions again.
        for var record in (try? file.read()) ?? [] {
            record.relaunch(in: folder)
            entries[record.transaction] = Entry(record: record)
        }
        state = Mutex(State(entries: entries))
    }

    /// Stops all downloads when the app ends; the next launch continues them.
    func close() {
        for fetching in state.withLock({ $0.entries.values.map(\.fetching) }) { fetching?.cancel() }
    }

    /// Waits until all changes made so far are written to the disk.
    func flush() async {
        await withCheckedContinuation { continuation in
            disk.async { continuation.resume() }
        }
    }

    // MARK: - From the queue

    /// Adds the download for a transaction that has entered the payment queue, if the store hosts content for it.
    ///
    /// A download that was started in an earlier app session continues and is announced. Call this method on the callback queue.
    func adopt(_ payment: PaymentQueueRecord) {
        guard let recorded = payment.recorded, let content = recorded.content else { return }
        state.withLock { state in
            let fresh = DownloadRecord(transaction: recorded.id, productID: payment.productID, content: content, account: payment.account)
            var entry = state.entries[recorded.id] ?? Entry(record: fresh)
            let isContinued = entry.payment == nil && entry.record != fresh
            if entry.record.content != content { entry.record = fresh }
            entry.payment = payment.id
            if entry.record.isStarted, entry.fetching?.isCancelled ?? true { entry.fetching = fetch(recorded.id, after: entry.fetching) }
            state.entries[recorded.id] = entry
            if isContinued { announce(entry) }
        }
    }

    /// Removes the downloads of transactions that have left the payment queue.
    ///
    /// The downloads of finished transactions are canceled and deleted. The downloads of an account that has signed out stop, and stay on
    /// disk until the account signs in again.
    ///
    /// - Returns: The last states of the deleted downloads.
    func release(_ payments: [PaymentID], _ reason: RemovalReason) -> [DownloadStatus] {
        let gone = Set(payments)
        let left = state.withLock { state in
            state.entries.values.filter { $0.payment.map(gone.contains) ?? false }.map(\.record)
        }
        guard !left.isEmpty else { return [] }
        defer { save() }
        return left.compactMap { record in
            let id = record.transaction
            guard reason == .finished else {
                state.withLock { state in
                    state.entries[id]?.fetching?.cancel()
                    state.entries[id]?.payment = nil
                }
                return nil
            }
            handle(.cancel, of: id)
            guard var last = state.withLock({ $0.entries.removeValue(forKey: id) })?.record else { return nil }
            last.contentPath = nil
            discard(last)
            return DownloadStatus(record: last, remaining: nil)
        }
    }

    /// Returns the download of a transaction, or nil if there is none.
    package func record(of transaction: TransactionID) -> DownloadRecord? {
        state.withLock { $0.entries[transaction]?.record }
    }

    /// Starts or continues the downloads of transactions.
    package func start(_ transactions: [TransactionID]) { handle(.start, of: transactions) }

    /// Pauses the downloads of transactions.
    package func pause(_ transactions: [TransactionID]) { handle(.pause, of: transactions) }

    /// Resumes the paused downloads of transactions.
    package func resume(_ transactions: [TransactionID]) { handle(.resume, of: transactions) }

    /// Cancels the downloads of transactions.
    package func cancel(_ transactions: [TransactionID]) { handle(.cancel, of: transactions) }

    /// Applies an event to the downloads of transactions, except transactions that are not in the payment queue.
    private func handle(_ event: DownloadRecord.Event, of transactions: [TransactionID]) {
        for id in transactions where state.withLock({ $0.entries[id]?.payment != nil }) { handle(event, of: id) }
    }

    /// Returns the path of a product's downloaded content, or nil if there is none.
    func contentPath(of product: ProductID) -> String? {
        state.withLock { state in
            state.entries.values.map(\.record).filter { $0.productID == product && belongsToOwner($0) }.compactMap(\.contentPath).max()
        }
    }

    /// Deletes the downloaded content of a product.
    func delete(_ product: ProductID) {
        let records = state.withLock { state in
            let records = state.entries.values.map(\.record).filter {
                $0.productID == product && $0.contentPath != nil && belongsToOwner($0)
            }
            for record in records { state.entries[record.transaction]?.record.contentPath = nil }
            return records
        }
        for record in records { discard(record) }
        save()
    }

    /// Returns whether a download belongs to the account that owns the device, or to no account yet.
    private func belongsToOwner(_ record: DownloadRecord) -> Bool { record.account == nil || record.account == session.state.owner }

    private func discard(_ record: DownloadRecord) {
        disk.async { [folder = folder(of: record)] in folder.discard() }
    }

    // MARK: - Events

    func folder(of record: DownloadRecord) -> DownloadFolder { DownloadFolder(record, in: folder) }

    /// Applies an event to a download: changes its state, announces the change, and carries out the effects.
    func handle(_ event: DownloadRecord.Event, of id: TransactionID) {
        state.withLock { state in
            guard var entry = state.entries[id] else { return }
            let before = entry.record
            let effects = entry.record.handle(event)
            guard entry.record != before else { return }
            if before.state != entry.record.state { entry.speed = DownloadSpeed() }
            entry.speed.update(entry.record.received)
            if effects.contains(.stop) { entry.fetching?.cancel() }
            if effects.contains(.fetch) { entry.fetching = fetch(id, after: entry.fetching) }
            var shouldAnnounce = true
            if case .received = event { shouldAnnounce = entry.record.percent != entry.announcedPercent }
            entry.announcedPercent = entry.record.percent
            state.entries[id] = entry
            // The changes of the disk are enqueued before the announcement, so that an app that waits for them afterward sees them.
            if effects.contains(.discard) { discard(entry.record) }
            if case .received = event {} else { save() }
            if case .completed = event { announceWhenRecorded(id) } else if shouldAnnounce { announce(entry) }
        }
    }

    /// Announces the state of a download to the app.
    ///
    /// Call this method under the lock, so that announcements have the order of the changes.
    private func announce(_ entry: Entry) {
        guard entry.payment != nil else { return }
        app.announce(DownloadStatus(record: entry.record, remaining: entry.speed.remaining(of: entry.record)))
    }

    /// Announces that a download is finished after the list of downloads is written, or its write has failed.
    ///
    /// The app moves finished content immediately, and an older list would let the next launch fetch the content again. Call this method
    /// after ``save()``, under the same lock.
    private func announceWhenRecorded(_ id: TransactionID) {
        disk.async { [self] in
            state.withLock { state in
                guard let entry = state.entries[id], entry.record.state == .finished else { return }
                announce(entry)
            }
        }
    }

    /// Writes all downloads to the file.
    private func save() {
        disk.async { [self] in
            let records = state.withLock { $0.entries.values.map(\.record) }.sorted { $0.transaction < $1.transaction }
            do {
                try file.write(records)
            } catch {
                logger.warning("the list of downloads can't be written", metadata: ["reason": "\(error)"])
            }
        }
    }
}

extension DownloadRecord {
    /// Updates a download of an earlier app session at the launch.
    ///
    /// An active download becomes waiting. A finished download whose content no longer exists becomes waiting, too.
    fileprivate mutating func relaunch(in folder: String) {
        if state == .active { state = .waiting }
        if let contentPath, !FileManager.default.fileExists(atPath: contentPath) {
            self.contentPath = nil
            state = .waiting
        }
        received = state == .finished ? content.length : DownloadFolder(self, in: folder).received
    }
}
