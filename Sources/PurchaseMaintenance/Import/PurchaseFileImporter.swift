import DequeModule
import Foundation
import FoundationExtras
import PrivateFiles
public import PurchaseModel
import PurchaseProof
public import PurchaseServer
public import PurchaseStorage
import ServerProtocol

/// Imports purchases from a file, for a team that moves from another service.
///
/// Each record names a transaction, which the importer looks up with the App Store Server API, or contains a receipt, which the importer
/// verifies. The importer records purchases like submissions of a backend, so a repeated import has no second effect.
public struct PurchaseFileImporter: Sendable {
    /// The options of an import.
    public struct Options: Sendable {
        /// The format of the file.
        public var format: ImportFormat
        /// The path of the file of refused lines.
        public var refusedFile: String
        /// The number of records that are processed at the same time.
        public var concurrency = 8
        /// The number of requests to the App Store in a second; 0 for no limit.
        public var requestsPerSecond = 20
        /// The periods of a subscription that the import requests.
        public var periods = ImportedPeriods.all
        /// Whether the import begins again, instead of continuing after the stored progress.
        public var restarts = false

        /// Creates options with the default limits.
        public init(format: ImportFormat, refusedFile: String) {
            self.format = format
            self.refusedFile = refusedFile
        }
    }

    /// The number of records between two writes of the progress.
    static let checkpointInterval = 64
    /// The maximum number of pending records, as a multiple of ``Options/concurrency``; a pending record may wait for the result of an
    /// earlier record.
    private static let windowFactor = 4
    /// The number of bytes of pending records at which the import reads no further record.
    private static let windowBytes = 64 << 20

    let app: BundleID
    let storage: any PurchaseStorage
    let purchases: SubmissionService
    let history: (@Sendable (RequestPace) -> PurchaseHistoryClient)?
    let clock: any WallClock
    let timer: any Clock<Duration>

    /// Imports a file, or continues an interrupted import of the file.
    ///
    /// - Parameters:
    ///   - path: The path of a regular file.
    ///   - options: The options of the import.
    ///   - onProgress: A closure that receives the status after each write of the progress.
    /// - Returns: The report, whose `ImportReport.isComplete` is false if the App Store or the database was unavailable for long.
    /// - Throws: ``PurchaseImportError``, `StorageError`, or `CancellationError`.
    public func run(
        _ path: String, _ options: Options, onProgress: @Sendable (ImportStatus) -> Void = { _ in }
    ) async throws -> ImportReport {
        // Refuse a device or a pipe, whose size is unknown.
        guard ImportFile.isRegular(path), let digest = try? FileDigest.sha256(path) else {
            throw PurchaseImportError.unreadable(path: path)
        }
        guard FileIdentity(path) != FileIdentity(options.refusedFile) else {
            throw PurchaseImportError.refusedFile(path: options.refusedFile)
        }
        let name = Hexadecimal.encode(digest)
        let stored = options.restarts ? nil : try await storage.read(app) { try $0.importProgress(ofFile: name) }
        if let stored, stored.report.isComplete { return stored.report.repeated }
        var progress = stored ?? ImportProgress(file: name)
        let file = try ImportFile(path, options.format, at: stored?.position)
        let refused = try RefusedLines(options.refusedFile, continuing: progress)
        if refused.identity != progress.refusedFile || options.restarts {
            // Store the identity of the refused-lines file before the import begins, so that the next run recognizes the file after a kill
            // of this process.
            progress.refusedFile = refused.identity
            try await storage.write(app) { [progress] in try $0.put(progress) }
        }
        progress.report.message = nil
        var run = ImportRun(importer: self, options: options, file: file, refused: refused, progress: progress)
        try await run.readProcessed(path)
        do {
            try await FeedContext.$cause.withValue(.import) { try await run.run(onProgress) }
        } catch let error as ImportInterruption {
            // Ignore an unavailable database, because the next run continues after the last stored progress.
            do { try await run.store(onProgress) } catch is StorageError {}
            run.progress.report.message = error.message
            return run.progress.report
        }
        guard !run.file.isChanged else { throw PurchaseImportError.changed(path: path) }
        run.progress.report.isComplete = true
        try await run.store(onProgress)
        return run.progress.report
    }

