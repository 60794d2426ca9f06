import Foundation
import PurchaseModel

/// The outcome of the download of a product's content.
public enum DownloadOutcome: Hashable, Sendable {
    /// The content is on the device, in its current version.
    case installed(InstalledContent)
    /// The person has paused the download.
    case paused
    /// The person has canceled the download.
    case canceled
    /// The download continues automatically later; the associated value is a sentence for the user.
    case delayed(String)
    /// The content can't be downloaded; the associated value is a sentence for the user.
    case refused(String)
    /// The product has no content, or the customer has no delivered purchase of the product.
    case unavailable
}

/// Installs the content of purchases, and downloads content at a person's request.
actor ContentInstaller {
    private let vault: Vault
    private let session: PurchasesSession
    private let fulfillments: [ProductID: Fulfillment]
    private let queue: DownloadQueue
    private let retries: RetryTimer
    private let report: @Sendable (FulfillmentReport) async -> Void

    /// The latest installation task of each product; the next installation waits for the end of this task.
    private var installations: [ProductID: Task<Void, Never>] = [:]
    /// The products that are delivered without content after the person canceled the download, until a delivery is recorded or the person
    /// requests the content.
    private var canceled: Set<ProductID> = []
    /// The downloads that run at the person's request.
    private var downloads: [ProductID: Task<DownloadOutcome, Never>] = [:]

    init(
        vault: Vault, session: PurchasesSession, fulfillments: [ProductID: Fulfillment], limit: Int, retries: RetryTimer,
        report: @escaping @Sendable (FulfillmentReport) async -> Void
    ) {
        self.vault = vault
        self.session = session
        self.fulfillments = fulfillments
        queue = DownloadQueue(limit: limit)
        self.retries = retries
        self.report = report
    }

    /// Cancels the downloads of a session that has ended.
    func stop() {
        for task in downloads.values { task.cancel() }
    }

    // MARK: - Deliveries

    /// Installs content, one purchase of a product after the other, because the purchases of a product can share files.
    ///
    /// - Returns: The installed content; nil if the person has canceled the download.
    func install(_ content: any ContentDelivery, _ purchase: Purchase) async throws(DeliveryError) -> InstalledContent? {
        let previous = installations[purchase.productID]
        let task = Task<Result<InstalledContent?, DeliveryError>, Never> {
            await previous?.value
            do throws(DeliveryError) {
                return .success(try await installNow(content, purchase))
            } catch {
                return .failure(error)
            }
        }
        installations[purchase.productID] = Task { _ = await task.value }
        return try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }

    /// Installs the content of a restored purchase again if the content is no longer on the device.
    func installMissing(_ purchase: Purchase) async throws(DeliveryError) {
        let path = await vault.contents.contents[purchase.productID]?.path
        if let path, FileManager.default.fileExists(atPath: path) { return }
        for case .deliver(let content) in fulfillments[purchase.productID]?.effects ?? [] {
            guard let installed = try await install(content, purchase) else { continue }
            try await record(.content(purchase.productID, installed))
        }
    }

    /// Records the current paths of the installed content.
    func locate() async {
        let installed = await vault.contents.contents
        let moved = installed.compactMap { product, content -> VaultEntry? in
            guard let located = fulfillments[product]?.content?.locate(content), located != content else { return nil }
            return .content(product, located)
        }
        guard !moved.isEmpty else { return }
        _ = try? await vault.change(in: session) { _ throws(VaultError) in moved }
    }

    /// Removes content that the vault has replaced, unless another product has the same file.
    func removeReplaced(_ previous: InstalledContent?, of product: ProductID) async {
        guard let previous, let content = fulfillments[product]?.content else { return }
        let isInUse = await vault.contents.contents.values.contains { $0.path == previous.path }
        if !isInUse { await content.remove(previous) }
    }

    private func installNow(_ content: any ContentDelivery, _ purchase: Purchase) async throws(DeliveryError) -> InstalledContent? {
        let product = purchase.productID
        guard !canceled.contains(product) else { return nil }
        guard await vault.contents.downloads[product] != .paused else {
            await report(.download(product, .paused))
            throw .paused
        }
        await report(.download(product, .waiting))
        let (progress, continuation) = AsyncStream.makeStream(
            of: (received: Int64, length: Int64).self, bufferingPolicy: .bufferingNewest(1))
        let reporting = Task { [report] in
            for await (received, length) in progress { await report(.progress(product, received: received, length: length)) }
        }
        let ending = await queue.run(product, isLimited: content.isLimited) { [vault] in
            let contents = await vault.contents
            guard contents.downloads[product] != .paused else { return .failure(.paused) }
            guard await !self.canceled.contains(product) else { return .failure(.later("The download was canceled.")) }
            do throws(DeliveryError) {
                let report: @Sendable (Int64, Int64) -> Void = { continuation.yield(($0, $1)) }
                guard let installed = contents.contents[product] else {
                    return .success(try await content.install(purchase, report: report))
                }
                return .success(try await content.update(installed, for: purchase, report: report))
            } catch {
                return .failure(error)
            }
        }
        // Report all progress before the end of the download.
        continuation.finish()
        await reporting.value
        switch ending {
        case .installed(let installed):
            await report(.download(product, nil))
            return installed
        case .stopped(.canceled):
            await report(.download(product, nil))
            return nil
        case .stopped(.paused), .failed(.paused):
            // Read the pause from the vault, because the person may have resumed the download before the paused task ended.
            let isPaused = await vault.contents.downloads[product] == .paused
            await report(.download(product, isPaused ? .paused : nil))
            throw isPaused ? .paused : .later("The download was interrupted, and continues automatically.")
        case .failed(let error):
            await report(.download(product, nil))
            guard !canceled.contains(product) else { return nil }
            throw error
        }
    }

    private func record(_ entries: VaultEntry...) async throws(DeliveryError) {
        guard !session.hasEnded else { throw .later(VaultError.sessionEnded.description) }
        do {
            _ = try await vault.change(in: session) { (contents) throws(VaultError) in
                entries.filter { entry in
                    switch entry {
                    case .download(let product, let request): contents.downloads[product] != request
                    case .content(let product, let content): contents.contents[product] != content
                    default: true
                    }
                }
            }
        } catch {
            throw .later(error.description)
        }
    }

    // MARK: - Downloads at a person's request

    /// Downloads the current version of a delivered purchase's content; a call during a download joins the download.
    func download(_ product: ProductID) async -> DownloadOutcome {
        canceled.remove(product)
        if let task = downloads[product] { return await task.value }
        let task = Task {
            let outcome = await downloadNow(product)
            downloads[product] = nil
            return outcome
        }
        downloads[product] = task
        return await task.value
    }

    private func downloadNow(_ product: ProductID) async -> DownloadOutcome {
        guard let content = fulfillments[product]?.content,
            let transaction = await vault.contents.deliveredTransactions(of: [product])[product]?.proof?.transaction
        else { return .unavailable }
        do throws(DeliveryError) {
            try await record(.download(product, .requested))
            guard let installed = try await install(content, Purchase(transaction: transaction, isRestored: false)) else {
                try await record(.download(product, nil))
                return .canceled
            }
            let previous = await vault.contents.contents[product]
            try await record(.content(product, installed), .download(product, nil))
            if previous?.path != installed.path { await removeReplaced(previous, of: product) }
            await report(.installed)
            await retries.succeeded()
            return .installed(installed)
        } catch {
            switch error {
            case .paused: return .paused
            case .later(let sentence):
                if !session.hasEnded { await retries.schedule { [weak self] in await self?.downloadRequested() } }
                return .delayed(sentence)
            case .refused(let sentence):
                // Remove the request, so that the download is not repeated automatically.
                try? await record(.download(product, nil))
                return .refused(sentence)
            }
        }
    }

    /// Continues the downloads that the person has requested, also in an earlier app session, and returns after one attempt for each.
    func downloadRequested() async {
        let requested = await vault.contents.downloads.filter { $0.value == .requested }.keys
        await withDiscardingTaskGroup { group in
            for product in requested { group.addTask { _ = await self.download(product) } }
        }
    }

    /// Pauses a download; the download stays paused in later app sessions.
    func pause(_ product: ProductID) async {
        guard fulfillments[product]?.content != nil else { return }
        try? await record(.download(product, .paused))
        await queue.stop(product, .paused)
    }

    /// Ends the pause of a download; returns true if the caller must start the download, because the purchase is delivered already.
    func permit(_ product: ProductID) async -> Bool {
        let contents = await vault.contents
        guard contents.downloads[product] == .paused else { return false }
        canceled.remove(product)
        let isDelivered = contents.deliveredTransactions(of: [product])[product] != nil
        try? await record(.download(product, isDelivered ? .requested : nil))
        return isDelivered
    }

    /// Cancels a download; a delivery that waits for the download ends without the content.
    func cancel(_ product: ProductID) async {
        try? await record(.download(product, nil))
        canceled.insert(product)
        await queue.stop(product, .canceled)
        await report(.download(product, nil))
    }

    /// Removes the record of a canceled download after a delivery was recorded.
    func endCancellation(of product: ProductID) {
        canceled.remove(product)
    }

    func prioritize(_ product: ProductID) async {
        await queue.prioritize(product)
    }
}
