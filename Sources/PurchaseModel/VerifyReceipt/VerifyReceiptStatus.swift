/// The `status` of a `verifyReceipt` response.
public struct VerifyReceiptStatus: RawRepresentable, Codable, Hashable, Sendable {
    /// The number in JSON.
    public let rawValue: Int

    /// Creates a status from any number, including unknown ones.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// 0: the receipt is valid.
    public static let valid = VerifyReceiptStatus(rawValue: 0)
    /// 21000: the request was not a POST.
    public static let notPost = VerifyReceiptStatus(rawValue: 21000)
    /// 21002: `receipt-data` is malformed or missing, or the service has a temporary issue.
    public static let malformed = VerifyReceiptStatus(rawValue: 21002)
    /// 21003: the receipt could not be authenticated.
    public static let notAuthenticated = VerifyReceiptStatus(rawValue: 21003)
    /// 21004: the shared secret does not match.
    public static let secretMismatch = VerifyReceiptStatus(rawValue: 21004)
    /// 21005: the receipt server is unavailable.
    public static let unavailable = VerifyReceiptStatus(rawValue: 21005)
    /// 21006: the receipt of a single transaction is valid, and its subscription has expired.
    public static let subscriptionExpired = VerifyReceiptStatus(rawValue: 21006)
    /// 21007: a sandbox receipt was sent to production; send it to the sandbox.
    public static let testReceiptAtProduction = VerifyReceiptStatus(rawValue: 21007)
    /// 21008: a production receipt was sent to the sandbox; send it to production.
    public static let productionReceiptAtTest = VerifyReceiptStatus(rawValue: 21008)
    /// 21009: internal data access error.
    public static let internalError = VerifyReceiptStatus(rawValue: 21009)
    /// 21010: the account was not found or was deleted; treat the purchase as never made.
    public static let accountNotFound = VerifyReceiptStatus(rawValue: 21010)

    /// The outcome that a caller derives from the status.
    public var outcome: Outcome {
        switch rawValue {
        case 0: .valid
        case 21007: .retryInSandbox
        case 21008: .retryInProduction
        case 21003, 21006, 21010: .refused
        // A wrong request or shared secret is an error of the caller, and does not concern the receipt.
        case 21000, 21004: .indeterminate
        // During outages, 21002 was sent for valid receipts, so it is not a refusal.
        case 21002, 21005, 21009, 21100...21199: .indeterminate
        default: .indeterminate
        }
    }

    /// The outcome of a receipt verification for the caller.
    public enum Outcome: Hashable, Sendable {
        /// The receipt is valid.
        case valid
        /// The receipt must be verified with the sandbox.
        case retryInSandbox
        /// The receipt must be verified with production.
        case retryInProduction
        /// The receipt is not valid; a repeated request has the same result.
        case refused
        /// The receipt could not be verified; repeat the request later, and change no access until then.
        case indeterminate
    }
}
