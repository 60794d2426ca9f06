import Crypto
import Foundation
import FoundationExtras
import PrivateFiles
import PurchaseModel
import StoreKit
import Synchronization

#if !os(visionOS)
    /// Downloads content that the App Store hosts, and moves the content to a folder of the app before the transaction is finished.
    ///
    /// StoreKit 2 has no hosted content, so a ``PaymentObserver`` must observe the payment queue.
    ///
    /// ```swift
    /// let content = HostedContentDelivery(folder: folder)
    /// configuration.fulfillments = ["com.example.book": .deliver(content)]
    /// let purchases = Purchases(configuration)
    /// let observer = PaymentObserver(purchases, hostedContent: content)
    /// ```
    public final class HostedContentDelivery: ContentDelivery {
        private struct State {
            var queue: SKPaymentQueue?
            /// The original and the restored transactions of each purchase.
            var transactions: [TransactionID: [SKPaymentTransaction]] = [:]
        }

        private let folder: String
        private let transactionTimeout: Duration
        private let clock: any Clock<Duration>
        private let state = Mutex(State())
        private let changes = StreamList<Void>(buffering: .bufferingNewest(1))

        /// Creates the delivery.
        ///
        /// - Parameters:
        ///   - folder: The path of the app's folder for content, which is created if it does not exist.
        ///   - transactionTimeout: How long a delivery waits until the queue announces a transaction that StoreKit 2 has reported.
        ///   - clock: The clock that measures the timeout.
        public init(folder: String, transactionTimeout: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock()) {
            self.folder = folder
            self.transactionTimeout = transactionTimeout
            self.clock = clock
        }

        /// False, because the App Store decides when the downloads of hosted content start.
        public var isLimited: Bool { false }

        /// Returns the record with the content's current path, because the system may have moved this delivery's folder.
        public func locate(_ installed: InstalledContent) -> InstalledContent { installed.located(in: folder) }

        // MARK: - Delivering

        /// Downloads the content of a purchase and moves it to the app's folder.
        ///
        /// A download that the person has paused does not start. A later app session continues an interrupted download.
        public func install(
            _ purchase: Purchase, report: @escaping @Sendable (_ received: Int64, _ length: Int64) -> Void
        ) async throws(DeliveryError) -> InstalledContent {
            let name = Self.name(purchase)
            // Use content that an earlier app session moved to the folder without recording the delivery.
            let current = (try? download(of: purchase.id))??.1.contentVersion
            if let installed = Self.content(of: name, version: current, in: folder) { return installed }
            guard await waitForTransaction(of: purchase.id) else {
                throw .refused("The App Store sends this content with a restored purchase only. Restore your purchases.")
            }
            let (source, version) = try await download(purchase.id, report)
            do {
                let path = "\(folder)/\(name)@\(Self.encoded(version).prefix(Self.versionLength))"
                try Self.move(source.path(percentEncoded: false), to: path, in: folder)
                return try Self.content(at: path, version: version)
            } catch {
                throw .later("The download can't be saved on this device. Free some space, and try again.")
            }
        }

        /// Downloads the content of a product again if the files have changed or are missing, or if the App Store has another version.
        public func update(
            _ installed: InstalledContent, for purchase: Purchase,
            report: @escaping @Sendable (_ received: Int64, _ length: Int64) -> Void
        ) async throws(DeliveryError) -> InstalledContent {
            guard let content = try? Self.content(at: installed.path, version: installed.version), content == installed else {
                return try await install(purchase, report: report)
            }
            // Keep the content on the disk if the queue has no transaction, because StoreKit then states no version.
            guard await waitForTransaction(of: purchase.id), let current = (try? download(of: purchase.id))??.1.contentVersion,
                current != installed.version
            else { return installed }
            let updated = try await install(purchase, report: report)
            // Remove the old folder now: if the app ends before the update is recorded, the next app session finds the new folder by name.
            if updated.path != installed.path, installed.path.hasPrefix("\(folder)/") {
                try? FileManager.default.removeItem(atPath: installed.path)
            }
            return updated
        }

        /// Waits until the queue has a transaction of a purchase; returns false after ``transactionTimeout``.
        private func waitForTransaction(of id: TransactionID) async -> Bool {
            let appeared = await firstOutcome(within: transactionTimeout, on: clock) { [self] in
                for await _ in changes.stream(from: ()) where state.withLock({ $0.transactions[id] != nil }) { return true }
                return false
            }
            return appeared ?? false
        }

        /// Downloads the content of a purchase, and returns the content's folder and version.
        private func download(
            _ id: TransactionID, _ report: @escaping @Sendable (_ received: Int64, _ length: Int64) -> Void
        ) async throws(DeliveryError) -> (folder: URL, version: String) {
            var (hasStarted, canFail) = (false, false)
            for await _ in changes.stream(from: ()) {
                guard let (queue, download) = try download(of: id) else { break }
                let length = download.expectedContentLength
                report(Int64(Double(length) * Double(download.progress)), length)
                // Ignore `failed` at first, because a restarted download keeps this state until the queue announces another state.
                if download.state != .failed { canFail = true }
                switch download.state {
                case .waiting where !hasStarted, .failed where !hasStarted:
                    hasStarted = true
                    queue.start([download])
                case .failed where canFail:
                    throw .later(download.error?.localizedDescription ?? "The download failed.")
                case .finished:
                    guard let url = download.contentURL else { throw .later("The downloaded content was deleted.") }
                    return (url, download.contentVersion)
                case .cancelled: throw .refused("The download was canceled. Restore your purchases to download the content.")
                default: break
                }
            }
            throw .later("The download continues when the App Store lists the purchase again.")
        }

        /// Returns the download of a purchase; nil if the purchase's transactions have left the queue.
        private func download(of id: TransactionID) throws(DeliveryError) -> (SKPaymentQueue, SKDownload)? {
            let (queue, transactions) = state.withLock { ($0.queue, $0.transactions[id] ?? []) }
            guard let queue, !transactions.isEmpty else { return nil }
            let downloads = transactions.flatMap(\.downloads)
            // Skip a canceled download, which can't be started again, if a restored transaction has another download.
            guard let download = downloads.first(where: { $0.state != .cancelled }) ?? downloads.first else {
                throw .refused("The App Store has no content for this product. Contact support.")
            }
            return (queue, download)
        }

        // MARK: - Files

        /// The first part of the name of a purchase's folders, before `@` and the version of the content.
        private static func name(_ purchase: Purchase) -> String {
            String(encoded("\(purchase.productID)-\(purchase.id)").suffix(200))
        }

        private static func encoded(_ text: String) -> String {
            let allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
            return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        }

        /// Returns a purchase's content in the folder, or nil; any version matches if `version` is nil.
        private static func content(of name: String, version: String?, in folder: String) -> InstalledContent? {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for found in names.sorted() where found.hasPrefix("\(name)@") && !found.hasSuffix(partial) {
                let suffix = found.dropFirst(name.count + 1)
                if let version, suffix != encoded(version).prefix(versionLength) { continue }
                let known = version ?? suffix.removingPercentEncoding
                if let content = try? content(at: "\(folder)/\(found)", version: known) { return content }
            }
            return nil
        }

        private static let partial = ".partial"
        /// The maximum number of characters of the version in the name of a folder.
        private static let versionLength = 50

        /// Moves a folder to its final path in one step, even from another volume.
        private static func move(_ source: String, to path: String, in folder: String) throws {
            try PrivateFiles.createFolder(folder)
            do {
                try DurableFile.move(source, to: path)
            } catch DurableFile.Failure.rename {
                let copy = path + partial
                try? FileManager.default.removeItem(atPath: copy)
                try FileManager.default.copyItem(atPath: source, toPath: copy)
                try DurableFile.move(copy, to: path)
            }
        }

        /// Returns the content in a folder, with the hash of its files.
        private static func content(at path: String, version: String?) throws -> InstalledContent {
            var (length, hash) = (Int64(0), SHA256())
            for file in try FileManager.default.subpathsOfDirectory(atPath: path).sorted() {
                let file = "\(path)/\(file)"
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), !isFolder.boolValue else { continue }
                let handle = try FileHandle(forReadingFrom: URL(filePath: file))
                defer { try? handle.close() }
                while let chunk = try handle.read(upToCount: 1 << 16), !chunk.isEmpty {
                    length += Int64(chunk.count)
                    hash.update(data: chunk)
                }
            }
            return InstalledContent(path: path, length: length, sha256: Hexadecimal.encode(hash.finalize()), version: version)
        }
    }

    extension HostedContentDelivery: QueueContent {
        func receive(_ transactions: [SKPaymentTransaction], in queue: SKPaymentQueue) {
            state.withLock { state in
                state.queue = queue
                for transaction in transactions {
                    for id in transaction.purchaseIDs where state.transactions[id]?.contains(where: { $0 === transaction }) != true {
                        state.transactions[id, default: []].append(transaction)
                    }
                }
            }
            changes.send(())
        }

        func remove(_ transactions: [SKPaymentTransaction]) {
            state.withLock { state in
                for transaction in transactions {
                    for id in transaction.purchaseIDs {
                        state.transactions[id]?.removeAll { $0 === transaction }
                        if state.transactions[id]?.isEmpty == true { state.transactions[id] = nil }
                    }
                }
            }
            changes.send(())
        }

        func downloadsChanged() {
            changes.send(())
        }
    }

    extension SKPaymentTransaction {
        /// The identifiers of the transaction and, for a restored transaction, of its original transaction.
        fileprivate var purchaseIDs: [TransactionID] {
            [transactionIdentifier, original?.transactionIdentifier].compactMap { $0.map { TransactionID($0) } }
        }
    }
#endif
