import PurchaseModel
package import PurchaseProtocol

/// Why a call of one of our protocols brought no answer.
package enum WireClientError: Error, Equatable, Sendable {
    /// Nobody answered: the network is away, or took too long. The call may or may not have been carried out; repeat it.
    case unreachable
    /// The other side said no, with its status.
    case refused(status: Int, WireError)
    /// An answer came that is none of our protocol, with its status: a proxy's, or that of a network which wants a sign-in first.
    case unintelligible(status: Int)

    /// Whether repeating the same call later can help.
    package var isPassing: Bool {
        switch self {
        // Who answers in another language was not the one who was asked, so nothing is known.
        case .unreachable, .unintelligible: true
        case .refused(let status, _): status >= 500 || status == 429
        }
    }
}

extension WireClientError: CustomStringConvertible {
    /// A sentence that a person can be shown.
    package var description: String {
        switch self {
        case .unreachable: "The network connection was lost, or there is none."
        case .refused(_, let error): error.message
        case .unintelligible(let status): "The other side gave an answer (HTTP \(status)) that could not be read."
        }
    }
}
