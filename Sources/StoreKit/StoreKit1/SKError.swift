public import Foundation

/// An error of StoreKit.
///
/// It is a Foundation error in Swift's clothes, as on Apple's platforms: `error as NSError` and `as? NSError` have its domain, code and
/// user info, an `NSError` of the domain ``SKErrorDomain`` is an `SKError` for `as?` and `catch`, and two are equal when domain, code and
/// user info are.
public struct SKError: CustomNSError, Hashable, Sendable {
    /// The error as Foundation knows it.
    public let _nsError: NSError

    /// Takes an error of StoreKit's domain; the code of another domain's is meaningless.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// Creates an error.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        _nsError = NSError(domain: Self.errorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// The domain of StoreKit's errors.
    public static let errorDomain = "SKErrorDomain"

    /// The error code; numbers without a name are values, too.
    public var code: Code { Code(rawValue: _nsError.code) ?? .unknown }
    /// The code as a number.
    public var errorCode: Int { _nsError.code }
    /// Foundation's details, such as `NSLocalizedDescriptionKey`.
    public var userInfo: [String: Any] { _nsError.userInfo }
    /// The same as ``userInfo``.
    public var errorUserInfo: [String: Any] { _nsError.userInfo }

    /// A sentence that can be shown: the error's own, or the code's.
    public var localizedDescription: String {
        userInfo[NSLocalizedDescriptionKey] as? String ?? Code(rawValue: errorCode)?.sentence ?? _nsError.localizedDescription
    }

    /// Errors are equal when domain, code and user info are.
    public static func == (lhs: SKError, rhs: SKError) -> Bool {
        lhs._nsError.isEqual(rhs._nsError)
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(errorCode)
    }
}

extension SKError: CustomStringConvertible {
    /// Domain, code and user info.
    public var description: String { "\(_nsError)" }
}

/// What lets Swift cast between the two clothes where no Objective-C runtime does it.
extension SKError: _ObjectiveCBridgeable {
    /// The error as Foundation knows it.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Takes an error without looking at its domain.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout SKError?) {
        result = SKError(_nsError: source)
    }

    /// Takes an error of StoreKit's domain only.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout SKError?) -> Bool {
        guard source.domain == errorDomain else { return false }
        result = SKError(_nsError: source)
        return true
    }

    /// Takes an error, or makes an unknown one of nothing.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> SKError {
        source.map { SKError(_nsError: $0) } ?? SKError(.unknown)
    }
}

/// The domain of StoreKit's errors, under StoreKit 1's name.
public let SKErrorDomain = SKError.errorDomain
