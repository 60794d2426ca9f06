#if os(visionOS)
    import StoreKit

    extension PaymentObserver {
        func showDownloads(of transactions: [SKPaymentTransaction]) {}
        func hideDownloads(of transactions: [SKPaymentTransaction]) {}
    }
#else
    public import PurchaseModel
    public import StoreKit

    extension PaymentObserver {
        /// Updates the state of changed downloads; the payment queue calls this method.
        public func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
            show(downloads.map { HostedDownload($0) })
            content?.downloadsChanged()
        }

        func showDownloads(of transactions: [SKPaymentTransaction]) {
            show(transactions.flatMap(\.downloads).map { HostedDownload($0) })
        }

        private func show(_ downloads: [HostedDownload]) {
            guard !downloads.isEmpty else { return }
            send { purchases in
                purchases.change { state in for download in downloads { state.hostedDownloads[download.productID] = download } }
            }
        }

        func hideDownloads(of transactions: [SKPaymentTransaction]) {
            let products = Set(transactions.flatMap(\.downloads).map { ProductID($0.contentIdentifier) })
            guard !products.isEmpty else { return }
            // Show the download of another transaction of the product instead, if any.
            let others = queue.transactions.filter { $0.transactionState == .purchased }.flatMap(\.downloads).map { HostedDownload($0) }
                .filter { products.contains($0.productID) }
            send { purchases in
                purchases.change { state in
                    for product in products { state.hostedDownloads[product] = nil }
                    for download in others { state.hostedDownloads[download.productID] = download }
                }
            }
        }

        // MARK: - Controlling

        /// Starts the download of a product's content, and delivers the purchase when the content is complete.
        ///
        /// A download starts automatically when its purchase is delivered. Call the method to repeat a failed download.
        public func startDownload(of product: ProductID) {
            queue.start(downloads(of: product))
            deliver(product)
        }

        /// Pauses the download of a product's content; the download stays paused in later app sessions.
        ///
        /// The delivery of the purchase ends, and begins again with ``resumeDownload(of:)``.
        public func pauseDownload(of product: ProductID) {
            queue.pause(downloads(of: product))
            send { await $0.pauseDownload(of: product) }
        }

        /// Resumes the download of a product's content, and delivers the purchase when the content is complete.
        public func resumeDownload(of product: ProductID) {
            queue.resume(downloads(of: product))
            deliver(product)
        }

        /// Cancels the download of a product's content, and discards the received part.
        ///
        /// The purchase is not delivered, and its transaction is not finished. A restore can download the content again.
        public func cancelDownload(of product: ProductID) {
            queue.cancel(downloads(of: product))
            // End a delivery that waits for a paused download, so that a restore can begin a new delivery.
            deliver(product)
        }

        /// Ends the pause of a product's download, and tries to deliver the purchase again.
        private func deliver(_ product: ProductID) {
            send { [weak self] purchases in
                let isDelivered = await purchases.parts.installer.permit(product)
                self?.deliveries.run {
                    if isDelivered { _ = await purchases.parts.installer.download(product) }
                    await purchases.parts.engine.retry(only: product)
                    await purchases.refresh()
                }
            }
        }

        private func downloads(of product: ProductID) -> [SKDownload] {
            queue.transactions.flatMap { transaction in
                // Omit the waiting download of a restored transaction, because the person has not chosen the product.
                transaction.downloads.filter { transaction.transactionState == .purchased || $0.state != .waiting }
            }.filter { $0.contentIdentifier == product.rawValue }
        }
    }
#endif