    /// One run of an import.
    private struct ImportRun {
        /// A record that is being processed, or whose result waits for the result of an earlier record.
        struct Pending {
            let end: ImportPosition
            let size: Int
            let line: Int64
            /// The key of the purchase in ``ImportOwners``.
            let key: OpaqueText?
            let content: [JSONValue.Member]
            var result: ImportResult?
        }

        let importer: PurchaseFileImporter
        let options: Options
        var file: ImportFile
        let refused: RefusedLines
        var progress: ImportProgress
        private let owners = ImportOwners()
        private var pending: Deque<Pending> = []
        private var first = 0
        private var bytes = 0
        private var sinceCheckpoint = 0

        init(importer: PurchaseFileImporter, options: Options, file: ImportFile, refused: RefusedLines, progress: ImportProgress) {
            self.importer = importer
            self.options = options
            self.file = file
            self.refused = refused
            self.progress = progress
        }

        /// Assigns the purchases of the processed records again, so that later records do not move these purchases to other customers.
        func readProcessed(_ path: String) async throws {
            guard progress.position.line > 1 else { return }
            let refusedLines = RefusedLines.lines(in: options.refusedFile, length: progress.refusedLength)
            var processed = try ImportFile(path, options.format, at: nil)
            while let record = try processed.next(), record.line < progress.position.line {
                guard !refusedLines.contains(record.line), case .success(let row) = parse(record).1,
                    let key = ImportOwners.key(of: row, usesIdentifier: importer.history != nil)
                else { continue }
                _ = owners.take(key, row.customer, line: record.line, isPending: false)
                for purchase in try await recordedPurchases(of: row) {
                    _ = owners.take(ImportOwners.key(of: purchase), row.customer, line: record.line, isPending: false)
                }
            }
        }

        /// Returns the purchases of a processed record, without requests to the App Store.
        ///
        /// The receipt was verified when the record was processed. The method searches the purchases of the record's customer for the
        /// transaction of an identifier. The result is empty for an identifier without a customer, because a later record may name the
        /// customer.
        private func recordedPurchases(of row: ImportRow) async throws -> [TransactionID] {
            if let identifier = row.identifier, importer.history != nil {
                guard let reference = row.customer else { return [] }
                return try await importer.storage.read(importer.app) { records in
                    guard try records.purchase(identifier) == nil, let customer = try records.customer(reference) else { return [] }
                    return try records.purchases(of: customer).map(\.originalTransactionID).filter {
                        try records.transaction(identifier, of: $0) != nil
                    }
                }
            }
            guard let receipt = row.receipt.map({ [UInt8]($0) }) else { return [] }
            if receipt.first == UInt8(ascii: "{") {
                return (try? UnverifiedTransactionReceipt(receipt)).map { [$0.payload.originalTransactionID] } ?? []
            }
            return (try? UnverifiedReceipt(receipt))?.payload.purchases.map(\.originalTransactionID) ?? []
        }

        /// Processes the records in parallel, and adds the results to the report in the order of the file, so that the progress is a single
        /// place in the file.
        mutating func run(_ onProgress: @Sendable (ImportStatus) -> Void) async throws {
            let pace = RequestPace(perSecond: options.requestsPerSecond, clock: importer.clock, timer: importer.timer)
            var history = importer.history?(pace)
            history?.importedPeriods = options.periods
            let job = ImportJob(
                app: importer.app, storage: importer.storage, purchases: importer.purchases, history: history, pace: pace,
                clock: importer.clock, owners: owners)
            try await withThrowingTaskGroup(of: (number: Int, result: ImportResult).self) { group in
                var (running, isAtEnd) = (0, false)
                // The record that waits for the result of an earlier record with the same purchase.
                var held: ImportRecord?
                while true {
                    while !isAtEnd, running < options.concurrency, pending.count < options.concurrency * PurchaseFileImporter.windowFactor,
                        bytes < PurchaseFileImporter.windowBytes
                    {
                        guard let record = try held ?? file.next() else {
                            isAtEnd = true
                            break
                        }
                        held = nil
                        let number = first + pending.count
                        let (content, row) = parse(record)
                        var (key, owner) = (OpaqueText?.none, ImportOwners.Owner?.none)
                        if case .success(let row) = row {
                            key = job.key(of: row)
                            owner = key.flatMap { owners.take($0, row.customer, line: record.line) }
                            if owner?.isPending == true, running > 0 {
                                held = record
                                break
                            }
                        }
                        pending.append(Pending(end: record.end, size: record.size, line: record.line, key: key, content: content))
                        bytes += record.size
                        switch row {
                        case .success(let row):
                            running += 1
                            let line = record.line
                            group.addTask { [owner] in
                                if let owner { return (number, try await job.double(row, line: line, of: owner)) }
                                return (number, try await job.process(row, line: line))
                            }
                        case .failure(let defect):
                            let refusal = ImportRefusal(line: record.line, code: defect.text.code, reason: defect.text.reason)
                            try await finish(number, .refused(refusal, isUnknown: false), onProgress)
                        }
                    }
                    guard running > 0, let (number, result) = try await group.next() else {
                        if isAtEnd { return }
                        continue
                    }
                    running -= 1
                    try await finish(number, result, onProgress)
                }
            }
        }

