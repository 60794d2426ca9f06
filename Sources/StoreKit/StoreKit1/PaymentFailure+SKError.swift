import CStoreKit
import Foundation
import OpenStoreKit

extension PaymentFailure {
    /// The error that the app receives for this failure: an ``SKError``, or an `NSError` of another domain.
    var error: any Error {
        if let code = storeKitCode { return SKError(code, userInfo: message.isEmpty ? [:] : [NSLocalizedDescriptionKey: message]) }
        return NSError(domain: domain, code: code, userInfo: [NSLocalizedDescriptionKey: message])
    }

    /// The StoreKit 1 error code of the failure; nil for a failure of another error domain.
    var storeKitCode: SKError.Code? {
        domain == SKError.errorDomain ? SKError.Code(rawValue: code) : nil
    }
}
