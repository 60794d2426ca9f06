import HTTPTypes
import Wire
import WireServer

/// The reason why the server refuses a whole submission.
enum SubmissionRefusal: Error, Hashable {
    /// The submission has no proofs, or more than 100.
    case count
}

extension SubmissionRefusal: WireRefusal {
    var status: HTTPResponse.Status { .badRequest }

    var wireError: WireError {
        WireError(code: "submission.count", message: "Send 1 to \(SubmissionService.proofLimit) proofs in a request.")
    }
}
