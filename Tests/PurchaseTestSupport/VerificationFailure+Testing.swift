package import PurchaseProof

extension VerificationFailure {
    /// A refusal with a reason at a place.
    package static func refused(_ reason: Refusal.Reason, at place: String) -> VerificationFailure {
        .refused(Refusal(reason, at: place))
    }

    /// The reason of the refusal; nil if the failure is not a refusal.
    package var refusalReason: Refusal.Reason? {
        if case .refused(let refusal) = self { refusal.reason } else { nil }
    }
}
