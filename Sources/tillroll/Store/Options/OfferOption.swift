import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// An offer on the command line: its kind, a colon, and its identifier.
struct OfferOption: ExpressibleByArgument, Sendable {
    let choice: OfferChoice

    init?(argument: String) {
        let kinds: [String: OfferType] = ["introductory": .introductory, "promotional": .promotional, "code": .code, "winback": .winBack]
        let parts = argument.split(separator: ":", maxSplits: 1).map(String.init)
        guard let kind = parts.first.flatMap({ kinds[$0] }), parts.count == 2 || kind == .introductory else { return nil }
        choice = OfferChoice(kind: kind, id: parts.count == 2 ? parts[1] : nil)
    }
}
