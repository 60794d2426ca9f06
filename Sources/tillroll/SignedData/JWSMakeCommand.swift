import ArgumentParser
import Foundation
import MonkeyShop
import PurchaseIssuing
import PurchaseModel

/// Issues JWS that a local authority signs.
struct JWSMakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make",
        abstract: "Make signed data by an authority of your own, for tests.",
        discussion: """
            The first call makes the authority and leaves two files in its folder: authority.pem with the keys, which only you \
            can read, and roots.pem, which verifiers are to trust. Nobody trusts it for production.

              tillroll jws make --authority mine --kind renewal --output renewal
              tillroll jws verify renewal --root mine/roots.pem

            What is signed is made up, unless --payload gives it: any JSON, signed as it stands in the file. JWS of --shape xcode \
            are verified with --root mine/xcode-roots.pem.
            """
    )

    @Option(help: ArgumentHelp("The folder of the authority; made when it is not there.", valueName: "folder"), transform: givenPath)
    var authority: String

    @Option(help: "What is made: transaction, renewal, notification or app-transaction.")
    var kind = SampleKind.transaction

    @Option(help: "How it is signed: apple or xcode.")
    var shape = SignedDataShape.apple

    @Option(help: "The app's bundle id.")
    var bundleID = MonkeyShopSample.bundleID.rawValue

    @Option(help: "Where it claims to be made: sandbox or xcode; sandbox unless its shape is Xcode's.")
    var environment: EnvironmentOption?

    @Option(help: "When it is signed, such as 2026-01-31T12:00:00Z; now unless given.")
    var date: DateOption?

    @Option(help: ArgumentHelp("JSON to sign instead of something made up.", valueName: "file"), transform: givenPath)
    var payload: String?

    @Option(
        help: ArgumentHelp("Bind it to the device with that AppStore.deviceVerificationID.", valueName: "uuid"),
        transform: { text in
            guard let identifier = UUID(uuidString: text) else { throw ValidationError("\(text) is no UUID.") }
            return identifier
        }
    )
    var deviceVerificationID: UUID?

    @Option(help: "How many, one a line and with other transactions.")
    var count = 1

    @Option(help: ArgumentHelp("Where it goes; standard output unless given.", valueName: "file"), transform: givenPath)
    var output: String?

    func validate() throws {
        guard (1...1_000_000_000).contains(count) else { throw ValidationError("--count is a number from 1 on.") }
        if environment == .production { throw ValidationError("Only the App Store signs for production; sandbox and xcode are left.") }
        guard payload == nil || deviceVerificationID == nil else {
            throw ValidationError("--payload is signed as it is, so it can't be bound to a device. Leave one of the two out.")
        }
    }

    func run() async throws {
        StandardStreams.prepare()
        let folder = AuthorityFolder(authority)
        let issuer = try shape == .apple ? SignedDataIssuer(authority: folder.authority()) : SignedDataIssuer(xcode: folder.xcode())
        let given = try payload.map { try json(in: $0) }
        var sample = SampleSignedData(
            kind: kind,
            purchases: SamplePurchases(
                bundleID: BundleID(bundleID), environment: environment?.environment ?? (shape == .xcode ? .xcode : .sandbox),
                date: date?.timestamp ?? Timestamp(Date())
            )
        )
        var output = try MadeOutput(path: output)
        for _ in 0..<count {
            var json = try given ?? sample.next(signedBy: issuer)
            if let deviceVerificationID {
                json = SampleSignedData.sealing(json, DeviceSeal(nonce: UUID(), deviceVerificationID: deviceVerificationID))
            }
            try output.write(Array((try issuer.sign(json: json) + "\n").utf8))
        }
        try output.finish()
    }

    private func json(in path: String) throws -> [UInt8] {
        let bytes = try InputSource(path).read()
        guard bytes.count <= InputSource.maximumSize, JSONReader.read(bytes) != nil else {
            throw ValidationError("\(path) holds no JSON. A payload is one JSON object.")
        }
        return bytes.last == 0x0A ? bytes.dropLast() : bytes
    }
}
