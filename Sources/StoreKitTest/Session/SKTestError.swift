public import Foundation

/// Why a test session would not do what a test wanted.
public struct SKTestError: CustomNSError, LocalizedError, Hashable, @unchecked Sendable {
    /// What went wrong; raw values are Apple's.
    public enum Code: Int, Sendable {
        /// The store could not do its work.
        case serviceUnavailable = 0
        /// The configuration has no such product, or can't be read.
        case invalidProductIdentifier = 1
        /// The product is of another type.
        case invalidProductType = 2
        /// The URL is none of a file.
        case invalidURL = 3
        /// There is no such file.
        case fileNotFound = 4
        /// Nobody is subscribed to the product.
        case noSubscriptionFound = 5
        /// There is no such transaction.
        case noTransactionFound = 6
        /// That can't be done with the transaction now.
        case invalidAction = 7
    }

    /// The domain of test sessions' errors.
    public static let errorDomain = "SKTestErrorDomain"

    /// The store could not do its work.
    public static var serviceUnavailable: Code { .serviceUnavailable }
    /// The configuration has no such product, or can't be read.
    public static var invalidProductIdentifier: Code { .invalidProductIdentifier }
    /// The product is of another type.
    public static var invalidProductType: Code { .invalidProductType }
    /// The URL is none of a file.
    public static var invalidURL: Code { .invalidURL }
    /// There is no such file.
    public static var fileNotFound: Code { .fileNotFound }
    /// Nobody is subscribed to the product.
    public static var noSubscriptionFound: Code { .noSubscriptionFound }
    /// There is no such transaction.
    public static var noTransactionFound: Code { .noTransactionFound }
    /// That can't be done with the transaction now.
    public static var invalidAction: Code { .invalidAction }

    /// What went wrong.
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
    /// A sentence about it, where there is one.
    public var errorDescription: String? { errorUserInfo[NSLocalizedDescriptionKey] as? String }

    /// Errors are equal when their codes are.
    public static func == (lhs: SKTestError, rhs: SKTestError) -> Bool { lhs.code == rhs.code }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// The domain of test sessions' errors.
public let SKTestErrorDomain = SKTestError.errorDomain
