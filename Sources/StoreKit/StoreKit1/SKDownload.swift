public import CStoreKit
public import Foundation
import OpenStoreKit
import PurchaseModel
import Synchronization

/// A download of the content that the store hosts for a product.
///
/// A download belongs to a purchased or restored transaction. Move the content from ``contentURL`` before you finish the transaction,
/// because finishing deletes the content. Content that does not match the store's SHA-256 fails with
/// `URLError.Code.badServerResponse`.
open class SKDownload: NSObject, @unchecked Sendable {
    private struct Values {
        var record: DownloadRecord?
        var remaining = SKDownloadTimeRemainingUnknown
        weak var transaction: SKPaymentTransaction?
    }

    private let values = Mutex(Values())
    private let keyed = KeyedValues()

    /// Creates a download without content, for subclasses.
    public override init() {}

    convenience init(_ record: DownloadRecord, of transaction: SKPaymentTransaction?) {
        self.init()
        values.withLock { values in
            values.record = record
            values.transaction = transaction
        }
    }

    /// The record on the device; nil for a download that a test created.
    var record: DownloadRecord? { values.withLock { $0.record } }

    func update(_ record: DownloadRecord, remaining: TimeInterval) {
        values.withLock { values in
            values.record = record
            values.remaining = remaining
        }
    }

    /// The current state.
    open var state: SKDownloadState { keyed.choice("state") ?? record.map { SKDownloadState($0.state) } ?? .waiting }
    /// The current state, under the original name of iOS.
    open var downloadState: SKDownloadState { state }
    /// The product.
    open var contentIdentifier: String { keyed["contentIdentifier"] ?? record?.productID.rawValue ?? "" }
    /// A folder with `Contents` and `ContentInfo.plist`; nil unless the download is finished and its transaction is not.
    open var contentURL: URL? { keyed["contentURL"] ?? record?.contentPath.map { URL(filePath: $0) } }
    /// The content's version, such as `1.0`.
    open var contentVersion: String { keyed["contentVersion"] ?? record?.content.version ?? "" }
    /// The length of the content in bytes.
    open var expectedContentLength: Int64 { keyed["expectedContentLength"] ?? record?.content.length ?? 0 }
    /// The length of the content in bytes, under the original name.
    open var contentLength: Int64 { keyed["contentLength"] ?? expectedContentLength }
    /// The received part of the content, from 0 to 1; observers are notified of each hundredth.
    open var progress: Float { keyed["progress"] ?? record?.progress ?? 0 }
    /// The estimated remaining time in seconds; ``SKDownloadTimeRemainingUnknown`` without an estimate.
    open var timeRemaining: TimeInterval { keyed["timeRemaining"] ?? values.withLock { $0.remaining } }
    /// The error of a failure.
    open var error: (any Error)? { keyed["error"] ?? record?.failure?.error }
    /// The transaction to which it belongs.
    open var transaction: SKPaymentTransaction {
        keyed["transaction"] ?? values.withLock { $0.transaction } ?? SKPaymentTransaction()
    }

    /// The location of a product's downloaded content that was not deleted; nil when there is none.
    open class func contentURL(forProductID productID: String) -> URL? {
        Device.active?.contentPath(of: ProductID(productID)).map { URL(filePath: $0) }
    }

    /// Deletes the downloaded content of a product.
    open class func deleteContent(forProductID productID: String) {
        Device.active?.deleteContent(of: ProductID(productID))
    }

    /// Sets the value of a property by its name, for tests.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }
}
