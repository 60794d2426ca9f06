/// Why a verification proved nothing.
public enum Unproven: Error, Hashable, Sendable {
    /// Not to be believed; asking again will not help.
    case refused(Refusal)
    /// Neither proven nor refuted; ask again later.
    case unknown(Doubt)

    /// What is the matter, in a sentence for the developer of whoever sent the data; it holds nothing of the data but names.
    public var sentence: String {
        switch self {
        case .refused(let refusal): refusal.sentence
        case .unknown(let doubt): doubt.sentence
        }
    }
}
