import Foundation
public import PurchaseModel
import StoreKit

/// The download of a product's content that the App Store hosts.
public struct HostedDownload: Hashable, Sendable, Identifiable {
    /// The state of a download.
    public enum State: Hashable, Sendable {
        /// The download has not started, or waits for another download or the network.
        case waiting
        /// The content is being received.
        case active
        /// The person has paused the download.
        case paused
        /// The content is complete.
        case finished
        /// The download failed; the associated value is a sentence for the user.
        case failed(String)
        /// The person has canceled the download.
        case canceled
    }

    /// The product to which the content belongs.
    public let productID: ProductID
    /// The state of the download.
    public let state: State
    /// The received part of the content, from 0 to 1.
    public let progress: Double
    /// The estimated remaining time; nil if no estimate is available.
    public let timeRemaining: Duration?
    /// The length of the content in bytes.
    public let length: Int64
    /// The version of the content.
    public let version: String

    /// The identifier of the product.
    public var id: ProductID { productID }
}

/// Receives the changes of the payment queue that concern hosted content.
protocol QueueContent: Sendable {
    func receive(_ transactions: [SKPaymentTransaction], in queue: SKPaymentQueue)
    /// Removes transactions that have left the queue.
    func remove(_ transactions: [SKPaymentTransaction])
    func downloadsChanged()
}

#if !os(visionOS)
    extension HostedDownload {
        init(_ download: SKDownload) {
            productID = ProductID(download.contentIdentifier)
            state =
                switch download.state {
                case .active: .active
                case .paused: .paused
                case .finished: .finished
                case .failed: .failed(download.error?.localizedDescription ?? "The download failed.")
                case .cancelled: .canceled
                default: .waiting
                }
            progress = Double(download.progress)
            let seconds = download.timeRemaining
            timeRemaining = seconds == SKDownloadTimeRemainingUnknown || !seconds.isFinite ? nil : .seconds(seconds)
            length = download.expectedContentLength
            version = download.contentVersion
        }
    }
#endif
