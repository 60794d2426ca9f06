import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// A kind of fault on the command line: `lostReply`, `delay:500`, `status:429:60` or `signing:wrongRoot`.
struct FaultOption: ExpressibleByArgument, Sendable {
    /// The kinds, one per line.
    static let help = """
          delay:MILLISECONDS            an answer comes late
          lostReply                     a call is carried out, the answer is lost
          status:CODE[:RETRY-AFTER]     a call is answered with an HTTP status
          verifyReceipt:STATUS          verifyReceipt answers so, such as 21199
          verifyReceiptOutage           verifyReceipt answers with a page
          wrongClock:SECONDS            the store's dates are wrong
          purchaseRefused:CODE          a purchase is refused with an SKError
          notificationLost, notificationDoubled, notificationShuffled
          notificationLate:SECONDS      a notification comes late
          signing:FAULT                 expiredIntermediate, expiredLeaf,
                                        revokedLeaf, leafWithoutMarker, wrongRoot,
                                        intermediateWithoutMarker, swappedChain,
                                        changedPayload, wrongKey, noX5C, algNone
        """

    let kind: FaultKind

    /// Creates an option from a kind of fault.
    init(_ kind: FaultKind) {
        self.kind = kind
    }

    /// The kind in the syntax of the command line.
    var text: String {
        switch kind {
        case .delay(let milliseconds): "delay:\(milliseconds)"
        case .lostReply: "lostReply"
        case .status(let code, let retryAfter): "status:\(code)\(retryAfter.map { ":\($0)" } ?? "")"
        case .verifyReceiptStatus(let code, _): "verifyReceipt:\(code)"
        case .verifyReceiptOutage: "verifyReceiptOutage"
        case .wrongClock(let seconds): "wrongClock:\(seconds)"
        case .purchaseRefused(let code): "purchaseRefused:\(code)"
        case .notificationLost: "notificationLost"
        case .notificationDoubled: "notificationDoubled"
        case .notificationShuffled: "notificationShuffled"
        case .notificationLate(let seconds): "notificationLate:\(seconds)"
        case .signing(let fault): "signing:\(fault)"
        }
    }

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let number = parts.count > 1 ? Int64(parts[1]) : nil
        let second = parts.count > 2 ? Int64(parts[2]) : nil
        guard parts.count < 3 || (parts.count == 3 && parts[0] == "status" && second != nil) else { return nil }
        switch (parts[0], number) {
        case ("delay", let number?): kind = .delay(milliseconds: number)
        case ("status", let number?):
            guard let code = Int(exactly: number) else { return nil }
            kind = .status(code: code, retryAfterSeconds: second)
        case ("verifyReceipt", let number?):
            guard let code = Int(exactly: number) else { return nil }
            kind = .verifyReceiptStatus(code: code, isRetryable: nil)
        case ("wrongClock", let number?): kind = .wrongClock(seconds: number)
        case ("purchaseRefused", let number?):
            guard let code = Int(exactly: number) else { return nil }
            kind = .purchaseRefused(code: code)
        case ("notificationLate", let number?): kind = .notificationLate(seconds: number)
        case ("signing", nil) where parts.count == 2: kind = .signing(fault: parts[1])
        case ("lostReply", nil) where parts.count == 1: kind = .lostReply
        case ("verifyReceiptOutage", nil) where parts.count == 1: kind = .verifyReceiptOutage
        case ("notificationLost", nil) where parts.count == 1: kind = .notificationLost
        case ("notificationDoubled", nil) where parts.count == 1: kind = .notificationDoubled
        case ("notificationShuffled", nil) where parts.count == 1: kind = .notificationShuffled
        default: return nil
        }
    }
}
