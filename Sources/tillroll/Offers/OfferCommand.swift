import ArgumentParser
import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseProof

/// The commands that sign and check offers and tokens of a developer's server.
struct OfferCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offer",
        abstract: "Sign and check promotional offers and tokens with your server's key.",
        discussion: """
            promotional is the original form of promotional offers, a signature over fields that are joined by U+2063. \
            promotional-v2, introductory and advanced-commerce are JWS. api-token is the JWT that authorizes calls of the App \
            Store Server API.

              tillroll offer sign promotional --key SubscriptionKey_ABC123.p8 \\
                  --bundle-id com.example.app --product monthly \\
                  --offer half-price --json > offer.json
              tillroll offer check promotional offer.json \\
                  --key SubscriptionKey_ABC123.p8
            """,
        subcommands: [OfferSignCommand.self, OfferCheckCommand.self]
    )
}

/// Signs an offer or a token as a developer's server does.
struct OfferSignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign an offer or a token with your server's key.",
        discussion: """
            Options of each kind, in addition to --key and --bundle-id:

              promotional         --product, --offer; optional: --app-account-token
              promotional-v2      --issuer-id, --product, --offer; optional: --transaction
              introductory        --issuer-id, --product, --transaction; optional: --deny
              advanced-commerce   --issuer-id, --request
              api-token           --issuer-id

            The output is the token, or for promotional the values that the app passes to the store.
            """,
        exitCodes: .issuing
    )

    @Argument(help: "The kind: promotional, promotional-v2, introductory, advanced-commerce or api-token.")
    var kind: OfferKind

    @OptionGroup var keyOptions: OfferKeyOptions

    @Option(help: "The app's bundle ID.")
    var bundleID: String

    @Option(help: "Your issuer ID in App Store Connect.")
    var issuerID: String?

    @Option(help: "The product ID.")
    var product: String?

    @Option(help: "The offer's identifier in App Store Connect.")
    var offer: String?

    @Option(help: "The customer's appAccountToken or applicationUsername (default: none).")
    var appAccountToken: String?

    @Option(help: "The ID of one of the customer's transactions.")
    var transaction: String?

    @Flag(help: "State that the customer is not eligible for the introductory offer.")
    var deny = false

    @Option(help: ArgumentHelp("A JSON file with the request of the Advanced Commerce API.", valueName: "file"), transform: nonEmptyPath)
    var request: String?

    @Option(help: ArgumentHelp("The nonce, a UUID (default: a random one).", valueName: "uuid"))
    var nonce: String?

    @Option(help: "The signing date, such as 2026-01-31T12:00:00Z (default: now).")
    var date: DateOption?

    @Flag(help: "Print one JSON object instead of text.")
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
            throw ValidationError("\(kind.rawValue) requires --\(missing.0).")
        }
        if let nonce, UUID(uuidString: nonce) == nil { throw ValidationError("Invalid --nonce \(nonce): give a UUID.") }
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
            token: appAccountToken?.lowercased() ?? "", nonce: (nonce ?? UUID().uuidString).lowercased(), timestamp: date.milliseconds
        )
        if let field = signed.fieldWithSeparator {
            throw ValidationError("The \(field.rawValue) contains U+2063, which separates the fields of the signed text. Remove it.")
        }
        let file = OfferFile(offer: signed, signature: try signed.sign(with: key))
        try StandardOutput.lines(json ? [String(decoding: file.json.bytes, as: UTF8.self)] : file.table.lines(.detected(), indent: ""))
    }

    /// Returns the subject of an offer's JWS; nil for an API token and for the original form of a promotional offer.
    private func subject() throws -> OfferToken.Subject? {
        let product = ProductID(product ?? "")
        switch kind {
        case .promotionalV2: return .promotionalOffer(product, offer: offer ?? "", transaction: transaction)
        case .introductory: return .introductoryOffer(product, isAllowed: !deny, transaction: transaction ?? "")
        case .advancedCommerce:
            let bytes = try InputSource(request).read()
            guard JSONReader.read(bytes) != nil else {
                throw ValidationError("\(request ?? "-") contains no valid JSON. Give a request as JSON.")
            }
            return .advancedCommerce(request: bytes)
        case .promotional, .apiToken: return nil
        }
    }
}

