import PurchaseModel

/// Whom a notification is about, whichever of its kinds it is.
///
/// Exactly one of these members is there; all but the external purchase token name their environment, and a token of the sandbox
/// shows in its identifier.
struct NotificationSubject: SignedDataSubject {
    let signedDate: Timestamp
    let claimedBundle: BundleID?
    let claimedEnvironment: String

    private enum CodingKeys: String, CodingKey {
        case signedDate
        case data
        case summary
        case appData
        case externalPurchaseToken
    }

    private struct About: Decodable {
        let bundleId: BundleID
        let environment: String
    }

    private struct Token: Decodable {
        let bundleId: BundleID
        let externalPurchaseId: String
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        signedDate = try container.decode(Timestamp.self, forKey: .signedDate)
        for key in [CodingKeys.data, .summary, .appData] {
            guard let about = try container.decodeIfPresent(About.self, forKey: key) else { continue }
            claimedBundle = about.bundleId
            claimedEnvironment = about.environment
            return
        }
        let token = try container.decode(Token.self, forKey: .externalPurchaseToken)
        claimedBundle = token.bundleId
        let environment = token.externalPurchaseId.hasPrefix("SANDBOX") ? AppEnvironment.sandbox : .production
        claimedEnvironment = environment.rawValue
    }
}
