import HTTPTypes
import Wire
import WireServer

/// The reason why the server refuses a request about entitlements.
enum EntitlementRefusal: Error, Hashable {
    /// The query parameter `at` is not a date.
    case date
    /// The query parameter `include` has a value other than `evidence`, is combined with `at`, or is missing with `after`.
    case include
    /// The end of a grant is not later than the current date.
    case grantEnded
    /// The name of a granted entitlement is empty or too long, the reason is too long or contains a control character, or the end is after
    /// the year 9999.
    case grantMalformed
    /// No product gives the granted entitlement, and the configuration does not declare the entitlement.
    case grantUnknown(UnknownName)
}

extension EntitlementRefusal: WireRefusal {
    var status: HTTPResponse.Status { .badRequest }

    var wireError: WireError {
        switch self {
        case .date:
            WireError(code: "entitlement.date", message: "Set at to a date such as 2026-01-31T12:00:00Z, or to milliseconds since 1970.")
        case .include:
            WireError(
                code: "entitlement.include",
                message: "Set include to evidence, or omit include and after. Evidence is available for the present only, so omit at.")
        case .grantEnded:
            WireError(code: "grant.ended", message: "The end of the grant is in the past. Set until to a later date, or omit until.")
        case .grantMalformed:
            WireError(
                code: "grant.malformed",
                message:
                    "A granted entitlement needs a name of 1 to 200 bytes, a reason of at most 500 bytes without control characters, and an "
                    + "end before the year 10000.")
        case .grantUnknown(let unknown):
            WireError(
                code: "grant.unknown",
                message:
                    "No product gives the entitlement \"\(unknown.name)\". The most similar name is \"\(unknown.nearest)\". Correct the "
                    + "name, or list the name in the key entitlements of the server's configuration.")
        }
    }
}