/// Reports the defects of an offer or a token that a developer's server signed.
struct OfferCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a signed offer or token, and explain its defects.",
        discussion: """
            The input has the format of `tillroll offer sign`: the token, or for promotional the object of --json. If the \
            signature does not match, the command tries common mistakes, and names the mistake that explains the signature: order \
            or separator of the fields, upper case, seconds instead of milliseconds, double base64, the wrong signature format.

              tillroll offer check api-token token --key AuthKey_ABC123.p8
            """,
        exitCodes: ExitCodeFooter(success: "no defects", refused: "defects found")
    )

    @Argument(help: "The kind: promotional, promotional-v2, introductory, advanced-commerce or api-token.")
    var kind: OfferKind

    @Argument(help: ArgumentHelp("The signed offer or token; - or no argument for standard input.", valueName: "file"))
    var file: String?

    @OptionGroup var keyOptions: OfferKeyOptions

    @Option(help: "The expected bundle ID.")
    var bundleID: String?

    @Option(help: "The expected issuer ID; only for tokens.")
    var issuerID: String?

    @Option(help: "The time of use, such as 2026-01-31T12:00:00Z (default: now).")
    var date: DateOption?

    @OptionGroup(title: "Output") var report: ReportOptions

    func run() async throws {
        StandardStreams.prepare()
        let key = try keyOptions.publicKey()
        let bytes = try InputSource(file).read()
        let findings = findings(bytes, key, at: date?.timestamp ?? Timestamp(Date()))
        var output = Report(explanation: VerificationExplanation(result: .verified))
        if let first = findings.first {
            output.explanation = VerificationExplanation(result: .refused, reason: first.code, message: first.message)
        }
        let list = findings.map { finding in
            JSONValue.object([JSONValue.Member("code", .string(finding.code)), JSONValue.Member("message", .string(finding.message))])
        }
        output.members = [JSONValue.Member("findings", .array(list))]
        var table = TextTable()
        for finding in findings.dropFirst() { table.add(finding.code, finding.message) }
        output.sections = [Report.Section(title: "Further defects", table: table)]
        try output.deliver(asJSON: report.json)
    }

    private func findings(_ bytes: [UInt8], _ key: BackendPublicKey, at now: Timestamp) -> [SigningFinding] {
        let json = JSONReader.read(bytes)
        let token = json?["token"]?.text ?? String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        let bundle = bundleID.map { BundleID($0) }
        return switch kind {
        case .promotional: promotionalFindings(json, key, at: now)
        case .promotionalV2: check(token, .promotionalOffer, key, bundle, now)
        case .introductory: check(token, .introductoryOffer, key, bundle, now)
        case .advancedCommerce: check(token, .advancedCommerce, key, bundle, now)
        case .apiToken: APIToken.check(token, with: key, issuerID: issuerID, bundleID: bundle, now: now)
        }
    }

    private func check(
        _ token: String, _ audience: OfferToken.Audience, _ key: BackendPublicKey, _ bundle: BundleID?, _ now: Timestamp
    ) -> [SigningFinding] {
        OfferToken.check(token, for: audience, with: key, issuerID: issuerID, bundleID: bundle, now: now)
    }

    private func promotionalFindings(_ json: JSONValue?, _ key: BackendPublicKey, at now: Timestamp) -> [SigningFinding] {
        guard let file = OfferFile(json) else { return [.malformed("input")] }
        let isForeign = bundleID.map { $0 != file.offer.bundleID.rawValue } ?? false
        return (isForeign ? [.wrong("bundleIdentifier")] : []) + file.offer.check(file.signature, with: key, now: now)
    }
}

