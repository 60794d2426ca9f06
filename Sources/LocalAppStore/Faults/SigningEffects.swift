import PurchaseIssuing
import PurchaseModel

/// What is wrong with what is signed while something is being done.
struct SigningEffects: Hashable, Sendable {
    /// What is wrong with signatures; nil for nothing.
    var fault: SigningFault?
    /// By how much the clock is wrong.
    var clockSeconds: Int64 = 0

    /// The effects on what this task does.
    @TaskLocal static var current = SigningEffects()

    /// The date that the wrong clock shows.
    func date(_ now: Timestamp) -> Timestamp {
        clockSeconds == 0 ? now : now.adding(seconds: clockSeconds)
    }
}
