import Foundation

/// Why a payment failed, in the form in which it is journalled: domain and code belong together.
struct PaymentFailure: Codable, Hashable, Sendable, Error {
    var domain: String
    var code: Int
    var message: String

    /// A failure of StoreKit's own domain.
    init(_ code: SKError.Code, _ message: String = "") {
        self.init(domain: SKError.errorDomain, code: code.rawValue, message: message)
    }

    init(domain: String, code: Int, message: String) {
        self.domain = domain
        self.code = code
        self.message = message
    }

    /// The error that an app sees.
    var error: any Error {
        if domain == SKError.errorDomain, let code = SKError.Code(rawValue: code) {
            return SKError(code, userInfo: message.isEmpty ? [:] : [NSLocalizedDescriptionKey: message])
        }
        return NSError(domain: domain, code: code, userInfo: [NSLocalizedDescriptionKey: message])
    }
}
