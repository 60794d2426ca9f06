package import PurchaseProof

extension VerificationFailure {
    /// The refusal of that reason at that place.
    package static func refused(_ reason: Refusal.Reason, at place: String) -> VerificationFailure {
        .refused(Refusal(reason, at: place))
    }

    /// The reason of the refusal; nil when it is none.
    package var refusalReason: Refusal.Reason? {
        if case .refused(let refusal) = self { refusal.reason } else { nil }
    }
}
