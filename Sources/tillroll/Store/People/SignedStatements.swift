import PurchaseModel

/// Signed transactions and signed renewal info, collected from responses of the App Store Server API.
struct SignedStatements {
    private(set) var transactions: [SignedTransaction] = []
    private(set) var renewalInfos: [SignedRenewalInfo] = []

    /// Adds the signed data of a file, and returns whether there was any.
    ///
    /// The file is JSON, in which the members' names identify signed data, or lines of JWS.
    mutating func add(_ bytes: [UInt8]) -> Bool {
        let before = transactions.count + renewalInfos.count
        if let json = JSONReader.read(bytes) {
            gather(json, named: nil)
        } else {
            for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace) where Self.isCompact(line) {
                transactions.append(SignedTransaction(String(line)))
            }
        }
        return transactions.count + renewalInfos.count > before
    }

    private mutating func gather(_ json: JSONValue, named name: String?) {
        switch json {
        case .object(let members): for member in members { gather(member.value, named: member.name) }
        case .array(let elements): for element in elements { gather(element, named: name) }
        case .string(let text):
            switch name {
            case "signedTransactions", "signedTransaction", "signedTransactionInfo", "transactions":
                transactions.append(SignedTransaction(text))
            case nil where Self.isCompact(text): transactions.append(SignedTransaction(text))
            case "signedRenewalInfo", "signedRenewalInfos": renewalInfos.append(SignedRenewalInfo(text))
            default: break
            }
        case .null, .bool, .number: break
        }
    }

    /// Whether a text has the three parts of a JWS.
    private static func isCompact(_ text: some StringProtocol) -> Bool {
        text.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2 && text.hasPrefix("ey")
    }
}
