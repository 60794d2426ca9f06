public import Foundation

/// An error that a test session throws.
public struct SKTestError: CustomNSError, LocalizedError, Hashable, @unchecked Sendable {
    /// The code of a test session error; the raw values are those of Apple's StoreKitTest.
    public enum Code: Int, Sendable {
        /// The session's store failed with an unexpected error.
        case serviceUnavailable = 0
        /// The session's configuration contains no product with this identifier, or the configuration file can't be read.
        case invalidProductIdentifier = 1
        /// The type of the product does not allow the action.
        case invalidProductType = 2
        /// The URL of the configuration file is not a file URL.
        case invalidURL = 3
        /// The configuration file does not exist.
        case fileNotFound = 4
        /// The session has no subscription for the product or the transaction.
        case noSubscriptionFound = 5
        /// The session has no transaction with this identifier.
        case noTransactionFound = 6
        /// The state of the transaction does not allow the action.
        case invalidAction = 7
    }

    /// The error domain of StoreKitTest.
    public static let errorDomain = "SKTestErrorDomain"

    /// The session's store failed with an unexpected error.
    public static var serviceUnavailable: Code { .serviceUnavailable }
    /// The session's configuration contains no product with this identifier, or the configuration file can't be read.
    public static var invalidProductIdentifier: Code { .invalidProductIdentifier }
    /// The type of the product does not allow the action.
    public static var invalidProductType: Code { .invalidProductType }
    /// The URL of the configuration file is not a file URL.
    public static var invalidURL: Code { .invalidURL }
    /// The configuration file does not exist.
    public static var fileNotFound: Code { .fileNotFound }
    /// The session has no subscription for the product or the transaction.
    public static var noSubscriptionFound: Code { .noSubscriptionFound }
    /// The session has no transaction with this identifier.
    public static var noTransactionFound: Code { .noTransactionFound }
    /// The state of the transaction does not allow the action.
    public static var invalidAction: Code { .invalidAction }

    /// The code of the error.
    public let code: Code
    /// The user info dictionary of the error, with keys such as `NSLocalizedDescriptionKey`.
    public let errorUserInfo: [String: Any]

    /// Creates an error with a code and a user info dictionary.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        self.errorUserInfo = userInfo
    }

    /// The raw value of ``code``.
    public var errorCode: Int { code.rawValue }
    /// The user info dictionary of the error.
    public var userInfo: [String: Any] { errorUserInfo }
    /// The localized description in ``userInfo``; nil when it contains none.
    public var errorDescription: String? { errorUserInfo[NSLocalizedDescriptionKey] as? String }

    /// Returns whether two errors have equal codes.
    public static func == (lhs: SKTestError, rhs: SKTestError) -> Bool { lhs.code == rhs.code }

    /// Hashes the error code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// The error domain of StoreKitTest, as a global constant.
public let SKTestErrorDomain = SKTestError.errorDomain
