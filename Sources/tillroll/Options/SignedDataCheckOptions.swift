import ArgumentParser
import Foundation

/// The checks of JWS.
struct SignedDataCheckOptions: ParsableArguments {
    @Option(help: "Refuse production data with another appAppleId.")
    var appID: Int64?

    @Option(
        help: ArgumentHelp("Refuse data for other devices than the one with this AppStore.deviceVerificationID.", valueName: "uuid"),
        transform: { text in
            guard let identifier = UUID(uuidString: text) else { throw ValidationError("\(text) is no UUID.") }
            return identifier
        }
    )
    var deviceVerificationID: UUID?
}
