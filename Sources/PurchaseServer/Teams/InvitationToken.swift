import Crypto
import Foundation
import PurchaseModel
import PurchaseProof

/// The token of an invitation to a team: the name of the team, and a random secret.
///
/// The token contains the team, so that the server finds the invitation among the rows of one purchase. The name of a team gives no access.
struct InvitationToken: Hashable, Sendable {
    private static let prefix = "seat_"
    /// The maximum length of a token in bytes.
    private static let limit = 300

    /// The original transaction identifier of the owner's subscription.
    let team: TransactionID
    /// The complete text.
    let text: String

    /// The SHA-256 of the text; a slow hash would add no protection, because the secret has 256 random bits.
    var digest: Data { Data(SHA256.hash(data: Data(text.utf8))) }

    /// Creates a new token.
    init(for team: TransactionID) {
        let random = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
        self.team = team
        text = Self.prefix + team.rawValue + "." + Base64URL.encode(random)
    }

    /// Reads a token; nil for a text in another format.
    init?(_ text: String) {
        guard text.utf8.count <= Self.limit, IdentifierText.isValid(text), text.hasPrefix(Self.prefix),
            let dot = text.lastIndex(of: ".")
        else { return nil }
        let team = text[..<dot].dropFirst(Self.prefix.count)
        guard !team.isEmpty, text.index(after: dot) < text.endIndex else { return nil }
        self.team = TransactionID(String(team))
        self.text = text
    }
}

extension InvitationToken: CustomStringConvertible, CustomReflectable {
    /// A fixed text, so that the token appears in no log.
    var description: String { "an invitation token" }

    /// A mirror without children, so that the token appears in no dump.
    var customMirror: Mirror { Mirror(self, children: []) }
}
