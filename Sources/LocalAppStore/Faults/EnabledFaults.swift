import PurchaseIssuing
import PurchaseModel
import StoreProtocol

/// The enabled faults (simulated failures) of a store, as a value that determines the effects on each request.
///
/// The caller carries out the effects.
struct EnabledFaults: Hashable, Sendable {
    /// The enabled faults, oldest first.
    private(set) var entries: [EnabledFault]

    init(_ entries: [EnabledFault] = []) {
        self.entries = entries
    }

    /// Returns the effects of the faults on a request or a notification, and decrements the count of each fault that has an effect.
    ///
    /// If several faults replace the response, only the oldest of them has an effect and is counted.
    mutating func apply(_ call: FaultCall) -> CallEffects {
        var effects = CallEffects()
        for index in entries.indices where call.matches(entries[index].fault) {
            guard Self.add(entries[index].fault.kind, to: &effects) else { continue }
            entries[index].fault.count = entries[index].fault.count.map { $0 - 1 }
            effects.applied.append(entries[index])
        }
        entries.removeAll { $0.fault.isExhausted }
        return effects
    }

    /// Adds the effect of a fault; returns false if an older fault already has that kind of effect.
    private static func add(_ kind: FaultKind, to effects: inout CallEffects) -> Bool {
        switch kind {
        case .delay(let milliseconds): effects.delayMilliseconds = max(effects.delayMilliseconds, milliseconds)
        case .lostReply: effects.closesConnection = true
        case .status(let code, let seconds): return answer(.status(code: code, retryAfterSeconds: seconds), &effects)
        case .verifyReceiptStatus(let code, let isRetryable):
            // The App Store sends `is_retryable` with all status codes from 21100 to 21199.
            let isRetryable = isRetryable ?? ((21_100...21_199).contains(code) ? true : nil)
            return answer(.verifyReceipt(VerifyReceiptStatus(rawValue: code), isRetryable: isRetryable), &effects)
        case .verifyReceiptOutage: return answer(.outage, &effects)
        case .purchaseRefused(let code): return answer(.refusal(code: code), &effects)
        case .clockSkew(let seconds): effects.signing.clockSeconds = seconds
        case .notificationLost: effects.notification.isLost = true
        case .notificationDuplicated: effects.notification.copies = 2
        case .notificationReordered:
            effects.notification.isHeld = true
            effects.notification.delaySeconds = max(effects.notification.delaySeconds, NotificationEffects.longestHold)
        case .notificationDelayed(let seconds): effects.notification.delaySeconds = max(effects.notification.delaySeconds, seconds)
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
    /// Whether the fault has already applied as many times as its count states.
    var isExhausted: Bool { count.map { $0 <= 0 } ?? false }

    /// The name of the first member with an invalid value; nil if the fault is valid.
    var invalidField: String? {
        if let count, !(1...1_000_000).contains(count) { return "count" }
        if let path, !path.hasPrefix("/") { return "path" }
        switch kind {
        case .delay(let milliseconds): return (0...600_000).contains(milliseconds) ? nil : "milliseconds"
        case .status(let code, let seconds):
            guard (400...599).contains(code) else { return "code" }
            return (0...86_400).contains(seconds ?? 0) ? nil : "retryAfterSeconds"
        case .verifyReceiptStatus(let code, _): return (21_000...21_199).contains(code) ? nil : "code"
        case .clockSkew(let seconds): return (-3_153_600_000...3_153_600_000).contains(seconds) ? nil : "seconds"
        case .notificationDelayed(let seconds): return (0...315_360_000).contains(seconds) ? nil : "seconds"
        case .signing(let fault): return SigningFault(rawValue: fault) == nil ? "fault" : nil
        case .lostReply, .verifyReceiptOutage, .purchaseRefused, .notificationLost, .notificationDuplicated, .notificationReordered:
            return nil
        }
    }
}
