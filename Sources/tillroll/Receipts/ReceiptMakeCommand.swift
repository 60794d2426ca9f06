import ArgumentParser
import Foundation
import MonkeyShop
import PurchaseIssuing
import PurchaseModel

/// Issues receipts that a local authority signs.
struct ReceiptMakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make",
        abstract: "Make a receipt by an authority of your own, for tests.",
        discussion: """
            The first call makes the authority and leaves two files in its folder: authority.pem with the keys, which only you \
            can read, and roots.pem, which verifiers are to trust. Nobody trusts it for production. Its certificates are good \
            from a year before it was made, so earlier dates make receipts that are refused.

              tillroll receipt make --authority mine --output receipt
              tillroll receipt verify receipt --root mine/roots.pem

            The purchases are made up, and the same for the same options. Receipts of --shape xcode are verified with \
            --root mine/xcode-roots.pem.
            """
    )

    @Option(help: ArgumentHelp("The folder of the authority; made when it is not there.", valueName: "folder"), transform: givenPath)
    var authority: String

    @Option(help: "How it is written: apple, apple-sha1 (as until 2023), xcode, or ios6 (one transaction).")
    var shape = ReceiptShape.apple

    @Option(help: "The app's bundle id.")
    var bundleID = MonkeyShopSample.bundleID.rawValue

    @Option(help: "The app's version.")
    var appVersion = MonkeyShopSample.version

    @Option(help: "Where it claims to be made: sandbox or xcode; sandbox unless its shape is Xcode's.")
    var environment: EnvironmentOption?

    @Option(help: "How many purchases it lists, up to 20000; ios6 holds the last one.")
    var purchases = 1

    @Option(help: "The device it is bound to: a UUID, or the network address of a Mac.")
    var device: DeviceOption?

    @Option(help: "When it is made, such as 2026-01-31T12:00:00Z; now unless given.")
    var date: DateOption?

    @Option(help: ArgumentHelp("Where it goes; standard output unless given.", valueName: "file"), transform: givenPath)
    var output: String?

    @Flag(help: "Write base64 on one line instead of bytes.")
    var base64 = false

    @Option(help: "How many receipts, one a line and with other transactions; needs --base64.")
    var count = 1

    func validate() throws {
        guard (0...20_000).contains(purchases) else { throw ValidationError("A receipt lists 0 to 20000 purchases.") }
        guard shape != .ios6 || purchases > 0 else { throw ValidationError("A receipt of iOS 6 is about a purchase: give at least 1.") }
        guard (1...1_000_000_000).contains(count) else { throw ValidationError("--count is a number from 1 on.") }
        guard count == 1 || base64 else { throw ValidationError("Several receipts need --base64, which puts each on a line.") }
        if environment == .production {
            throw ValidationError("Only the App Store makes receipts for production; sandbox and xcode are left.")
        }
        if shape == .xcode, environment == .sandbox { throw ValidationError("Xcode makes receipts for its own environment only.") }
    }

    func run() async throws {
        StandardStreams.prepare()
        guard base64 || output != nil || !FileDescriptor.standardOutput.isTerminal else {
            throw ValidationError("A receipt is bytes, which a terminal does not show. Give --output FILE, or --base64.")
        }
        let sign = try signer()
        var output = try MadeOutput(path: output)
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
        switch shape {
        case .apple, .appleSHA1:
            let issuer = try ReceiptIssuer(
                authority: folder.authority(), digest: shape == .appleSHA1 ? .sha1 : .sha256, random: .repeating
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
        let environment = environment?.environment ?? (shape == .xcode ? .xcode : .sandbox)
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

    /// The device of a receipt, if the command line names none.
    private static let sampleDevice: DeviceID = "00112233-4455-6677-8899-aabbccddeeff"
}

extension RandomBytes {
    /// Deterministic bytes in place of random ones, so that the same options yield the same receipt; no secret depends on them.
    fileprivate static let repeating = RandomBytes { count in (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ count) } }
}
