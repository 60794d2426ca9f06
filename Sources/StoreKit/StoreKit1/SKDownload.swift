public import CStoreKit
public import Foundation
import OpenStoreKit
import PurchaseModel
import Synchronization

/// What the store hosts for a purchase, on its way to the device.
///
/// Belongs to a transaction that was purchased or restored; finish that when its downloads are over, and move what came first: its place
/// is cleared then. Content whose SHA-256 is not the one that the store states fails with `URLError.Code.badServerResponse`.
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

    /// What is known of it; nil for one that no store made.
    var record: DownloadRecord? { values.withLock { $0.record } }

    func update(_ record: DownloadRecord, remaining: TimeInterval) {
        values.withLock { values in
            values.record = record
            values.remaining = remaining
        }
    }

    /// The current state.
    open var state: SKDownloadState { keyed.choice("state") ?? record.map { SKDownloadState($0.state) } ?? .waiting }
    /// Where it stands, under iOS's first name.
    open var downloadState: SKDownloadState { state }
    /// The product.
    open var contentIdentifier: String { keyed["contentIdentifier"] ?? record?.productID.rawValue ?? "" }
    /// A folder with `Contents` and `ContentInfo.plist`; nil unless finished, and once the transaction is finished.
    open var contentURL: URL? { keyed["contentURL"] ?? record?.place.map { URL(filePath: $0) } }
    /// The content's version, such as `1.0`.
    open var contentVersion: String { keyed["contentVersion"] ?? record?.content.version ?? "" }
    /// The length of the content in bytes.
    open var expectedContentLength: Int64 { keyed["expectedContentLength"] ?? record?.content.length ?? 0 }
    /// How many bytes it has, under the first name.
    open var contentLength: Int64 { keyed["contentLength"] ?? expectedContentLength }
    /// How much of it is there, from 0 to 1; it moves by a hundredth at least.
    open var progress: Float { keyed["progress"] ?? record?.progress ?? 0 }
    /// The estimated remaining time in seconds; ``SKDownloadTimeRemainingUnknown`` without an estimate.
    open var timeRemaining: TimeInterval { keyed["timeRemaining"] ?? values.withLock { $0.remaining } }
    /// The error of a failure.
    open var error: (any Error)? { keyed["error"] ?? record?.failure?.error }
    /// The transaction to which it belongs.
    open var transaction: SKPaymentTransaction {
        keyed["transaction"] ?? values.withLock { $0.transaction } ?? SKPaymentTransaction()
    }

    /// Where content of a product lies that was fetched before and not deleted; nil when there is none.
    open class func contentURL(forProductID productID: String) -> URL? {
        Device.active?.contentPath(of: ProductID(productID)).map { URL(filePath: $0) }
    }

    /// Deletes content of a product that was fetched before.
    open class func deleteContent(forProductID productID: String) {
        Device.active?.deleteContent(of: ProductID(productID))
    }

    /// Sets the value of a property by its name, for tests.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }
}
