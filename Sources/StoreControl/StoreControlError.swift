public import Foundation
public import PurchaseModel

/// An error of a request to a local store, or of the start of a store.
public enum StoreControlError: Error, Hashable, Sendable {
    /// No response arrived from this address: no store listens there, or the request timed out.
    ///
    /// After a timeout, the store may have processed the request.
    case unreachable(HTTPURL)
    /// The store refused the request.
    ///
    /// - Parameters:
    ///   - status: The HTTP status of the response.
    ///   - code: A stable code for programs, such as `account.unknown`.
    ///   - message: A sentence that states the failure and the next step.
    case refused(status: Int, code: String, message: String)
    /// The response with this HTTP status does not come from a local store, or comes from another version of it.
    case invalidResponse(HTTPURL, status: Int)
    /// The request was not sent, because a value in it is invalid; the text names the value.
    case invalidRequest(String)
    /// The text is not the address of a store.
    case invalidAddress(String)
    /// The store's process did not start; the text has the reason.
    case notStarted(String)
    /// The task that waited for the response was canceled.
    case canceled

    /// The HTTP status of a request that the store refused; nil for other errors.
    public var status: Int? {
        guard case .refused(let status, _, _) = self else { return nil }
        return status
    }

    /// The code of a request that the store refused, such as `account.unknown`; nil for other errors.
    public var code: String? {
        guard case .refused(_, let code, _) = self else { return nil }
        return code
    }

    /// Whether the error is temporary, so that the same request can succeed later.
    public var isRetryable: Bool {
        switch self {
        case .unreachable: true
        case .refused(let status, _, _): status >= 500 || status == 429
        case .invalidResponse, .invalidRequest, .invalidAddress, .notStarted, .canceled: false
        }
    }
}

extension StoreControlError: CustomStringConvertible, LocalizedError {
    /// A description of the error and of the next step.
    public var description: String {
        switch self {
        case .unreachable(let url):
            "No store responds at \(url). Start one with StoreProcess.withStore or `tillroll store up`, or correct the address."
        case .refused(401, let code, let message):
            "\(message) (\(code)) Pass the token that `tillroll store up` printed to the client."
        case .refused(_, let code, let message):
            "\(message) (\(code))"
        case .invalidResponse(let url, let status):
            "The response of \(url) (HTTP \(status)) is not from a store of this version. Check the address and the store's version."
        case .invalidRequest(let value):
            "Invalid value for \(value). Correct the value; the request was not sent."
        case .invalidAddress(let text):
            "Invalid store address \(text). Give an address without a query, such as http://127.0.0.1:7701."
        case .notStarted(let reason):
            "The store did not start. \(reason)"
        case .canceled:
            "The request was canceled. The store may have processed it; read its state before you repeat the request."
        }
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
