import PurchaseIssuing
import PurchaseModel

/// The effects of faults on the data that a task signs.
struct SigningEffects: Hashable, Sendable {
    /// The defect of the signatures; nil for none.
    var fault: SigningFault?
    /// The offset of the wrong clock, in seconds.
    var clockSeconds: Int64 = 0

    /// The effects on the current task.
    @TaskLocal static var current = SigningEffects()

    /// The date according to the wrong clock.
    func date(_ now: Timestamp) -> Timestamp {
        clockSeconds == 0 ? now : now.adding(seconds: clockSeconds)
    }
}
