import CStoreKit
import Foundation
import OpenStoreKit

extension PaymentFailure {
    /// The error that an app receives.
    var error: any Error {
        if let code = storeKitCode { return SKError(code, userInfo: message.isEmpty ? [:] : [NSLocalizedDescriptionKey: message]) }
        return NSError(domain: domain, code: code, userInfo: [NSLocalizedDescriptionKey: message])
    }

    /// StoreKit 1's code; nil for a failure of another domain.
    var storeKitCode: SKError.Code? {
        domain == SKError.errorDomain ? SKError.Code(rawValue: code) : nil
    }
}
