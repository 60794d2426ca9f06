import PurchaseModel
import PurchaseProof

/// The verification result of one item of a batch.
struct BatchResult: Sendable {
    let origin: BatchItem.Origin
    let explanation: VerificationExplanation
    /// Further members, such as the product.
    var facts: [JSONValue.Member] = []

    /// Writes the result as a line of JSON with its line break: origin, result, reason, place, further members.
    func write(to bytes: inout [UInt8]) {
        var members = [origin.member, JSONValue.Member("result", .string(explanation.result.rawValue))]
        if let reason = explanation.reason { members.append(JSONValue.Member("reason", .string(reason))) }
        if let place = explanation.place { members.append(JSONValue.Member("place", .string(place))) }
        JSONValue.object(members + facts).write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
    }
}
