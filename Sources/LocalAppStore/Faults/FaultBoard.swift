import PurchaseIssuing
import PurchaseModel
import PurchaseProtocol

/// The faults that are switched on: a value that decides what they do to a call, and leaves doing it to its owner.
struct FaultBoard: Hashable, Sendable {
    /// The faults, oldest first.
    private(set) var entries: [FaultsReply.Entry]

    init(_ entries: [FaultsReply.Entry] = []) {
        self.entries = entries
    }

    /// What happens to a call; each fault that has an effect is used up by one.
    ///
    /// A call is answered by one fault at most, the oldest one; one that could only answer differently is not used up.
    mutating func decide(_ call: FaultCall) -> CallEffects {
        var effects = CallEffects()
        for index in entries.indices where call.concerns(entries[index].fault) {
            guard Self.apply(entries[index].fault.kind, to: &effects) else { continue }
            entries[index].fault.count = entries[index].fault.count.map { $0 - 1 }
            effects.struck.append(entries[index])
        }
        entries.removeAll { $0.fault.isUsedUp }
        return effects
    }

    /// Adds a fault's effect; false when it has none besides those that are there.
    private static func apply(_ kind: FaultKind, to effects: inout CallEffects) -> Bool {
        switch kind {
        case .delay(let milliseconds): effects.delayMilliseconds = max(effects.delayMilliseconds, milliseconds)
        case .lostReply: effects.losesReply = true
        case .status(let code, let seconds): return answer(.status(code: code, retryAfterSeconds: seconds), &effects)
        case .verifyReceiptStatus(let code, let isRetryable):
            // These numbers are never sent without the word.
            let isRetryable = isRetryable ?? ((21_100...21_199).contains(code) ? true : nil)
            return answer(.verifyReceipt(VerifyReceiptStatus(rawValue: code), isRetryable: isRetryable), &effects)
        case .verifyReceiptOutage: return answer(.outage, &effects)
        case .purchaseRefused(let code): return answer(.refusal(code: code), &effects)
        case .wrongClock(let seconds): effects.signing.clockSeconds = seconds
        case .notificationLost: effects.notification.isLost = true
        case .notificationDoubled: effects.notification.copies = 2
        case .notificationShuffled:
            effects.notification.isHeld = true
            effects.notification.delaySeconds = max(effects.notification.delaySeconds, NotificationEffects.longestHold)
        case .notificationLate(let seconds): effects.notification.delaySeconds = max(effects.notification.delaySeconds, seconds)
        case .signing(let name):
            guard effects.signing.fault == nil, let fault = SigningFault(rawValue: name) else { return false }
            effects.signing.fault = fault
        }
        return true
    }

    private static func answer(_ answer: CallEffects.Answer, _ effects: inout CallEffects) -> Bool {
        guard effects.answer == nil else { return false }
        effects.answer = answer
        return true
    }
}

extension Fault {
    /// Whether nothing is left of it.
    var isUsedUp: Bool { count.map { $0 <= 0 } ?? false }

    /// The first field that cannot be used; nil for a fault that can be switched on.
    var unusableField: String? {
        if let count, !(1...1_000_000).contains(count) { return "count" }
        if let path, !path.hasPrefix("/") { return "path" }
        switch kind {
        case .delay(let milliseconds): return (0...600_000).contains(milliseconds) ? nil : "milliseconds"
        case .status(let code, let seconds):
            guard (400...599).contains(code) else { return "code" }
            return (0...86_400).contains(seconds ?? 0) ? nil : "retryAfterSeconds"
        case .verifyReceiptStatus(let code, _): return (21_000...21_199).contains(code) ? nil : "code"
        case .wrongClock(let seconds): return (-3_153_600_000...3_153_600_000).contains(seconds) ? nil : "seconds"
        case .notificationLate(let seconds): return (0...315_360_000).contains(seconds) ? nil : "seconds"
        case .signing(let fault): return SigningFault(rawValue: fault) == nil ? "fault" : nil
        case .lostReply, .verifyReceiptOutage, .purchaseRefused, .notificationLost, .notificationDoubled, .notificationShuffled:
            return nil
        }
    }
}
