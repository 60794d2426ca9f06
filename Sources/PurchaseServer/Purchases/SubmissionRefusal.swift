import HTTPTypes
import Wire
import WireServer

/// The reason why the server refuses a whole submission.
enum SubmissionRefusal: Error, Hashable {
    /// The submission has no proofs, or more than 100.
    case count
    /// The query parameter `wait` has an unknown value.
    case wait
    /// The submission waits for a webhook without a customer.
    case waitWithoutCustomer
}

extension SubmissionRefusal: WireRefusal {
    var status: HTTPResponse.Status { .badRequest }

    var wireError: WireError {
        switch self {
        case .count: WireError(code: "submission.count", message: "Send 1 to \(SubmissionService.proofLimit) proofs in a request.")
        case .wait: WireError(code: "submission.wait", message: "The value of wait is unknown. Send wait=webhook, or no wait.")
        case .waitWithoutCustomer:
            WireError(
                code: "submission.wait", message: "A request with wait=webhook needs a customer. Send a customer token, or no wait.")
        }
    }
}
