/// What is wrong with a chain, and with which of its certificates.
struct ChainFlaw: Equatable {
    let reason: Refusal.Reason
    /// 0 for the signer's certificate.
    let index: Int
    /// For people, without anything from the data but dates.
    let detail: String

    init(_ reason: Refusal.Reason, index: Int, _ detail: String) {
        self.reason = reason
        self.index = index
        self.detail = detail
    }

    /// What the certificate at that place of a chain is called.
    static func role(_ index: Int) -> String {
        switch index {
        case 0: "signer's certificate"
        case 1: "intermediate certificate"
        default: "root certificate"
        }
    }
}
