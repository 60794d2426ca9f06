/// What a verification found.
///
/// *Unknown* is an answer of its own: nobody could be asked. It never gives access and never takes it away.
public enum Verdict<Value: Sendable>: Sendable {
    /// Proven, and what it proves.
    case verified(Value)
    /// Not to be believed; asking again will not help.
    case refused(Refusal)
    /// Neither proven nor refuted; ask again later.
    case unknown(Doubt)

    /// The verdict that an error stands for.
    init(_ error: Unproven) {
        self =
            switch error {
            case .refused(let refusal): .refused(refusal)
            case .unknown(let doubt): .unknown(doubt)
            }
    }

    /// What was proven, or an error that says why nothing was.
    public func get() throws(Unproven) -> Value {
        switch self {
        case .verified(let value): return value
        case .refused(let refusal): throw .refused(refusal)
        case .unknown(let doubt): throw .unknown(doubt)
        }
    }
}

extension Verdict: Equatable where Value: Equatable {}
