import PurchaseIssuing
import PurchaseModel

/// The effects of the enabled faults (simulated failures) on the data that the store signs for a request.
struct SigningEffects: Hashable, Sendable {
    /// The defect that the store's signatures have; nil if they have none.
    var fault: SigningFault?
    /// The seconds by which the dates of signatures are wrong; negative for dates in the past.
    var clockSeconds: Int64 = 0

    /// The effects on the data that the current task signs.
    @TaskLocal static var current = SigningEffects()

    /// Returns a date shifted by ``clockSeconds``.
    func date(_ now: Timestamp) -> Timestamp {
        clockSeconds == 0 ? now : now.adding(seconds: clockSeconds)
    }
}
