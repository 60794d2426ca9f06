import Foundation
public import PurchaseModel

extension Purchases {
    // MARK: - Controlling downloads

    /// Downloads the content of a purchased product with its stored transaction, or the current version of installed content.
    ///
    /// Content that is installed in its current version is not downloaded again. A download that fails because of the network continues
    /// automatically, also in a later app session. A call while the download runs joins the download.
    ///
    /// - Parameter product: A product of ``PurchasesState/readyToDownload``, or a product with installed content.
    @discardableResult
    public func download(_ product: ProductID) async -> DownloadOutcome {
        let outcome = await parts.installer.download(product)
        await refresh()
        return outcome
    }

    /// Pauses the download of a product's content, and keeps the received part.
    ///
    /// The download stays paused in later app sessions. If a purchase is delivered together with its content, the transaction stays
    /// unfinished. The downloads of ``HostedContentDelivery`` are paused with ``PaymentObserver/pauseDownload(of:)``.
    public func pauseDownload(of product: ProductID) async {
        await parts.installer.pause(product)
        await refresh()
    }

    /// Resumes a paused download, and returns after one attempt.
    public func resumeDownload(of product: ProductID) async {
        let isDelivered = await parts.installer.permit(product)
        async let deliveries: Void = parts.engine.retry(only: product)
        if isDelivered { _ = await parts.installer.download(product) }
        await deliveries
        await refresh()
    }

    /// Cancels the download of a product's content; the received part is kept for a later download.
    ///
    /// If the purchase waits for its content, the purchase is delivered without the content, the transaction is finished, and the product
    /// is in ``PurchasesState/readyToDownload``.
    public func cancelDownload(of product: ProductID) async {
        await parts.installer.cancel(product)
        await parts.engine.retry(only: product)
        await refresh()
    }

    /// Moves a waiting download to the front of the queue.
    public func prioritizeDownload(of product: ProductID) async {
        await parts.installer.prioritize(product)
    }

    // MARK: - State

    func show(_ received: Int64, of length: Int64, of product: ProductID) {
        downloadRates[product, default: DownloadRate()].add(received, at: configuration.wallClock.now)
        let rate = downloadRates[product]?.bytesPerSecond
        change { $0.downloads[product] = DownloadProgress(state: .active, received: received, length: length, bytesPerSecond: rate) }
    }

    func show(_ download: DownloadProgress.State?, of product: ProductID) {
        downloadRates[product] = nil
        change { state in
            guard let download else {
                state.downloads[product] = nil
                return
            }
            state.downloads[product, default: DownloadProgress(state: download)].state = download
            state.downloads[product]?.bytesPerSecond = nil
        }
    }

    /// Returns the recorded content whose file or folder exists.
    @concurrent
    static func installedContent(in contents: VaultContents) async -> [ProductID: InstalledContent] {
        contents.contents.filter { FileManager.default.fileExists(atPath: $0.value.path) }
    }

    /// Returns the purchased products whose content is not on the device, latest purchase first.
    @concurrent
    static func undownloaded(
        in contents: VaultContents, _ installed: [ProductID: InstalledContent], _ entitlements: [EntitlementName: EntitlementState],
        _ fulfillments: [ProductID: Fulfillment]
    ) async -> [ProductID] {
        let products = fulfillments.filter { product, fulfillment in
            guard fulfillment.content != nil else { return false }
            let names = fulfillment.entitlements(of: product)
            guard names.isEmpty || names.contains(where: { entitlements[$0]?.isActive == true }) else { return false }
            return installed[product] == nil
        }
        return contents.deliveredTransactions(of: Set(products.keys)).sorted { left, right in
            (left.value.facts.purchaseDate, left.key) > (right.value.facts.purchaseDate, right.key)
        }.map(\.key)
    }
}

extension PurchasesState {
    /// Adds paused downloads to the state, including those that an earlier app session paused.
    mutating func showPausedDownloads(_ requests: [ProductID: DownloadRequest]) {
        for (product, download) in downloads where download.state == .paused && requests[product] != .paused { downloads[product] = nil }
        for (product, request) in requests where request == .paused && downloads[product] == nil {
            downloads[product] = DownloadProgress(state: .paused)
        }
    }
}
