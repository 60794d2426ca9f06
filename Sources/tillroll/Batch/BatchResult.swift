import PurchaseModel

/// What a batch found out about one item.
struct BatchResult: Sendable {
    let origin: BatchItem.Origin
    let judgement: Judgement
    /// What else there is to say in a word, such as the product.
    var facts: [JSONValue.Member] = []

    /// The result as a line of JSON, its line break included: origin, verdict, reason, place, facts.
    func write(to bytes: inout [UInt8]) {
        var members = [origin.member, JSONValue.Member("verdict", .string(judgement.word.rawValue))]
        if let reason = judgement.reason { members.append(JSONValue.Member("reason", .string(reason))) }
        if let place = judgement.place { members.append(JSONValue.Member("place", .string(place))) }
        JSONValue.object(members + facts).write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
    }
}
