public import CStoreKit
public import Foundation
import OpenStoreKit
import PurchaseModel
import Synchronization

/// A download of the content that the store hosts for a product.
///
/// A download belongs to a purchased or restored transaction. Move the content from ``contentURL`` before you finish the transaction,
/// because finishing the transaction deletes the content. If the content does not match the SHA-256 hash that the store states, the
/// download fails with `URLError.Code.badServerResponse`.
open class SKDownload: NSObject, @unchecked Sendable {
    private struct Values {
        var record: DownloadRecord?
        var remaining = SKDownloadTimeRemainingUnknown
        weak var transaction: SKPaymentTransaction?
    }

    private let values = Mutex(Values())
    private let keyed = KeyedValues()

    /// Creates a download with default values, for subclasses and tests.
    public override init() {}

    convenience init(_ record: DownloadRecord, of transaction: SKPaymentTransaction?) {
        self.init()
        values.withLock { values in
            values.record = record
            values.transaction = transaction
        }
    }

    /// The device's record of the download; nil for a download that a test or a subclass created.
    var record: DownloadRecord? { values.withLock { $0.record } }

    func update(_ record: DownloadRecord, remaining: TimeInterval) {
        values.withLock { values in
            values.record = record
            values.remaining = remaining
        }
    }

    /// The current state of the download.
    open var state: SKDownloadState { keyed.choice("state") ?? record.map { SKDownloadState($0.state) } ?? .waiting }
    /// The current state of the download, under the original name of the property on iOS.
    open var downloadState: SKDownloadState { state }
    /// The identifier of the product to which the content belongs.
    open var contentIdentifier: String { keyed["contentIdentifier"] ?? record?.productID.rawValue ?? "" }
    /// The folder with the downloaded content; nil before the download finishes, and after the content is deleted.
    ///
    /// The folder contains the folder `Contents` and the file `ContentInfo.plist`.
    open var contentURL: URL? { keyed["contentURL"] ?? record?.contentPath.map { URL(filePath: $0) } }
    /// The version of the content, such as `1.0`.
    open var contentVersion: String { keyed["contentVersion"] ?? record?.content.version ?? "" }
    /// The length of the content in bytes.
    open var expectedContentLength: Int64 { keyed["expectedContentLength"] ?? record?.content.length ?? 0 }
    /// The length of the content in bytes, under the original name of the property.
    open var contentLength: Int64 { keyed["contentLength"] ?? expectedContentLength }
    /// The received part of the content, from 0 to 1.
    ///
    /// The queue notifies its observers of the progress at most once for each hundredth.
    open var progress: Float { keyed["progress"] ?? record?.progress ?? 0 }
    /// The estimated remaining time in seconds, or ``SKDownloadTimeRemainingUnknown`` when no estimate is available.
    open var timeRemaining: TimeInterval { keyed["timeRemaining"] ?? values.withLock { $0.remaining } }
    /// The error of a failed download; nil when the download has not failed.
    open var error: (any Error)? { keyed["error"] ?? record?.failure?.error }
    /// The transaction to which the download belongs.
    open var transaction: SKPaymentTransaction {
        keyed["transaction"] ?? values.withLock { $0.transaction } ?? SKPaymentTransaction()
    }

    /// Returns the folder with the downloaded content of a product; returns nil when the device has no content of the product.
    open class func contentURL(forProductID productID: String) -> URL? {
        Device.active?.contentPath(of: ProductID(productID)).map { URL(filePath: $0) }
    }

    /// Deletes the downloaded content of a product from the device.
    open class func deleteContent(forProductID productID: String) {
        Device.active?.deleteContent(of: ProductID(productID))
    }

    /// Overrides the value of the property with the name `key`, for tests; nil removes the override.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }
}

extension SKDownloadState {
    init(_ state: DownloadRecord.State) {
        self =
            switch state {
            case .waiting: .waiting
            case .active: .active
            case .paused: .paused
            case .finished: .finished
            case .failed: .failed
            case .cancelled: .cancelled
            }
    }
}

/// The value of ``SKDownload/timeRemaining`` when no estimate is available.
public let SKDownloadTimeRemainingUnknown: TimeInterval = -1
