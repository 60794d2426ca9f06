import Crypto
import Foundation
import StoreKit

/// An observer that prints each callback first, and then finishes the transaction if configured.
final class Listener: NSObject, SKPaymentTransactionObserver, Sendable {
    private let finishes: Bool
    private let wantsPromotions: Bool

    init(finishes: Bool, wantsPromotions: Bool = false) {
        self.finishes = finishes
        self.wantsPromotions = wantsPromotions
    }

    func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool {
        FileHandle.standardOutput.write(Data("received promotion\n".utf8))
        return wantsPromotions
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased, .restored:
                let original = transaction.original?.transactionIdentifier ?? "-"
                FileHandle.standardOutput.write(Data("delivered \(transaction.transactionIdentifier ?? "-") \(original)\n".utf8))
            case .purchasing, .deferred:
                continue
            case .failed:
                FileHandle.standardOutput.write(Data("failed\n".utf8))
            @unknown default:
                continue
            }
            if finishes { queue.finishTransaction(transaction) }
        }
    }
}

/// An observer that downloads the content of each purchase, prints its size and hash, and then finishes the transaction.
final class Downloader: NSObject, SKPaymentTransactionObserver, Sendable {
    private let finished: @Sendable () -> Void

    /// Creates an observer that calls `finished` after each finished transaction.
    init(finished: @escaping @Sendable () -> Void) {
        self.finished = finished
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .purchased {
            FileHandle.standardOutput.write(Data("delivered \(transaction.transactionIdentifier ?? "-") -\n".utf8))
            for download in transaction.downloads where download.state == .finished { finish(download, queue) }
            queue.start(transaction.downloads.filter { $0.state != .finished })
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads {
            FileHandle.standardOutput.write(Data("progress \(download.progress)\n".utf8))
            if download.state == .finished { finish(download, queue) }
        }
    }

    private func finish(_ download: SKDownload, _ queue: SKPaymentQueue) {
        let path = download.contentURL.map { $0.appending(path: "Contents/com.example.monkeyshop.book").path(percentEncoded: false) }
        let content = path.flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
        let hash = SHA256.hash(data: content).map { "\($0)" }.joined(separator: ".")
        FileHandle.standardOutput.write(Data("received content \(hash)\n".utf8))
        queue.finishTransaction(download.transaction)
        finished()
    }
}
