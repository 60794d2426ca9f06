import CStoreKit
public import Foundation
import OpenStoreKit

/// An error of StoreKit 1, such as a failed payment.
///
/// The type bridges to `NSError`, as on Apple's platforms. `error as NSError` has the same domain, code and user info. An `NSError` of the
/// domain ``SKErrorDomain`` can be cast to `SKError` with `as?` and `catch`. Errors are equal when domain, code and user info are equal.
public struct SKError: CustomNSError, Hashable, Sendable {
    /// The underlying `NSError`.
    public let _nsError: NSError

    /// Creates an error from an `NSError` of the domain ``SKErrorDomain``.
    ///
    /// If the `NSError` has another domain, ``code`` has no meaning.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// Creates an error with a code and a user info dictionary.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        _nsError = NSError(domain: Self.errorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// The error domain of StoreKit 1.
    public static let errorDomain = "SKErrorDomain"

    /// The code of the error, which can also be a raw value without a named case.
    public var code: Code { Code(rawValue: _nsError.code) ?? .unknown }
    /// The raw value of ``code``.
    public var errorCode: Int { _nsError.code }
    /// The user info dictionary of the error, with keys such as `NSLocalizedDescriptionKey`.
    public var userInfo: [String: Any] { _nsError.userInfo }
    /// The user info dictionary of the error, as `CustomNSError` requires it.
    public var errorUserInfo: [String: Any] { _nsError.userInfo }

    /// A message for the user: the description in ``userInfo``, or a default message for the code when there is no description.
    public var localizedDescription: String {
        userInfo[NSLocalizedDescriptionKey] as? String ?? Code(rawValue: errorCode)?.defaultMessage ?? _nsError.localizedDescription
    }

    /// Returns whether two errors have equal domains, codes and user info.
    public static func == (lhs: SKError, rhs: SKError) -> Bool {
        lhs._nsError.isEqual(rhs._nsError)
    }

    /// Hashes the error code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(errorCode)
    }
}

extension SKError: CustomStringConvertible {
    /// A text with the domain, the code and the user info of the error.
    public var description: String { "\(_nsError)" }
}

/// The conversions for Swift's casts between `SKError` and `NSError`, which have no Objective-C runtime on Linux.
extension SKError: _ObjectiveCBridgeable {
    /// Returns the underlying `NSError`, for a cast with `as NSError`.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Creates an `SKError` from an `NSError` of any domain, for a cast with `as!`.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout SKError?) {
        result = SKError(_nsError: source)
    }

    /// Creates an `SKError` from an `NSError` of the domain ``SKErrorDomain``, for a cast with `as?`.
    ///
    /// - Returns: Whether the `NSError` has the domain ``SKErrorDomain``.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout SKError?) -> Bool {
        guard source.domain == errorDomain else { return false }
        result = SKError(_nsError: source)
        return true
    }

    /// Creates an `SKError` from an `NSError` of any domain; nil becomes an error with the code `unknown`.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> SKError {
        source.map { SKError(_nsError: $0) } ?? SKError(.unknown)
    }
}

/// The error domain of StoreKit 1, as a global constant.
public let SKErrorDomain = SKError.errorDomain

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
