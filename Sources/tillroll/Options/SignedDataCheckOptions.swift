import ArgumentParser
import Foundation

/// What a JWS has to say to be accepted, and receipts do not say.
struct SignedDataCheckOptions: ParsableArguments {
    @Option(help: "Refuse what is of production and has another number of the app in the App Store.")
    var appID: Int64?

    @Option(
        help: ArgumentHelp("Refuse what was made for another device; this is its AppStore.deviceVerificationID.", valueName: "uuid"),
        transform: { text in
            guard let identifier = UUID(uuidString: text) else { throw ValidationError("\(text) is no UUID.") }
            return identifier
        }
    )
    var deviceVerificationID: UUID?
}
