import PurchaseModel

extension AgeCheck: SignedDataCheck {
    /// When it was signed.
    public func saw(_ claims: SignedDataClaims) -> String { "signed \(claims.signedDate)" }

    /// Throws ``Refusal/Reason/tooOld(_:)`` when it was signed too long ago.
    ///
    /// The store signs transactions anew for each answer, so an old one was kept by somebody. Notifications may come late: they
    /// are sent again for days.
    public func examine(_ claims: SignedDataClaims) throws(Refusal) {
        let latest = claims.signedDate.adding(seconds: seconds).adding(seconds: tolerance)
        guard clock.now <= latest else { throw Refusal(.tooOld(claims.signedDate), at: "\(claims.datePlace)") }
    }
}