/// The kinds of data that a developer's server signs with its own key.
enum OfferKind: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// A promotional offer in its original form: seven fields joined by U+2063.
    case promotional
    /// A promotional offer as a JWS.
    case promotionalV2 = "promotional-v2"
    /// A customer's eligibility for an introductory offer, as a JWS.
    case introductory
    /// A request of the Advanced Commerce API, as a JWS.
    case advancedCommerce = "advanced-commerce"
    /// The JWT that authorizes calls of the App Store Server API.
    case apiToken = "api-token"
}

/// The command-line options for the developer's signing key.
struct OfferKeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The key's .p8 file from App Store Connect; `check` accepts a public key in PEM, too.", valueName: "file"),
        transform: nonEmptyPath)
    var key: String

    @Option(help: "The key ID in App Store Connect (default: the part after _ in the file's name, such as AuthKey_ID.p8).")
    var keyID: String?

    /// The key ID from `--key-id`, or the part of the file's name after its last `_`; nil if both are missing.
    var identifier: String? {
        if let keyID { return keyID }
        let parts = URL(filePath: key).deletingPathExtension().lastPathComponent.split(separator: "_")
        return parts.count > 1 ? parts.last.map(String.init) : nil
    }

    /// Returns the private key that signs the offer or token.
    ///
    /// - Throws: A usage error if the file contains no private key, or if neither `--key-id` nor the file's name states the key ID.
    func privateKey() throws -> BackendKey {
        let pem = try text()
        guard let identifier else {
            throw ValidationError("Missing --key-id: the file name \(key) states no key ID, unlike AuthKey_ABC123.p8. Add --key-id.")
        }
        do { return try BackendKey(pem: pem, id: identifier) } catch {
            throw ValidationError("\(key) contains no private key. Give the .p8 file from App Store Connect.")
        }
    }

    /// Returns the public key that verifies the offer or token.
    ///
    /// - Throws: A usage error if the file contains no P-256 key.
    func publicKey() throws -> BackendPublicKey {
        do { return try BackendPublicKey(pem: text(), id: identifier) } catch is BackendKeyError {
            throw ValidationError("\(key) contains no P-256 key. Give a .p8 file, or its public key in PEM.")
        }
    }

    private func text() throws -> String {
        String(decoding: try InputSource.file(key).read(), as: UTF8.self)
    }
}

/// A signed promotional offer in the JSON that `offer sign` prints and `offer check` parses.
struct OfferFile {
    let offer: PromotionalOffer
    let signature: String

    init(offer: PromotionalOffer, signature: String) {
        self.offer = offer
        self.signature = signature
    }

    /// Parses an offer from JSON with the members of ``json``; nil if a member is missing or invalid.
    init?(_ json: JSONValue?) {
        func text(_ name: String) -> String? { json?[name]?.text }
        guard let bundle = text("bundleIdentifier"), let key = text("keyIdentifier"), let product = text("productIdentifier"),
            let offer = text("offerIdentifier"), let nonce = text("nonce"), let signature = text("signature"),
            case .number(let digits)? = json?["timestamp"], let timestamp = Int64(digits)
        else { return nil }
        self.offer = PromotionalOffer(
            bundleID: BundleID(bundle), keyID: key, productID: ProductID(product), offerID: offer,
            token: text("applicationUsername") ?? "", nonce: nonce, timestamp: timestamp
        )
        self.signature = signature
    }

    private var values: [(name: String, value: JSONValue)] {
        [
            ("bundleIdentifier", .string(offer.bundleID.rawValue)), ("productIdentifier", .string(offer.productID.rawValue)),
            ("offerIdentifier", .string(offer.offerID)), ("applicationUsername", .string(offer.token)),
            ("keyIdentifier", .string(offer.keyID)), ("nonce", .string(offer.nonce)), ("timestamp", .number(offer.timestamp)),
            ("signature", .string(signature)),
        ]
    }

    var json: JSONValue {
        .object(values.map { JSONValue.Member($0.name, $0.value) })
    }

    var table: TextTable {
        var table = TextTable()
        for (name, value) in values { table.add(name, value.text ?? String(decoding: value.bytes, as: UTF8.self)) }
        return table
    }
}
