/// The value of `status` in a `verifyReceipt` response, such as 0 or 21002.
public struct VerifyReceiptStatus: RawRepresentable, Codable, Hashable, Sendable {
    /// The status number in JSON.
    public let rawValue: Int

    /// Creates a status from any number, including an unknown number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// 0: the receipt is valid.
    public static let valid = VerifyReceiptStatus(rawValue: 0)
    /// 21000: the request did not use the HTTP method POST.
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
    /// 21009: an internal data access error occurred.
    public static let internalError = VerifyReceiptStatus(rawValue: 21009)
    /// 21010: the account was not found or was deleted; treat the purchase as never made.
    public static let accountNotFound = VerifyReceiptStatus(rawValue: 21010)

    /// The outcome of the receipt verification that follows from the status.
    public var outcome: Outcome {
        switch rawValue {
        case 0: .valid
        case 21007: .retryInSandbox
        case 21008: .retryInProduction
        case 21003, 21006, 21010: .refused
        // An invalid request or a wrong shared secret is an error of the caller, and does not concern the receipt.
        case 21000, 21004: .indeterminate
        // During outages, the App Store has sent 21002 for valid receipts, so 21002 does not refuse the receipt.
        case 21002, 21005, 21009, 21100...21199: .indeterminate
        default: .indeterminate
        }
    }

    /// The outcome of a receipt verification, which tells the caller what to do.
    public enum Outcome: Hashable, Sendable {
        /// The receipt is valid.
        case valid
        /// The receipt is from the sandbox, and must be sent to the sandbox's `verifyReceipt`.
        case retryInSandbox
        /// The receipt is from production, and must be sent to production's `verifyReceipt`.
        case retryInProduction
        /// The receipt is not valid, and repeating the request does not change the result.
        case refused
        /// The receipt could not be verified; repeat the request later, and change no access until then.
        case indeterminate
    }
}
