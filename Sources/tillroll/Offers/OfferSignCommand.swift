import ArgumentParser
import Foundation
import PurchaseModel
import PurchaseProof

/// Signs data as a developer's server does.
struct OfferSignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign an offer or a token with your key.",
        discussion: """
            What each kind needs besides the key and --bundle-id:

              promotional         --product, --offer; --token for the customer it is for
              promotional-v2      --issuer-id, --product, --offer; --transaction for the customer it is for
              introductory        --issuer-id, --product, --transaction; --deny to say no
              advanced-commerce   --issuer-id, --request
              api-token           --issuer-id

            Prints the token, or for promotional the values that the app hands to the store.
            """
    )

    @Argument(help: "promotional, promotional-v2, introductory, advanced-commerce or api-token.")
    var kind: OfferKind

    @OptionGroup var keyOptions: OfferKeyOptions

    @Option(help: "The app's bundle id.")
    var bundleID: String

    @Option(help: "Your issuer id in App Store Connect.")
    var issuerID: String?

    @Option(help: "The product.")
    var product: String?

    @Option(help: "The offer's identifier in App Store Connect.")
    var offer: String?

    @Option(help: "The customer's appAccountToken or applicationUsername; nobody in particular unless given.")
    var token: String?

    @Option(help: "A transaction id of the customer.")
    var transaction: String?

    @Flag(help: "Say that the customer may not have the introductory offer.")
    var deny = false

    @Option(help: ArgumentHelp("The request of Advanced Commerce: a file of JSON.", valueName: "file"), transform: givenPath)
    var request: String?

    @Option(help: ArgumentHelp("A UUID that is used once; a new one unless given.", valueName: "uuid"))
    var nonce: String?

    @Option(help: "When it is signed, such as 2026-01-31T12:00:00Z; now unless given.")
    var date: DateOption?

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        let needed: [(String, String?)] =
            switch kind {
            case .promotional: [("product", product), ("offer", offer)]
            case .promotionalV2: [("issuer-id", issuerID), ("product", product), ("offer", offer)]
            case .introductory: [("issuer-id", issuerID), ("product", product), ("transaction", transaction)]
            case .advancedCommerce: [("issuer-id", issuerID), ("request", request)]
            case .apiToken: [("issuer-id", issuerID)]
            }
        if let missing = needed.first(where: { $0.1 == nil }) {
            throw ValidationError("\(kind.rawValue) needs --\(missing.0).")
        }
        if let nonce, UUID(uuidString: nonce) == nil { throw ValidationError("--nonce is a UUID.") }
    }

    func run() async throws {
        StandardStreams.prepare()
        let key = try keyOptions.privateKey()
        let date = date?.timestamp ?? Timestamp(Date())
        guard kind != .promotional else { return try signPromotional(key, date) }
        let token =
            if let subject = try subject() {
                try OfferToken(
                    issuerID: issuerID ?? "", bundleID: BundleID(bundleID), issuedAt: date,
                    nonce: nonce.flatMap { UUID(uuidString: $0) } ?? UUID(), subject: subject
                ).sign(with: key)
            } else {
                try APIToken(issuerID: issuerID ?? "", bundleID: BundleID(bundleID), issuedAt: date).sign(with: key)
            }
        let object = JSONValue.object([JSONValue.Member("token", .string(token))])
        try StandardOutput.lines([json ? String(decoding: object.bytes, as: UTF8.self) : token])
    }

    private func signPromotional(_ key: BackendKey, _ date: Timestamp) throws {
        let signed = PromotionalOffer(
            bundleID: BundleID(bundleID), keyID: key.id, productID: ProductID(product ?? ""), offerID: offer ?? "",
            token: token?.lowercased() ?? "", nonce: (nonce ?? UUID().uuidString).lowercased(), timestamp: date.milliseconds
        )
        let file = OfferFile(offer: signed, signature: try signed.sign(with: key))
        try StandardOutput.lines(json ? [String(decoding: file.json.bytes, as: UTF8.self)] : file.table.lines(.suiting(), indent: ""))
    }

    /// The subject of an offer's token; nil for an API token.
    private func subject() throws -> OfferToken.Subject? {
        let product = ProductID(product ?? "")
        switch kind {
        case .promotionalV2: return .promotionalOffer(product, offer: offer ?? "", transaction: transaction)
        case .introductory: return .introductoryOffer(product, isAllowed: !deny, transaction: transaction ?? "")
        case .advancedCommerce:
            let bytes = try InputSource(request).read()
            guard JSONReader.read(bytes) != nil else { throw ValidationError("\(request ?? "-") holds no JSON. Give a request as JSON.") }
            return .advancedCommerce(request: bytes)
        case .promotional, .apiToken: return nil
        }
    }
}
