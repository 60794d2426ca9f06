import ArgumentParser
import Foundation
import PurchaseIssuing
import PurchaseModel

/// Issues sample receipts that a local certificate authority signs.
struct ReceiptIssueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue",
        abstract: "Issue a receipt with a local certificate authority, for tests.",
        discussion: """
            The first call creates the authority: authority.pem has its private keys and is readable by you only; roots.pem has the \
            root certificate for verifiers. Such roots are never trusted in production. The certificates are valid from one year \
            before their creation; receipts with an earlier --date are refused.

              tillroll receipt issue --authority mine --output receipt
              tillroll receipt verify receipt --root mine/roots.pem

            The receipt contains sample purchases, which are the same for the same options. Verify receipts of --format xcode with \
            --root mine/xcode-roots.pem.
            """,
        exitCodes: .issuing
    )

    @Option(help: ArgumentHelp("The authority's folder; created if it does not exist.", valueName: "folder"), transform: nonEmptyPath)
    var authority: String

    @Option(help: "The format: apple, apple-sha1 (used until 2023), xcode, or ios6 (one transaction).")
    var format = ReceiptFormat.apple

    @Option(help: "The app's bundle ID.")
    var bundleID = SampleApp.bundleID.rawValue

    @Option(help: "The app's version.")
    var appVersion = SampleApp.version

    @Option(help: "The environment: sandbox or xcode (default: sandbox, or xcode with --format xcode).")
    var environment: EnvironmentOption?

    @Option(help: "The number of purchases, up to 20000; with ios6 the receipt contains only the last.")
    var purchases = 1

    @Option(help: "The device: an identifierForVendor, or the MAC address of a Mac.")
    var device: DeviceOption?

    @Option(help: "The creation date, such as 2026-01-31T12:00:00Z (default: now).")
    var date: DateOption?

    @Option(help: ArgumentHelp("The output file (default: standard output).", valueName: "file"), transform: nonEmptyPath)
    var output: String?

    @Flag(help: "Write base64 on one line instead of bytes.")
    var base64 = false

    @Option(help: "The number of receipts, one per line, each with different transaction IDs; requires --base64.")
    var count = 1

    func validate() throws {
        guard (0...20_000).contains(purchases) else { throw ValidationError("Invalid --purchases \(purchases): give 0 to 20000.") }
        guard format != .ios6 || purchases > 0 else {
            throw ValidationError("--format ios6 issues a receipt of one purchase: give --purchases 1 or more.")
        }
        guard (1...1_000_000_000).contains(count) else { throw ValidationError("Invalid --count \(count): give 1 to 1000000000.") }
        guard count == 1 || base64 else { throw ValidationError("--count requires --base64, which writes one receipt per line.") }
        if environment == .production {
            throw ValidationError("Only the App Store issues receipts for production. Give sandbox or xcode.")
        }
        if format == .xcode, environment == .sandbox {
            throw ValidationError("--format xcode issues receipts for the xcode environment only. Leave --environment out.")
        }
    }

    func run() async throws {
        StandardStreams.prepare()
        guard base64 || output != nil || !FileDescriptor.standardOutput.isTerminal else {
            throw ValidationError("A receipt is binary and can't be shown on a terminal. Give --output FILE, or --base64.")
        }
        let sign = try signer()
        var output = try IssuedOutput(path: output)
        for number in 0..<Int64(count) {
            let receipt = try sign(2_000_000_000_000_001 + number * Int64(max(1, purchases)))
            try output.write(base64 ? Array(Data(receipt).base64EncodedData()) + [UInt8(ascii: "\n")] : receipt)
        }
        try output.finish()
    }

    /// Returns the function that issues a receipt whose first transaction has the given `transactionId`.
    private func signer() throws -> (Int64) throws -> [UInt8] {
        let folder = AuthorityFolder(authority)
        let date = date?.timestamp ?? Timestamp(Date())
        switch format {
        case .apple, .appleSHA1:
            let issuer = try ReceiptIssuer(
                authority: folder.authority(), digest: format == .appleSHA1 ? .sha1 : .sha256, random: .repeating
            )
            return { try issuer.issue(content(from: $0, at: date)) }
        case .xcode:
            let issuer = try ReceiptIssuer(xcode: folder.xcode(), random: .repeating)
            return { try issuer.issue(content(from: $0, at: date)) }
        case .ios6:
            let issuer = try folder.transactionReceipts()
            return { first in
                let content = content(from: first, at: date)
                guard let last = content.purchases.last?.transaction else { return [] }
                return try issuer.issue(TransactionReceiptContent(transaction: last, appVersion: appVersion, device: content.device))
            }
        }
    }

    private func content(from first: Int64, at date: Timestamp) -> ReceiptContent {
        let environment = environment?.environment ?? (format == .xcode ? .xcode : .sandbox)
        let sample = SamplePurchases(bundleID: BundleID(bundleID), environment: environment, date: date, firstID: first)
        var content = ReceiptContent(
            bundleID: BundleID(bundleID), appVersion: appVersion, environment: environment, device: Self.sampleDevice, creationDate: date,
            purchases: sample.transactions(purchases).map {
                ReceiptContent.Purchase(transaction: $0, type: $0.productType ?? .consumable)
            }
        )
        switch device {
        case .identifier(let uuid): content.device = DeviceID(uuid)
        case .macAddress(let bytes): content.macAddress = bytes
        case nil: break
        }
        return content
    }

    /// The device to which a receipt is bound if `--device` is not given.
    private static let sampleDevice: DeviceID = "00112233-4455-6677-8899-aabbccddeeff"
}

extension RandomBytes {
    /// Deterministic bytes instead of random bytes, so that the same options produce the same receipt; no secret depends on the bytes.
    fileprivate static let repeating = RandomBytes { count in (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ count) } }
}

/// The formats of receipts that Apple has issued.
enum ReceiptFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// The App Store's app receipt since 2023: DER, three certificates, SHA-256.
    case apple
    /// The App Store's app receipt until 2023: DER, three certificates, SHA-1.
    case appleSHA1 = "apple-sha1"
    /// The app receipt of StoreKit testing in Xcode: BER, one certificate.
    case xcode
    /// The transaction receipt of iOS 6: a property list with one transaction.
    case ios6
}
