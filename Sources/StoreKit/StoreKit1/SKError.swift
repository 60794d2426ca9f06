public import Foundation

/// An error of StoreKit.
///
/// The type bridges to `NSError`, as on Apple's platforms. `error as NSError` has the same domain, code and user info, and an `NSError`
/// of the domain ``SKErrorDomain`` is an `SKError` for `as?` and `catch`. Two errors are equal when domain, code and user info are equal.
public struct SKError: CustomNSError, Hashable, Sendable {
    /// The underlying `NSError`.
    public let _nsError: NSError

    /// Wraps an error of StoreKit's domain; the code of another domain has no meaning.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// Creates an error.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        _nsError = NSError(domain: Self.errorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// The domain of StoreKit's errors.
    public static let errorDomain = "SKErrorDomain"

    /// The error code; raw values without a name are valid, too.
    public var code: Code { Code(rawValue: _nsError.code) ?? .unknown }
    /// The code as a number.
    public var errorCode: Int { _nsError.code }
    /// Foundation's details, such as `NSLocalizedDescriptionKey`.
    public var userInfo: [String: Any] { _nsError.userInfo }
    /// The same as ``userInfo``.
    public var errorUserInfo: [String: Any] { _nsError.userInfo }

    /// A sentence for the user: the description in ``userInfo``, or else a sentence for the code.
    public var localizedDescription: String {
        userInfo[NSLocalizedDescriptionKey] as? String ?? Code(rawValue: errorCode)?.defaultMessage ?? _nsError.localizedDescription
    }

    /// Returns whether domain, code and user info are equal.
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

/// The bridge for Swift's casts between `SKError` and `NSError` on platforms without an Objective-C runtime.
extension SKError: _ObjectiveCBridgeable {
    /// The underlying `NSError`.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Wraps an error of any domain.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout SKError?) {
        result = SKError(_nsError: source)
    }

    /// Wraps an error of StoreKit's domain; returns false for other domains.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout SKError?) -> Bool {
        guard source.domain == errorDomain else { return false }
        result = SKError(_nsError: source)
        return true
    }

    /// Wraps an error; nil becomes an unknown error.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> SKError {
        source.map { SKError(_nsError: $0) } ?? SKError(.unknown)
    }
}

/// The domain of StoreKit's errors, under StoreKit 1's name.
public let SKErrorDomain = SKError.errorDomain
