public import Foundation

/// An error of a test session.
public struct SKTestError: CustomNSError, LocalizedError, Hashable, @unchecked Sendable {
    /// The codes of test session errors; raw values are Apple's.
    public enum Code: Int, Sendable {
        /// The store is unavailable.
        case serviceUnavailable = 0
        /// The configuration has no such product, or can't be read.
        case invalidProductIdentifier = 1
        /// The product is of another type.
        case invalidProductType = 2
        /// The URL is not a file URL.
        case invalidURL = 3
        /// The file does not exist.
        case fileNotFound = 4
        /// The session has no subscription to the product.
        case noSubscriptionFound = 5
        /// The transaction does not exist.
        case noTransactionFound = 6
        /// The transaction's state does not allow the action.
        case invalidAction = 7
    }

    /// The error domain of test sessions.
    public static let errorDomain = "SKTestErrorDomain"

    /// The store is unavailable.
    public static var serviceUnavailable: Code { .serviceUnavailable }
    /// The configuration has no such product, or can't be read.
    public static var invalidProductIdentifier: Code { .invalidProductIdentifier }
    /// The product is of another type.
    public static var invalidProductType: Code { .invalidProductType }
    /// The URL is not a file URL.
    public static var invalidURL: Code { .invalidURL }
    /// The file does not exist.
    public static var fileNotFound: Code { .fileNotFound }
    /// The session has no subscription to the product.
    public static var noSubscriptionFound: Code { .noSubscriptionFound }
    /// The transaction does not exist.
    public static var noTransactionFound: Code { .noTransactionFound }
    /// The transaction's state does not allow the action.
    public static var invalidAction: Code { .invalidAction }

    /// The error code.
    public let code: Code
    /// Foundation's details, such as `NSLocalizedDescriptionKey`.
    public let errorUserInfo: [String: Any]

    /// Creates an error.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        self.errorUserInfo = userInfo
    }

    /// The code as a number.
    public var errorCode: Int { code.rawValue }
    /// Foundation's details.
    public var userInfo: [String: Any] { errorUserInfo }
    /// The localized description, if available.
    public var errorDescription: String? { errorUserInfo[NSLocalizedDescriptionKey] as? String }

    /// Returns whether the codes are equal.
    public static func == (lhs: SKTestError, rhs: SKTestError) -> Bool { lhs.code == rhs.code }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// The error domain of test sessions.
public let SKTestErrorDomain = SKTestError.errorDomain
