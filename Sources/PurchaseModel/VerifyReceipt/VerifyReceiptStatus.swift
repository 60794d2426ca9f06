/// The `status` of a `verifyReceipt` answer.
public struct VerifyReceiptStatus: RawRepresentable, Codable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: Int

    /// Wraps a number; unknown ones are kept.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// 0: the receipt is valid.
    public static let valid = VerifyReceiptStatus(rawValue: 0)
    /// 21000: the request was not a POST.
    public static let notPost = VerifyReceiptStatus(rawValue: 21000)
    /// 21002: `receipt-data` is malformed or missing, or the service has a passing fault.
    public static let malformed = VerifyReceiptStatus(rawValue: 21002)
    /// 21003: the receipt could not be authenticated.
    public static let notAuthenticated = VerifyReceiptStatus(rawValue: 21003)
    /// 21004: the shared secret does not match.
    public static let secretMismatch = VerifyReceiptStatus(rawValue: 21004)
    /// 21005: the receipt server is unavailable.
    public static let unavailable = VerifyReceiptStatus(rawValue: 21005)
    /// The receipt of a single transaction is valid, and its subscription has ended.
    public static let subscriptionExpired = VerifyReceiptStatus(rawValue: 21006)
    /// 21007: a test receipt was sent to production; ask the sandbox.
    public static let testReceiptAtProduction = VerifyReceiptStatus(rawValue: 21007)
    /// 21008: a production receipt was sent to the sandbox; ask production.
    public static let productionReceiptAtTest = VerifyReceiptStatus(rawValue: 21008)
    /// 21009: internal data access error.
    public static let internalError = VerifyReceiptStatus(rawValue: 21009)
    /// 21010: the account was not found; treat the purchase as never made.
    public static let accountNotFound = VerifyReceiptStatus(rawValue: 21010)

    /// The outcome that a caller derives from the status.
    public var meaning: Meaning {
        switch rawValue {
        case 0: .valid
        case 21007: .askSandbox
        case 21008: .askProduction
        case 21003, 21006, 21010: .refused
        // A wrong request or shared secret is an error of the caller, and does not concern the receipt.
        case 21000, 21004: .unknown
        // 21002 was sent for valid receipts during outages, so it never counts as a refusal.
        case 21002, 21005, 21009, 21100...21199: .unknown
        default: .unknown
        }
    }

    /// The outcome of a receipt verification for the caller.
    public enum Meaning: Hashable, Sendable {
        /// The receipt is valid.
        case valid
        /// The receipt must be verified with the sandbox.
        case askSandbox
        /// The receipt must be verified with production.
        case askProduction
        /// The receipt is not valid; a repeated request has the same result.
        case refused
        /// The receipt could not be verified; repeat the request later, and change no access until then.
        case unknown
    }
}