        /// Parses a record, and returns the members that describe the record in the file of refused lines.
        private func parse(_ record: ImportRecord) -> ([JSONValue.Member], Result<ImportRow, ImportDefect>) {
            var content = [JSONValue.Member("text", .string(String(decoding: record.head, as: UTF8.self)))]
            do throws(ImportDefect) {
                let fields = try record.fields.get()
                let texts =
                    switch options.format {
                    case .csv: try ImportTexts(fields, columns: file.columns)
                    case .jsonl: try ImportTexts(json: fields.first ?? [])
                    }
                // Write the record's text instead of members that describe only the product, because such members can't be imported.
                if texts.identifier != nil || texts.receipt != nil || texts.customer != nil { content = texts.members }
                return (content, .success(try ImportRow(texts)))
            } catch { return (content, .failure(error)) }
        }

        /// Sets the result of a record, and reports finished records in the order of the file.
        private mutating func finish(
            _ number: Int, _ result: ImportResult, _ onProgress: @Sendable (ImportStatus) -> Void
        ) async throws {
            pending[number - first].result = result
            let (line, key) = (pending[number - first].line, pending[number - first].key)
            var isRefused = false
            if case .refused = result { isRefused = true }
            owners.end([key].compactMap { $0 }, line: line, isRefused: isRefused)
            while let next = pending.first, let result = next.result {
                pending.removeFirst()
                first += 1
                bytes -= next.size
                progress.report.add(result)
                progress.position = next.end
                if case .refused(let refusal, _) = result { try refused.add(refusal, next.content) }
                sinceCheckpoint += 1
            }
            if sinceCheckpoint >= PurchaseFileImporter.checkpointInterval { try await store(onProgress) }
        }

        /// Writes the refused lines to the disk, and then stores the progress.
        mutating func store(_ onProgress: @Sendable (ImportStatus) -> Void) async throws {
            try refused.synchronize()
            (progress.refusedLength, progress.refusedDigest) = (refused.length, refused.digest)
            sinceCheckpoint = 0
            try await importer.storage.write(importer.app) { [progress] in try $0.put(progress) }
            onProgress(
                ImportStatus(
                    completedBytes: progress.report.isComplete ? file.size : progress.position.offset, totalBytes: file.size,
                    report: progress.report))
        }
    }
}

/// The reason why an import ends before the end of the file; the next import of the file continues.
struct ImportInterruption: Error {
    let message: String
}

extension PurchaseServer {
    /// Returns the importer of an app's purchases; nil for an app that is not configured.
    public func importer(of app: BundleID) -> PurchaseFileImporter? {
        guard let services = apps[app] else { return nil }
        var history: (@Sendable (RequestPace) -> PurchaseHistoryClient)?
        if let reconciliation = services.appStore?.reconciliation {
            history = { PurchaseHistoryClient(client: reconciliation.client, signedData: reconciliation.signedData, pace: $0) }
        }
        return PurchaseFileImporter(
            app: app, storage: storage, purchases: services.purchases, history: history, clock: transportClock, timer: timer)
    }
}
